"""What may be registered as a tool, and what stops start-up."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from tooling.registry import (
    NoArguments,
    ToolResult,
    all_tools,
    find_tool,
    register_tool,
)
from tooling.tiers import Tier, is_dispose_name


def register(name: str, tier: object = Tier.READ) -> None:
    """Register a tool that does nothing."""

    def run(*, context: object, arguments: object) -> ToolResult:
        return ToolResult({})

    register_tool(
        name=name,
        tier=tier,  # type: ignore[arg-type]
        arguments=NoArguments,
        description="Nothing.",
    )(run)


@pytest.mark.promise("D61", "D63")
@pytest.mark.case("A28")
@pytest.mark.parametrize(
    "name",
    [
        "mission_approve",
        "approve",
        "x_reject",
        "Mission_Approve",
        "\uff4dission_\uff41pprove",
        "mission-respond",
        "draft.promote",
        "mission_APPROVE ",
    ],
)
def test_a_dispose_name_stops_start_up(name: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        register(name)
    assert find_tool(name) is None


@pytest.mark.case("A28")
@pytest.mark.parametrize(
    "name", ["Mission_List", "mission_list ", "mission\u2024list", "\uff4dission_list"]
)
def test_a_name_that_looks_like_another_stops_start_up(name: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        register(name)


@pytest.mark.case("A28")
def test_a_second_tool_of_one_name_stops_start_up() -> None:
    with pytest.raises(ImproperlyConfigured):
        register("mission_list")


@pytest.mark.promise("D68")
def test_a_tool_without_a_tier_stops_start_up() -> None:
    with pytest.raises(ImproperlyConfigured):
        register("mission_peek", tier="read-ish")


@pytest.mark.promise("D44", "D68")
def test_every_registered_tool_is_classified_and_none_disposes() -> None:
    tools = all_tools()
    names = {tool.name for tool in tools}
    assert {"mission_list", "mission_get", "task_list", "decision_list"} <= names
    assert {"cost_summary", "workflow_list", "conversation_list"} <= names
    assert {"suggestion_list", "conversation_search", "mission_propose"} <= names
    for tool in tools:
        assert isinstance(tool.tier, Tier)
        assert not is_dispose_name(tool.name)
        assert tool.schema.get("additionalProperties") is False, tool.name
