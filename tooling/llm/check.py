"""Test a connection step by step, and say exactly where it fails."""

from __future__ import annotations

import asyncio
import logging
import ssl
import urllib.request
from contextlib import aclosing
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

import httpx2
from django.utils.translation import gettext as _

from tooling.llm.backends.clients import http_client, is_local
from tooling.llm.call_sites import CONNECTION_TEST
from tooling.llm.faults import fault_sentence
from tooling.llm.keys import read_key
from tooling.llm.service import CallInfo, run_alone, stream_once
from tooling.llm.types import (
    BackendError,
    Finished,
    LLMRequest,
    PromptMessage,
    TextDelta,
)
from tooling.models.llm import BackendKind
from tooling.redaction import redact

if TYPE_CHECKING:
    import uuid

    from tooling.llm.presets import ResolvedPreset

logger = logging.getLogger(__name__)

DEFAULT_ADDRESSES = {
    BackendKind.OPENAI.value: "https://api.openai.com/v1",
    BackendKind.ANTHROPIC.value: "https://api.anthropic.com",
}
# As its SDK says; a test holds the two together.
ANTHROPIC_VERSION = "2026-10-21"
LONGEST_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One step: `message` is translated, `detail` is exact, English, without keys.

    `name` is one of: address, connect, authenticate, complete.
    """

    name: str
    ok: bool
    message: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """The steps that were taken, up to the first that failed."""

    steps: tuple[CheckStep, ...]

    @property
    def ok(self) -> bool:
        return all(step.ok for step in self.steps)


def check_connection(
    *, preset: ResolvedPreset, tenant_id: uuid.UUID
) -> ConnectionReport:
    """Try a preset: address, connection, key, and one tiny streamed answer.

    The answer is a model call like any other and has its row in the ledger of
    `tenant_id`. What fails is reported, not raised. Not inside a transaction.
    """
    return run_alone(_check(preset, tenant_id))


async def _check(preset: ResolvedPreset, tenant_id: uuid.UUID) -> ConnectionReport:
    steps: list[CheckStep] = []
    remote = preset.kind != BackendKind.PLANNER
    taken = [_address, _connect, _authenticate] if remote else []
    for take in taken:
        steps.append(await _guarded(take.__name__.strip("_"), take(preset)))
        if not steps[-1].ok:
            return ConnectionReport(tuple(steps))
    steps.append(await _guarded("complete", _complete(preset, tenant_id)))
    return ConnectionReport(tuple(steps))


async def _guarded(name: str, step: Any) -> CheckStep:
    """Take a step; whatever it raises becomes its fault."""
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            taken: CheckStep = await step
    except BackendError as error:
        return _fault(name, error.code, error.detail)
    except TimeoutError:
        return _fault(name, "timeout", f"no answer in {LONGEST_SECONDS:g} s")
    except (OSError, ssl.SSLError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        return _fault(name, "unreachable", f"{type(error).__name__}: {error}")
    except Exception as error:
        logger.exception("connection_test_failed", extra={"step": name})
        return _fault(name, "internal", type(error).__name__)
    return taken


def _fault(name: str, code: str, detail: str) -> CheckStep:
    return CheckStep(
        name, ok=False, message=fault_sentence(code), detail=redact(detail)
    )


def _url(preset: ResolvedPreset) -> SplitResult:
    return urlsplit(preset.base_url or DEFAULT_ADDRESSES.get(preset.kind, ""))


def _port(url: SplitResult) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


def _proxied(preset: ResolvedPreset) -> bool:
    """Tell whether the environment's proxy stands between us and the address."""
    url = _url(preset)
    return url.scheme in urllib.request.getproxies() and not is_local(url.geturl())


async def _address(preset: ResolvedPreset) -> CheckStep:
    try:
        url = _url(preset)
        port, host = _port(url), url.hostname
    except ValueError as error:
        message = _("This is no web address. It looks like http://127.0.0.1:8080/v1.")
        return CheckStep("address", ok=False, message=message, detail=str(error))
    if url.scheme not in {"http", "https"} or not host:
        message = _("This is no web address. It looks like http://127.0.0.1:8080/v1.")
        return CheckStep("address", ok=False, message=message, detail="no http host")
    if _proxied(preset):
        message = _("The address is reached through a proxy.")
        return CheckStep("address", ok=True, message=message, detail=host)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port)
    except OSError as error:
        message = _("No machine of this name was found. Check the address.")
        detail = f"{host}: {error.strerror or error}"
        return CheckStep("address", ok=False, message=message, detail=detail)
    numbers = sorted({str(entry[4][0]) for entry in found})
    message = _("The address was found.")
    return CheckStep("address", ok=True, message=message, detail=", ".join(numbers))


async def _connect(preset: ResolvedPreset) -> CheckStep:
    url = _url(preset)
    if _proxied(preset):
        return CheckStep("connect", ok=True, message=_("Left to the proxy."))
    where = f"{url.hostname}:{_port(url)}"
    try:
        async with asyncio.timeout(preset.connect_seconds):
            opening = asyncio.open_connection(url.hostname, _port(url))
            _reader, writer = await opening
    except TimeoutError:
        detail = f"{where}: no connection in {preset.connect_seconds:g} s"
        return _fault("connect", "unreachable", detail)
    writer.close()
    return CheckStep("connect", ok=True, message=_("The port is open."), detail=where)


async def _authenticate(preset: ResolvedPreset) -> CheckStep:
    """Ask for the list of models: the cheapest request that needs the key."""
    key = read_key(preset.key_env)
    url = _url(preset).geturl().rstrip("/")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    if preset.kind == BackendKind.ANTHROPIC:
        headers["anthropic-version"] = ANTHROPIC_VERSION
        url = url.removesuffix("/v1") + "/v1"
    async with http_client(preset) as http:
        answer = await http.get(f"{url}/models", headers=headers)
    status = answer.status_code
    detail = f"GET {urlsplit(url).path}/models: HTTP {status}"
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return _fault("authenticate", "unauthorized", detail)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _fault("authenticate", "unavailable", detail)
    if status != HTTPStatus.OK:
        message = _("The provider does not list its models; the key is tried below.")
        return CheckStep("authenticate", ok=True, message=message, detail=detail)
    return CheckStep(
        "authenticate", ok=True, message=_models_message(preset, answer), detail=detail
    )


def _models_message(preset: ResolvedPreset, answer: httpx2.Response) -> str:
    try:
        listed = {model["id"] for model in answer.json()["data"]}
    except (ValueError, KeyError, TypeError):
        return _("The provider accepts the request.")
    if preset.model in listed:
        return _("The provider accepts the request and lists the model.")
    return _("The provider accepts the request; it does not list this model.")


async def _complete(preset: ResolvedPreset, tenant_id: uuid.UUID) -> CheckStep:
    request = LLMRequest(
        system="",
        messages=(PromptMessage("user", "Say: ready."),),
        max_output_tokens=CONNECTION_TEST.output_limit,
    )
    call = CallInfo(tenant_id=tenant_id, call_site=CONNECTION_TEST.name)
    pieces = 0
    # A backend of its own: the shared one's breaker may be open from earlier.
    alone = replace(preset, fallback=None, version=f"{preset.version} test")
    async with aclosing(
        stream_once(call=call, request=request, preset=alone)
    ) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                pieces += 1
            elif isinstance(event, Finished):
                finished = event
    usage = finished.usage
    detail = (
        f"model {finished.model or preset.model}, {pieces} pieces, finish "
        f"{finished.reason.value}, "
        f"{usage.fresh + usage.cache_read + usage.cache_write} tokens in, "
        f"{usage.output + usage.reasoning} out"
        f"{'' if usage.reported else ' (estimated: the provider reports no usage)'}"
    )
    message = _("The model answers.")
    return CheckStep("complete", ok=True, message=message, detail=detail)
