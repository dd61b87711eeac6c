"""What makes work: a proposal to decide on, or a Mission at once."""

from __future__ import annotations

import uuid

from decisions.cards import state_code
from decisions.kinds import find_subject
from missions.makers import Maker, Origin
from missions.services.creating import create_mission
from missions.services.proposing import UnknownRevision, propose_mission
from missions.specification import MissionSpec
from missions.subject import SUBJECT
from missions.tools.arguments import ProposeArguments, SpecificationArguments
from missions.tools.previews import mission_changes
from missions.tools.rows import mission_row
from tooling.registry import (
    CardRef,
    Change,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.tiers import Tier


@register_tool(
    name="mission_propose",
    tier=Tier.PROPOSE,
    arguments=ProposeArguments,
    description=(
        "Raise a proposal for the team to decide. Call this whenever the person asks "
        "for a feature or a change, instead of describing the work in prose; one call "
        "for each distinct idea. Draw title, objective, tasks and acceptance_criteria "
        "from the person's own words, in their language. Give plan when the order of "
        "steps is clear. Nothing is created until a person approves. To revise a "
        "proposal that came back with changes asked for, name it in revises."
    ),
)
def mission_propose(*, context: ToolContext, arguments: ProposeArguments) -> ToolResult:
    """Raise one request with one draft."""
    plain = arguments.model_dump()
    proposed = propose_mission(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        now=context.now,
        **{**plain, "revises": _handle(arguments.revises)},
    )
    request = proposed.request
    after = find_subject(SUBJECT).aftermaths([request]).get(request.pk)
    data = {
        "status": state_code(request, after),
        "request_id": str(request.pk),
        "title": request.title,
        "revision": request.revision,
        "created": proposed.created,
        "workflow": "placeholder" if proposed.draft.is_placeholder else "draft",
    }
    if request.revises_id:
        data["revises"] = str(request.revises_id)
    return ToolResult(data, cards=(CardRef("proposal", request.pk),))


def preview_mission(
    *, context: ToolContext, arguments: SpecificationArguments
) -> list[Change]:
    """Say what Mission would be made."""
    return mission_changes(MissionSpec.check(**arguments.model_dump()))


@register_tool(
    name="mission_create",
    tier=Tier.WRITE,
    arguments=SpecificationArguments,
    preview=preview_mission,
    description=(
        "Create a Mission at once, without a proposal. Only when the person has told "
        "you explicitly to create it now; for every wish call mission_propose."
    ),
)
def create_mission_now(
    *, context: ToolContext, arguments: SpecificationArguments
) -> ToolResult:
    """Create a ready Mission by the one path."""
    mission = create_mission(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        spec=MissionSpec.check(**arguments.model_dump()),
        now=context.now,
    )
    return ToolResult(mission_row(mission), cards=(CardRef("mission", mission.pk),))


def _handle(text: str | None) -> uuid.UUID | None:
    if not text:
        return None
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise UnknownRevision from error
