"""Make a pending Mission, the older way: at once, for a person to settle.

No workflow draft and no request goes with it, and it never runs while it waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from decisions.models import MakerKind
from dialogue.selectors import find_conversation
from missions.makers import Maker, Origin
from missions.models import Mission, MissionStatus
from missions.services.creating import create_mission
from missions.services.proposing import TooManyProposals
from missions.services.suggestions import convert_turn_suggestion
from missions.services.telling import tell_of_mission
from missions.specification import MissionSpec
from tooling.boundary import payload_hash
from tooling.models import User
from tooling.policy import Act, Principal, require

if TYPE_CHECKING:
    import datetime as dt
    import uuid


@dataclass(frozen=True, slots=True)
class Pending:
    """The Mission, and whether this call made it."""

    mission: Mission
    created: bool


def propose_pending_mission(
    *, maker: Maker, origin: Origin | None, spec: MissionSpec, now: dt.datetime
) -> Pending:
    """Create a Mission at once, pending, for a person to settle on its page.

    The same specification again from the same message, or from the same person while
    theirs waits, gives the Mission that stands. Rights are the caller's to check.
    Raises `TooManyProposals`.
    """
    digest = payload_hash(spec.to_payload())
    with transaction.atomic():
        standing = _standing(maker, origin, digest)
        if standing is not None:
            return Pending(standing, created=False)
        _check_cap(maker, origin)
        try:
            with transaction.atomic():
                mission = create_mission(
                    maker=maker,
                    origin=origin,
                    spec=spec,
                    payload_hash=digest,
                    status=MissionStatus.PENDING,
                    now=now,
                )
        except IntegrityError:
            standing = _standing(maker, origin, digest)
            if standing is None:
                raise
            return Pending(standing, created=False)
        if origin and origin.turn_id:
            convert_turn_suggestion(turn_id=origin.turn_id, now=now)
    return Pending(mission, created=True)


def raise_pending_mission(
    *,
    principal: Principal,
    conversation_id: uuid.UUID | None = None,
    now: dt.datetime,
    **spec: Any,
) -> Pending:
    """Make a pending Mission as a person, from a page or by REST. Needs no switch.

    `spec` is what `MissionSpec.check` takes. Raises `NotAllowed`, `NotFound` and
    `InvalidInput`.
    """
    require(principal, Act.RAISE)
    origin = None
    if conversation_id is not None:
        found = find_conversation(principal=principal, conversation_id=conversation_id)
        origin = Origin(conversation_id=found.pk)
    with transaction.atomic():
        made = propose_pending_mission(
            maker=Maker.of(principal),
            origin=origin,
            spec=MissionSpec.check(**spec),
            now=now,
        )
        if made.created:
            _tell(made.mission, principal, now=now)
    return made


def _tell(mission: Mission, principal: Principal, *, now: dt.datetime) -> None:
    name = str(User.objects.get(pk=principal.person))
    tell_of_mission(
        mission=mission,
        kind="mission",
        sentence=lambda: (
            _("%(name)s made the pending Mission “%(title)s”.")
            % {"name": name, "title": mission.title}
        ),
        facts={"by": name},
        show_card=True,
        now=now,
    )


def _standing(maker: Maker, origin: Origin | None, digest: str) -> Mission | None:
    """Find the same one: of the same message, or a person's own that still waits."""
    same = Mission.objects.filter(
        tenant_id=maker.tenant_id,
        maker_kind=maker.kind,
        source_request=None,
        payload_hash=digest,
        origin_conversation=origin.conversation_id if origin else None,
    )
    if maker.kind == MakerKind.MODEL:
        return same.filter(origin_message=origin.message_id if origin else None).first()
    waiting = same.filter(
        created_by_id=maker.user_id, status=MissionStatus.PENDING
    ).order_by("-created_at")
    return waiting.first()


def _check_cap(maker: Maker, origin: Origin | None) -> None:
    if origin is None or maker.kind != MakerKind.MODEL:
        return
    made = Mission.objects.filter(
        tenant_id=maker.tenant_id,
        maker_kind=MakerKind.MODEL,
        source_request=None,
        origin_message=origin.message_id,
    ).exclude(payload_hash="")
    if made.count() >= settings.PROPOSALS_PER_TURN:
        raise TooManyProposals(extra={"limit": settings.PROPOSALS_PER_TURN})
