"""Grants of a conversation: given and ended by people, told in its log."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dialogue.models import Conversation, ConversationStatus
from dialogue.selectors import find_conversation
from dialogue.services.conversations import ConversationCompleted, find_for_change
from dialogue.services.journal import append_notice
from dialogue.tool_names import tool_words
from tooling.errors import NotFound
from tooling.models import SessionGrant
from tooling.policy import Act, Principal, require
from tooling.services.grants import facts_of, give_grant, revoke_grant

NOTICE = "grant"


def give_leave(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    tools: Collection[str],
    minutes: int,
    uses: int,
    now: dt.datetime,
) -> SessionGrant:
    """Let the model use `tools` here, for a time and a number of uses.

    Raises `NotFound`, `NotAllowed`, `ConversationCompleted` and what `give_grant`
    raises.
    """
    conversation = find_for_change(principal, conversation_id)
    require(principal, Act.GRANT)
    with transaction.atomic():
        # Under the lock that completing takes: a closed conversation gets none.
        locked = Conversation.objects.select_for_update().get(pk=conversation.pk)
        if locked.status != ConversationStatus.OPEN:
            raise ConversationCompleted
        grant = give_grant(
            principal=principal,
            conversation_id=conversation.pk,
            tools=tools,
            minutes=minutes,
            uses=uses,
            now=now,
        )
        with translation.override(locked.language):
            text = _given(grant, minutes)
        _tell(locked, grant, text, "given", now)
    return grant


def end_leave(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    grant_id: uuid.UUID,
    now: dt.datetime,
) -> SessionGrant:
    """Revoke a grant of this conversation; the next judged call finds it ended."""
    conversation = find_conversation(
        principal=principal, conversation_id=conversation_id
    )
    here = SessionGrant.objects.filter(pk=grant_id, conversation_id=conversation.pk)
    if not here.exists():
        raise NotFound
    with transaction.atomic():
        grant, ended = revoke_grant(principal=principal, grant_id=grant_id, now=now)
        if ended:
            with translation.override(conversation.language):
                text = _("%(who)s revoked the grant for: %(tools)s.") % {
                    "who": grant.revoked_by,
                    "tools": _named(grant),
                }
            _tell(conversation, grant, text, "revoked", now)
    return grant


def _tell(
    conversation: Conversation,
    grant: SessionGrant,
    text: str,
    change: str,
    now: dt.datetime,
) -> None:
    append_notice(
        conversation_id=conversation.pk,
        tenant_id=conversation.tenant_id,
        kind=NOTICE,
        text=text,
        facts={"grant": str(grant.pk), "change": change, **facts_of(grant)},
        now=now,
    )


def _given(grant: SessionGrant, minutes: int) -> str:
    uses = ngettext("%(count)d use", "%(count)d uses", grant.uses_max)
    time = ngettext("%(count)d minute", "%(count)d minutes", minutes)
    sentence = _(
        "%(who)s lets the model do this here without being asked each time, for "
        "%(time)s and %(uses)s at most: %(tools)s."
    )
    return sentence % {
        "who": grant.given_by,
        "time": time % {"count": minutes},
        "uses": uses % {"count": grant.uses_max},
        "tools": _named(grant),
    }


def _named(grant: SessionGrant) -> str:
    return ", ".join(f"{tool_words(name)} ({name})" for name in grant.tools)
