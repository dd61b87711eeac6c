"""The one way from a model's Markdown to HTML: parse, then an allow-list.

HTML in the text is text. No image is ever fetched: it becomes a link that names its
host, like every link. Hidden characters are shown, headings sit below the page's own,
each block finds its own direction, and inline styles do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from tooling.visible import show_hidden

# A longer text, or one with more brackets and marks, is shown as plain text.
MAX_CHARS = 100_000
MAX_MARKS = 4_000
_MARKS = re.compile(r"[\[\]`*_~<>!|\\&]")

_SCHEMES = frozenset({"http", "https", "mailto"})
_TURNS_BY_ITSELF = frozenset(
    {"p", "h3", "h4", "h5", "h6", "li", "blockquote", "td", "th"}
)
_LANGUAGE = re.compile(r"^[A-Za-z0-9_+#.-]{1,30}$")
_ALIGN = {"text-align:right": "align-end", "text-align:center": "align-center"}

_CLEANER = nh3.Cleaner(
    tags={
        *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote"),
        *("ul", "ol", "li", "h3", "h4", "h5", "h6", "a", "span"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    },
    clean_content_tags={"script", "style"},
    attributes={
        "a": {"href", "target"},
        "ol": {"start"},
        "span": {"title"},
        "code": {"class"},
        "*": {"dir"},
    },
    attribute_filter=lambda tag, name, value: _attribute(tag, name, value),
    allowed_classes={
        "span": {"escape", "link-host"},
        "a": {"md-image"},
        "td": {"align-end", "align-center"},
        "th": {"align-end", "align-center"},
    },
    url_schemes=set(_SCHEMES),
    link_rel="noopener noreferrer nofollow",
)


def render_markdown(text: str) -> SafeString:
    """Return safe HTML of a text that a model (or a person) wrote."""
    if len(text) > MAX_CHARS or len(_MARKS.findall(text)) > MAX_MARKS:
        return format_html('<div class="plain" dir="auto">{}</div>', show_hidden(text))
    # The sanitiser has the last word, whatever the parser made of the text.
    return mark_safe(_CLEANER.clean(_parser.render(text)))  # noqa: S308


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "dir":
        return value if value in {"auto", "ltr"} else None
    if tag == "code" and name == "class":
        return value if _LANGUAGE.match(value.removeprefix("language-")) else None
    if tag == "a" and name == "target":
        return "_blank"
    return value


def link_host(href: str) -> str | None:
    """Return what a link leads to, in plain ASCII; None for one we do not make."""
    try:
        parts = urlsplit(href)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES:
        return None
    if parts.scheme.lower() == "mailto":
        return parts.path or None
    return host if host and host.isascii() else None


# --- from tokens to safer tokens ----------


def _prepare(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline":
            token.children = list(_inline(token.children or []))
        elif token.type.startswith("heading_"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        if token.nesting == 1:
            _dress(token)


def _dress(token: Token) -> None:
    """Let a block find its direction; alignment is a class, not a style."""
    style = str(token.attrs.pop("style", "")) if token.attrs else ""
    if style in _ALIGN:
        token.attrSet("class", _ALIGN[style])
    if token.tag in _TURNS_BY_ITSELF:
        token.attrSet("dir", "auto")


def _inline(tokens: Sequence[Token]) -> Iterable[Token]:
    inside: list[str | None] = []
    said: list[str] = []
    for token in tokens:
        if token.type == "image":
            yield from _image(token, linked=bool(inside))
        elif token.type == "link_open":
            href = str(token.attrGet("href") or "")
            host = link_host(href)
            inside.append(host)
            said.clear()
            if host:
                yield _link(href)
        elif token.type == "link_close":
            host = inside.pop()
            if host:
                yield token
                if host.casefold() not in "".join(said).casefold():
                    yield _host(host)
        else:
            said.append(token.content)
            yield token


def _link(href: str, **attributes: str) -> Token:
    attrs: dict[str, str | int | float] = {
        "href": href,
        "target": "_blank",
        **attributes,
    }
    return Token("link_open", "a", 1, attrs=attrs)


def _host(host: str) -> Token:
    return Token("link_host", "", 0, content=host)


def _image(token: Token, *, linked: bool) -> Iterable[Token]:
    href = str(token.attrGet("src") or "")
    host = link_host(href)
    words = Token("text", "", 0, content=token.content or _("image"))
    if linked or not host:
        yield words
        return
    yield _link(href, **{"class": "md-image"})
    yield words
    yield Token("link_close", "a", -1)
    yield _host(host)


# --- from tokens to HTML ----------


class _Renderer(RendererHTML):
    """Text is shown with its hidden characters; code knows its language."""

    def text(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return show_hidden(tokens[idx].content)

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return f'<code dir="ltr">{show_hidden(tokens[idx].content)}</code>'

    def code_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        code = show_hidden(tokens[idx].content)
        return f'<pre dir="ltr"><code>{code}</code></pre>\n'

    def fence(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        token = tokens[idx]
        language = (token.info.split() or [""])[0]
        named = f' class="language-{language}"' if _LANGUAGE.match(language) else ""
        code = show_hidden(token.content)
        return f'<pre dir="ltr"><code{named}>{code}</code></pre>\n'

    def link_host(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        host = show_hidden(tokens[idx].content)
        return f'\u00a0<span class="link-host">({host})</span>'


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt(
        "commonmark",
        {"html": False, "linkify": False, "maxNesting": 20},
        renderer_cls=_Renderer,
    )
    parser.enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    parser.core.ruler.push("prepare", _prepare)
    return parser


_parser = _make_parser()
