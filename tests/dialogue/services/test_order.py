"""Messages belong to one conversation, have a role, and stand in one order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from dialogue.models import Conversation, ConversationMessage, Event, MessageRole
from dialogue.services.conversations import create_conversation
from dialogue.services.journal import append_message
from dialogue.services.send import Sent
from tests.dialogue.conftest import People

pytestmark = pytest.mark.django_db(transaction=True)
Send = Callable[..., Sent]


@pytest.mark.promise("D29")
def test_numbers_follow_on_within_a_conversation(
    send: Send, conversation: Conversation
) -> None:
    for text in ("one", "two", "three"):
        send(text)
    rows = ConversationMessage.objects.filter(conversation=conversation)
    ordered = rows.order_by("seq").values_list("seq", "role", "text")
    assert list(ordered) == [
        (1, "user", "one"),
        (2, "user", "two"),
        (3, "user", "three"),
    ]
    events = Event.objects.filter(conversation=conversation).order_by("seq")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


@pytest.mark.promise("D29")
def test_what_is_undone_leaves_no_gap(
    send: Send, conversation: Conversation, people: People
) -> None:
    with transaction.atomic():
        append_message(
            conversation_id=conversation.pk,
            tenant_id=people.tenant.pk,
            role=MessageRole.NOTICE,
            text="never",
            now=timezone.now(),
        )
        transaction.set_rollback(True)
    assert send("one").message.seq == 1


@pytest.mark.promise("D29")
@pytest.mark.parametrize(
    "changed",
    [{"seq": 1}, {"role": "oracle"}, {"role": "user", "author_id": None}],
    ids=["a number twice", "an unknown role", "a person without a name"],
)
def test_the_database_refuses(
    send: Send, conversation: Conversation, changed: dict[str, object]
) -> None:
    first = send("one").message
    fields: dict[str, object] = {
        "tenant_id": first.tenant_id,
        "conversation": conversation,
        "seq": 2,
        "role": "notice",
        "text": "two",
        **changed,
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        ConversationMessage.objects.create(**fields)
    assert ConversationMessage.objects.count() == 1


@pytest.mark.promise("D29")
def test_a_message_neither_changes_nor_moves(
    conversation: Conversation, people: People
) -> None:
    with transaction.atomic():
        message = append_message(
            conversation_id=conversation.pk,
            tenant_id=people.tenant.pk,
            role=MessageRole.NOTICE,
            text="one",
            now=timezone.now(),
        )
    other = create_conversation(
        principal=people.member, track="Build", now=timezone.now()
    )
    rows = ConversationMessage.objects.filter(pk=message.pk)
    for change in ({"text": "two"}, {"seq": 9}, {"conversation": other}):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            rows.update(**change)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.delete()
    message.refresh_from_db()
    assert (message.text, message.seq) == ("one", 1)
