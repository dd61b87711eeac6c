"""Readers that tests lean on."""

from __future__ import annotations

from tests.support.sse import ServerEvent, read_events


def test_events_are_read_as_a_browser_reads_them() -> None:
    lines = [
        ": ping",
        "",
        "id: 7",
        "event: text",
        "data: one",
        "data: two",
        "",
        'data:{"a": 1}',
        "",
        "data: cut off",
    ]
    first, second = read_events(lines)
    assert first == ServerEvent("7", "text", "one\ntwo")
    assert second.json() == {"a": 1}
