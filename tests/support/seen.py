"""What a person reads on a page: its texts, without code and hidden parts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

# Not read by people, or the same in every language.
_UNREAD = {"script", "style", "code", "pre", "template", "svg"}
_EMPTY = {"input", "img", "br", "link", "meta", "hr", "source", "wbr"}
_DATA = re.compile(r"data-(text-.+|.*label|confirm|copied)")
_SAID = {"title", "aria-label", "placeholder", "alt", "content"}


class _Reader(HTMLParser):
    """Collects texts; what stands inside an unread element, or in English, is not."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._unread: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        is_unread = tag in _UNREAD or (tag != "html" and values.get("lang") == "en")
        if tag not in _EMPTY and (self._unread or is_unread):
            self._unread.append(tag)
        if self._unread:
            return
        said = [
            value
            for name, value in values.items()
            if name in _SAID or _DATA.fullmatch(name)
        ]
        if values.get("type") in {"submit", "button"}:
            said.append(values.get("value", ""))
        self.texts += [" ".join(text.split(" ")) for text in said if text.strip()]

    def handle_endtag(self, tag: str) -> None:
        if self._unread and tag == self._unread[-1]:
            self._unread.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._unread:
            self.texts.append(" ".join(data.replace("\n", " ").strip(" ").split(" ")))


def texts_of(html: str) -> list[str]:
    """Return the texts of a page, in order, with those of its attributes."""
    reader = _Reader()
    reader.feed(html)
    return [" ".join(text.split()) for text in reader.texts]
