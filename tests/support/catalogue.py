"""The French catalogue, and the texts that sources mark for it, without gettext."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = ROOT / "locale" / "fr" / "LC_MESSAGES"
# Where the English text stands among the arguments of each marker: context, text,
# plural; None for what it does not take.
MARKERS: dict[str, tuple[int | None, int, int | None]] = {
    "_": (None, 0, None),
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2),
    "npgettext_lazy": (0, 1, 2),
}
_LINE = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")')
_CALL = re.compile(rf"\b({'|'.join(MARKERS)})\(")
_LITERAL = re.compile(r"""\s*u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*,?""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Text:
    """An English text as it is marked; `context` and `plural` are "" without one."""

    msgid: str
    plural: str = ""
    context: str = ""


@dataclass(slots=True)
class Entry:
    """A text of the catalogue with its French forms."""

    text: Text
    french: list[str] = field(default_factory=list)
    is_fuzzy: bool = False


def read_catalogue() -> list[Entry]:
    """Return every entry of the French catalogue, its header left out."""
    blocks = (MESSAGES / "django.po").read_text(encoding="utf-8").split("\n\n")
    return [entry for block in blocks if (entry := _entry(block)).text.msgid]


def _entry(block: str) -> Entry:
    parts: dict[str, str] = {}
    name = ""
    for line in block.splitlines():
        if found := _LINE.fullmatch(line):
            name = found[1]
        if line and not line.startswith("#"):
            literal = found[2] if found else line
            parts[name] = parts.get(name, "") + ast.literal_eval(literal)
    text = Text(
        parts.get("msgid", ""),
        parts.get("msgid_plural", ""),
        parts.get("msgctxt", ""),
    )
    french = [value for key, value in parts.items() if key.startswith("msgstr")]
    is_fuzzy = re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE) is not None
    return Entry(text, french, is_fuzzy)


def texts_of_python(tree: ast.Module) -> Iterator[Text]:
    """Yield the texts that a Python file marks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            name = getattr(function, "id", getattr(function, "attr", ""))
            values = [
                each.value if isinstance(each, ast.Constant) else None
                for each in node.args
            ]
            if name in MARKERS and (text := _text(name, values)):
                yield text


def texts_of_template(source: str) -> Iterator[Text]:
    """Yield the texts that a template marks."""
    code = templatize(source)
    for call in _CALL.finditer(code):
        values: list[object] = []
        position = call.end()
        while found := _LITERAL.match(code, position):
            values.append(ast.literal_eval(found[1]))
            position = found.end()
        if text := _text(call[1], values):
            yield text


def _text(marker: str, values: Sequence[object]) -> Text | None:
    def at(index: int | None) -> str:
        value = values[index] if index is not None and index < len(values) else ""
        return value if isinstance(value, str) else ""

    context, msgid, plural = MARKERS[marker]
    return Text(at(msgid), at(plural), at(context)) if at(msgid) else None
