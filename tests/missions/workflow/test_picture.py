from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from hypothesis import given

from missions.workflow.graph import Graph, build_graph, parse_graph, placeholder_graph
from missions.workflow.picture import MAX_LINES, describe_graph, draw_graph, wrap_title
from tests.missions.support import SOUND_PLAN, plan
from tests.missions.workflow.test_graph import ANY_GRAPHS

SVG = "{http://www.w3.org/2000/svg}"


def drawn(graph: Graph, title: str = "Export") -> ET.Element:
    return ET.fromstring(draw_graph(graph, title=title))  # noqa: S314 -- our own


def test_it_is_an_image_with_a_title_and_a_description() -> None:
    svg = drawn(build_graph(SOUND_PLAN))
    assert svg.get("role") == "img"
    labels = str(svg.get("aria-labelledby")).split()
    texts = {each.get("id"): each.text for each in svg if each.get("id")}
    assert [texts[name] for name in labels] == [
        "Export",
        "2 steps. 1: Export, at the start. 2: Alert, after Export.",
    ]


def test_text_of_a_model_stays_text() -> None:
    hostile = '"><script>alert(1)</script><g onload="x">'
    graph = placeholder_graph([hostile])
    svg = drawn(graph, title=hostile)
    assert not list(svg.iter(f"{SVG}script"))
    assert "<script" not in draw_graph(graph, title=hostile)
    assert svg.findtext(f"{SVG}title") == hostile


def test_nothing_in_it_needs_a_looser_content_policy() -> None:
    text = draw_graph(build_graph(SOUND_PLAN), title="Export")
    assert not re.search(r"\sstyle=|<style|\son\w+=|href=", text)


def test_a_placeholder_is_marked_in_class_and_words() -> None:
    graph = placeholder_graph(["Write it"])
    assert "flow--placeholder" in str(drawn(graph).get("class"))
    assert describe_graph(graph).startswith("Placeholder.")


def test_it_grows_longer_not_wider() -> None:
    wide = build_graph(plan(*((f"step{number}", ()) for number in range(9))))
    narrow = build_graph(plan(("a", ()), ("b", ())))
    assert drawn(wide).get("width") == drawn(narrow).get("width")


def test_long_titles_are_cut_into_lines() -> None:
    lines = wrap_title("word " * 60)
    assert len(lines) == MAX_LINES
    assert lines[-1].endswith("…")


@given(ANY_GRAPHS)
def test_any_graph_can_be_drawn_within_its_frame(graph: Graph) -> None:
    svg = drawn(graph)
    width, height = int(str(svg.get("width"))), int(str(svg.get("height")))
    boxes = list(svg.iter(f"{SVG}rect"))
    assert len(boxes) == len({step.id for step in graph.steps})
    for box in boxes:
        assert 0 <= int(box.attrib["x"]) <= width - int(box.attrib["width"])
        assert 0 <= int(box.attrib["y"]) <= height - int(box.attrib["height"])


def test_steps_that_can_never_start_are_drawn_too() -> None:
    svg = drawn(parse_graph(plan(("a", ("a",)))))
    assert len(list(svg.iter(f"{SVG}rect"))) == 1
