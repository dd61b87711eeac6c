"""What a conversation hears of its Missions, in that conversation's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import translation

from dialogue.models import Conversation
from dialogue.services.journal import append_notice, touch_card

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from missions.models import Mission


def tell_of_mission(
    *,
    mission: Mission,
    kind: str,
    sentence: Callable[[], str],
    facts: dict[str, Any],
    show_card: bool = False,
    now: dt.datetime,
) -> None:
    """Append a notice where a Mission came from, and refresh its card there.

    `sentence` runs under the conversation's language. Last in the transaction.
    """
    if mission.origin_conversation is None:
        return
    where = {
        "conversation_id": mission.origin_conversation,
        "tenant_id": mission.tenant_id,
    }
    language = (
        Conversation.objects.filter(
            pk=mission.origin_conversation, tenant_id=mission.tenant_id
        )
        .values_list("language", flat=True)
        .first()
    )
    if language is None:
        return
    with translation.override(language):
        text = sentence()
    card = {"kind": "mission", "id": str(mission.pk)}
    touch_card(**where, kind="mission", id=mission.pk, now=now)
    append_notice(
        **where,
        kind=kind,
        text=text,
        cards=[card] if show_card else [],
        facts={"mission": str(mission.pk), **facts},
        now=now,
    )
