"""What a model saw, stored as content-addressed parts instead of a copy a call.

A manifest is `{"system": digest, "tools": digest, "messages": [first, last], …}`;
the messages themselves are the conversation's rows.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

import orjson
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tooling.boundary import canonical_json
from tooling.errors import DomainError
from tooling.llm.ledger import in_database_thread
from tooling.llm.types import ToolSpec
from tooling.models.llm import PromptPart

KNOWN_DIGESTS = 4096


class PromptPartMissing(DomainError):
    """A part that a manifest names is no longer stored."""

    code = "prompt_part_missing"
    status = HTTPStatus.NOT_FOUND
    message = _("A part of what the model saw is no longer stored.")


@dataclass(frozen=True, slots=True)
class SeenPrompt:
    """What a call's manifest leads back to. `messages`: first and last seq."""

    system: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[int, ...]
    notes: Any


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text as 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def tools_text(tools: tuple[ToolSpec, ...]) -> str:
    """Return the one text form of a list of served tools."""
    listed = [
        {"name": t.name, "description": t.description, "parameters": t.parameters}
        for t in tools
    ]
    return canonical_json(listed).decode()


def store_part(text: str) -> str:
    """Store a text unless it is stored, and return its digest.

    A digest that this process has stored before costs no statement.
    """
    digest = digest_of(text)
    if not _known.has(digest):
        PromptPart.objects.bulk_create(
            [PromptPart(digest=digest, text=text)], ignore_conflicts=True
        )
        # A row that is rolled back must not be remembered.
        transaction.on_commit(partial(_known.add, digest))
    return digest


async def astore_part(text: str) -> str:
    """Like `store_part`, from an event loop."""
    digest = digest_of(text)
    if not _known.has(digest):
        await in_database_thread(store_part, text)
    return digest


def rebuild(manifest: dict[str, Any]) -> SeenPrompt:
    """Return what a manifest stands for. Raises `PromptPartMissing`."""
    wanted = [manifest[key] for key in ("system", "tools") if manifest.get(key)]
    texts = dict(
        PromptPart.objects.filter(digest__in=wanted).values_list("digest", "text")
    )
    if set(wanted) - set(texts):
        raise PromptPartMissing
    tools = orjson.loads(texts.get(manifest.get("tools", ""), "[]"))
    return SeenPrompt(
        system=texts.get(manifest.get("system", ""), ""),
        tools=tuple(ToolSpec(**tool) for tool in tools),
        messages=tuple(manifest.get("messages", ())),
        notes=manifest.get("notes"),
    )


def forget_parts() -> None:
    """Forget which digests are stored, after parts were deleted."""
    _known.clear()


class _Known:
    """The digests last used, bounded."""

    def __init__(self) -> None:
        self._digests: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def has(self, digest: str) -> bool:
        with self._lock:
            if digest not in self._digests:
                return False
            self._digests.move_to_end(digest)
            return True

    def add(self, digest: str) -> None:
        with self._lock:
            self._digests[digest] = None
            if len(self._digests) > KNOWN_DIGESTS:
                self._digests.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._digests.clear()


_known = _Known()
