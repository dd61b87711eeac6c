"""Make a pending Mission, the older way: at once, for a person to settle.

No workflow draft and no request goes with it, and it never runs while it waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction

from decisions.models import MakerKind
from missions.models import Mission, MissionStatus
from missions.services.creating import create_mission
from missions.services.proposing import TooManyProposals
from missions.services.suggestions import convert_turn_suggestion
from tooling.boundary import payload_hash

if TYPE_CHECKING:
    import datetime as dt

    from missions.makers import Maker, Origin
    from missions.specification import MissionSpec


@dataclass(frozen=True, slots=True)
class Pending:
    """The Mission, and whether this call made it."""

    mission: Mission
    created: bool


def propose_pending_mission(
    *, maker: Maker, origin: Origin | None, spec: MissionSpec, now: dt.datetime
) -> Pending:
    """Create a Mission at once, pending, for a person to settle on its page.

    The same specification again from the same message gives the Mission that
    stands. Rights are the caller's to check. Raises `TooManyProposals`.
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


def _standing(maker: Maker, origin: Origin | None, digest: str) -> Mission | None:
    if origin is None or maker.kind != MakerKind.MODEL:
        return None
    return Mission.objects.filter(
        tenant_id=maker.tenant_id,
        maker_kind=MakerKind.MODEL,
        source_request=None,
        origin_message=origin.message_id,
        payload_hash=digest,
    ).first()


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
