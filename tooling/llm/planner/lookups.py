"""Chooses the read tool that answers a question about the live state."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tooling.intent.cleaning import fold
from tooling.llm.planner.stems import stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tooling.llm.types import ToolSpec

_ABOUT = re.compile(
    r"(?:how (?:do|does|can|would|to|should)\b|comment\b(?! va)|what (?:does|is a|is"
    r" an|would"
    r" happen|happens|can you|are you|do you do)\b|who are you|que se passe|qu'est-ce"
    r" qu(?:'une?|e tu)|qui es-tu|qui etes|que (?:peux|sais|fais)-tu|que pouvez-vous"
    r"|what's a\b|are you (?:a|an|chatgpt|gpt|claude|real)|es-tu|etes-vous|can you help"
    r"|help\b|aide\b|what is this|c'est quoi ce)"
)
_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"\b(?:costs?|cost|spen[dt]|spending|expens\w+|budget|bill|how much|tokens?"
        r"|coute|couts?|depens\w+|combien (?:a|ca|cela) )",
        ("cost_summary",),
    ),
    (
        r"\b(?:search|find|look (?:for|up)|did (?:we|i|you) (?:say|discuss|agree|talk"
        r"|mention|decide)|summari[sz]e|recap|agreed|earlier|said about|cherche\w*"
        r"|retrouve\w*|trouve\w*|avons-nous (?:dit|decide|parle)|nous avons (?:dit"
        r"|decide"
        r"|convenu)|a-t-on (?:dit|decide|parle)|resume\w*|recapitule\w*|convenu|dit de"
        r"|parle de)\b",
        ("conversation_search", "conversation_get", "conversation_list"),
    ),
    (
        r"\b(?:decisions?|approv\w+|reject\w+|proposals?|queue|awaiting|pending review"
        r"|approuv\w+|rejet\w+|refus\w+|propositions?|valid\w+|a decider|file"
        r" d'attente)\b",
        ("decision_list",),
    ),
    (r"\b(?:tasks?|to-?dos?|taches?)\b", ("task_list", "mission_get", "mission_list")),
    (
        r"\b(?:workflows?|pipelines?|drafts?|brouillons?|flux)\b",
        ("workflow_list",),
    ),
    (r"\b(?:suggest\w+|ideas?|idees?)\b", ("suggestion_list",)),
    (
        r"\b(?:this (?:conversation|thread|chat|discussion)|cette (?:conversation"
        r"|discussion)|ce fil)\b",
        ("conversation_get", "conversation_list"),
    ),
    (
        r"\b(?:conversations?|threads?|chats?|discussions?)\b",
        ("conversation_list",),
    ),
    (r"\b(?:missions?|projects?|projets?)\b", ("mission_list",)),
    (
        r"\b(?:status|state|system|health|going on|overview|situation|how are things"
        r"|what's up|running|etat|statut|systeme|ou en est|ou en sont|quoi de neuf"
        r"|en cours|tourne)\b",
        ("system_status", "mission_list"),
    ),
)
_STATUSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"\b(?:pending|waiting|awaiting|open|outstanding|en attente|ouvert\w*|a"
        r" decider)\b",
        ("open", "pending", "awaiting_decision", "waiting", "new"),
    ),
    (r"\b(?:running|in progress|ongoing|en cours|active?s?|actives?)\b",
     ("running", "in_progress", "active", "open")),
    (r"\b(?:ready|pret\w*)\b", ("ready",)),
    (r"\b(?:completed?|done|finished|termine\w*|fini\w*|achev\w*)\b",
     ("completed", "done")),
    (r"\b(?:failed|failing|echou\w*|en echec)\b", ("failed",)),
    (r"\b(?:cancell?ed|annul\w*)\b", ("cancelled",)),
    (r"\b(?:blocked|bloqu\w*)\b", ("blocked",)),
    (r"\b(?:approved|approuv\w*)\b", ("approved", "resolved")),
    (r"\b(?:rejected|rejet\w*)\b", ("rejected", "resolved")),
)  # fmt: skip
_NOT_QUERY = frozenset(
    """searc find look summa recap resum cherc retro trouv what when where which who how
    show list tell give said decid agree discu conve conver convenu about earli thread
    missi task tasks tache quell quels combi montr liste donne avons chat talk menti did
    say said does
    parle parlé fil disc decis propo there here""".split()
)
_NAMED = re.compile(r"[\"“«‘']\s*([^\"”»’']{2,80}?)\s*[\"”»’'](?!\w)")


@dataclass(frozen=True, slots=True)
class Lookup:
    """A read tool and the arguments to call it with."""

    name: str
    arguments: dict[str, Any]


def asks_about_itself(text: str) -> bool:
    """Say whether a question is about the product or the planner, not its rows."""
    return _ABOUT.match(fold(text.strip())) is not None and not re.match(
        r"how (?:much|many)|combien", fold(text.strip())
    )


def choose_lookup(text: str, tools: Sequence[ToolSpec]) -> Lookup | None:
    """Return the served read tool that fits a question, None where none does."""
    served = {tool.name: tool for tool in tools}
    folded = fold(text)
    for pattern, names in _RULES:
        if not re.search(pattern, folded):
            continue
        for name in names:
            if name in served and not _needs_more(served[name]):
                arguments = _arguments(served[name], text)
                return Lookup(name, arguments)
            if name in served and name.endswith("_search"):
                arguments = _arguments(served[name], text)
                if "query" in arguments:
                    return Lookup(name, arguments)
    return None


def _needs_more(tool: ToolSpec) -> bool:
    return bool(tool.parameters.get("required"))


def _arguments(tool: ToolSpec, text: str) -> dict[str, Any]:
    properties = tool.parameters.get("properties")
    if not isinstance(properties, dict):
        return {}
    found: dict[str, Any] = {}
    if "status" in properties:
        status = _status(properties["status"], tool.parameters, fold(text))
        if status:
            found["status"] = status
    if "query" in properties:
        query = _query(text, tool.name)
        if query:
            found["query"] = query
    return found


def _status(schema: object, root: dict[str, Any], folded: str) -> str:
    allowed = _enum(schema, root)
    for pattern, candidates in _STATUSES:
        if re.search(pattern, folded):
            if not allowed:
                return candidates[0]
            return next((c for c in candidates if c in allowed), "")
    return ""


def _enum(schema: object, root: dict[str, Any], depth: int = 0) -> list[str]:
    """Return the values that a schema allows, following references and unions."""
    if not isinstance(schema, dict) or depth > 4:
        return []
    values = schema.get("enum")
    if isinstance(values, list):
        return [v for v in values if isinstance(v, str)]
    if isinstance(schema.get("const"), str):
        return [schema["const"]]
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _enum(root.get("$defs", {}).get(reference.rsplit("/", 1)[-1]), root,
                     depth + 1)  # fmt: skip
    found: list[str] = []
    for key in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(key) or []:
            found += _enum(one, root, depth + 1)
    return found


def _query(text: str, tool_name: str) -> str:
    named = _NAMED.search(text)
    if named is not None:
        return named[1]
    if not tool_name.endswith("_search"):
        proper = re.findall(r"(?<=[a-zéèà] )((?:[A-ZÉ][\w-]+)(?: [A-ZÉ][\w-]+)*)", text)
        return proper[-1] if proper else ""
    wanted = stems(text) - _NOT_QUERY
    words = [w for w in re.findall(r"[\w-]+", text) if stems(w) & wanted]
    return " ".join(dict.fromkeys(words))[:120]
