"""The French catalogue: whole, sound, and what the sources mark."""

from __future__ import annotations

import ast
import gettext
import re
import struct
from collections import Counter

import pytest

from tests.guards.sources import APPS, project_files, python_files, read, tree
from tests.support.catalogue import (
    MESSAGES,
    Entry,
    Text,
    read_catalogue,
    texts_of_python,
    texts_of_template,
)

pytestmark = [
    pytest.mark.promise("L5"),
    pytest.mark.shape("embedded", reason="reads files only"),
]

CATALOGUE = read_catalogue()
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
TAG = re.compile(r"</?\w+>")
# Marks that French typography does not have, and spaces that may break a line.
WRONG_MARKS = re.compile(r"""['"“”]|\.\.\.|(?<=\w) ?[;?!»]|(?<=\w):(?!//|\d)| :|« """)


def wrong_in(entries: list[Entry]) -> list[str]:
    return [entry.text.msgid for entry in entries]


def counted(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(pattern.findall(text))


def same_parts(entry: Entry) -> bool:
    """Tell whether each French form has the placeholders and tags of an English one."""
    english = {entry.text.msgid, entry.text.plural or entry.text.msgid}
    return all(
        any(counted(part, form) == counted(part, each) for each in english)
        for form in entry.french
        for part in (PLACEHOLDER, TAG)
    )


def marked_texts() -> set[Text]:
    """Return what the sources of the product mark."""
    found: set[Text] = set()
    for path in python_files(*APPS):
        found.update(texts_of_python(tree(path)))
    for path in project_files():
        if path.parts[0] in APPS and path.suffix in {".html", ".txt"}:
            found.update(texts_of_template(read(path)))
    return found


def test_the_catalogue_has_what_the_sources_mark_and_no_more() -> None:
    known = {entry.text for entry in CATALOGUE}
    marked = marked_texts()
    assert len(marked) > 300
    assert marked - known == set(), "not collected: run `make messages`"
    assert known - marked == set(), "not marked any more: run `make messages`"


def test_markers_go_by_their_own_names() -> None:
    # The collector of texts knows no other alias than `_`.
    aliases = {
        (str(path), alias.asname)
        for path in python_files(*APPS)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        and node.module == "django.utils.translation"
        for alias in node.names
        if alias.asname not in (None, "_")
    }
    assert aliases == set()


def test_every_text_has_french() -> None:
    missing = [
        entry
        for entry in CATALOGUE
        if entry.is_fuzzy
        or len(entry.french) != (2 if entry.text.plural else 1)
        or not all(entry.french)
    ]
    assert wrong_in(missing) == []


def test_french_texts_have_the_placeholders_and_tags_of_the_english() -> None:
    assert wrong_in([entry for entry in CATALOGUE if not same_parts(entry)]) == []


def test_french_texts_end_as_the_english_do() -> None:
    def end(text: str) -> str:
        return text[-1] if text[-1] in ".:…?\n" else ""

    wrong = [
        entry
        for entry in CATALOGUE
        if {end(form) for form in entry.french} != {end(entry.text.msgid)}
    ]
    assert wrong_in(wrong) == []


def test_french_texts_keep_to_french_typography() -> None:
    wrong = [
        form
        for entry in CATALOGUE
        for form in entry.french
        if WRONG_MARKS.search(form) or form.count("«") != form.count("»")
    ]
    assert wrong == []


def test_what_is_compiled_is_the_catalogue() -> None:
    compiled = MESSAGES / "django.mo"
    with compiled.open("rb") as file:
        french = gettext.GNUTranslations(file)
    entries = struct.unpack("<I", compiled.read_bytes()[8:12])[0]
    assert entries == len(CATALOGUE) + 1, "run `make messages`"
    for entry in CATALOGUE:
        assert _forms(french, entry.text) == entry.french, "run `make messages`"


def _forms(french: gettext.GNUTranslations, text: Text) -> list[str]:
    context, one, many = text.context, text.msgid, text.plural
    if context and many:
        return [french.npgettext(context, one, many, count) for count in (1, 2)]
    if many:
        return [french.ngettext(one, many, count) for count in (1, 2)]
    return [french.pgettext(context, one) if context else french.gettext(one)]
