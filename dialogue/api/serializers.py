"""How conversations, messages and turns look from outside, field by field."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from dialogue.models import ConversationStatus, MessageRole, Track, TurnState
from dialogue.services.conversations import TITLE_CHARS
from dialogue.turns.failures import failure_of
from tooling.api.fields import Body, PersonSerializer, SafeCharField, StrictBooleanField
from tooling.models.llm import CallOutcome
from tooling.models.toolcalls import ToolCallState
from tooling.tiers import Tier

CLIENT_KEY_CHARS = 120


class NewConversationSerializer(Body):
    """The body that begins a conversation."""

    track = SafeCharField(max_length=40, help_text=", ".join(Track.values))
    title = SafeCharField(max_length=TITLE_CHARS, required=False, allow_blank=True)
    language = SafeCharField(max_length=8, required=False)
    is_private = StrictBooleanField(required=False)


class ConversationChangeSerializer(Body):
    """The body that renames, archives or takes back; at least one field."""

    title = SafeCharField(max_length=TITLE_CHARS, required=False)
    archived = StrictBooleanField(required=False)


class NewMessageSerializer(Body):
    """The body of a send."""

    text = SafeCharField(max_length=settings.MESSAGE_MAX_CHARS)
    client_key = SafeCharField(
        max_length=CLIENT_KEY_CHARS,
        required=False,
        help_text="Sent again with the same key and text, nothing is stored twice.",
    )


class ConversationSerializer(serializers.Serializer[Any]):
    """A conversation, as the list shows it."""

    id = serializers.UUIDField()
    track = serializers.ChoiceField(choices=Track.values)
    title = serializers.CharField()
    status = serializers.ChoiceField(choices=ConversationStatus.values)
    language = serializers.CharField()
    is_private = serializers.BooleanField()
    archived = serializers.SerializerMethodField()
    created_by = PersonSerializer()
    parent = serializers.UUIDField(  # type: ignore[assignment]
        source="parent_id", allow_null=True
    )
    fork_seq = serializers.IntegerField(allow_null=True)
    last_seq = serializers.IntegerField(
        source="message_seq", help_text="The number of its last message."
    )
    created_at = serializers.DateTimeField()
    active_at = serializers.DateTimeField()
    completed_at = serializers.DateTimeField(allow_null=True)

    def get_archived(self, conversation: Any) -> bool:
        """Tell whether it is out of the list."""
        return conversation.archived_at is not None


class MessageSerializer(serializers.Serializer[Any]):
    """One message. `data` holds what its role needs: tool calls, results, cards."""

    id = serializers.UUIDField()
    seq = serializers.IntegerField()
    role = serializers.ChoiceField(choices=MessageRole.values)
    text = serializers.CharField()
    data = serializers.JSONField()  # type: ignore[assignment]
    author = PersonSerializer(allow_null=True)
    turn = serializers.UUIDField(source="turn_id", allow_null=True)
    attempt = serializers.IntegerField()
    client_key = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()


class CardSerializer(serializers.Serializer[Any]):
    """A row that a message names, as it is now."""

    kind = serializers.CharField()
    id = serializers.UUIDField()
    card = serializers.JSONField(help_text="What the card shows.")


class MessagesSerializer(serializers.Serializer[Any]):
    """Messages in order; `earlier` and `later` are numbers to ask on from."""

    items = MessageSerializer(many=True)
    cards = CardSerializer(many=True)
    earlier = serializers.IntegerField(
        allow_null=True, help_text="Pass it as `before` for what came before."
    )
    later = serializers.IntegerField(
        allow_null=True, help_text="Pass it as `after` for what comes after."
    )


class TurnErrorSerializer(serializers.Serializer[Any]):
    """Why a turn failed or was interrupted."""

    code = serializers.CharField(source="error_code")
    detail = serializers.SerializerMethodField(
        help_text="What happened and what to do, in the reader's language."
    )
    cause = serializers.CharField(
        source="error_detail", help_text="What the provider said; often empty."
    )

    def get_detail(self, turn: Any) -> str:
        """Return the sentence that the chat page shows."""
        return str(failure_of(turn.error_code))


class TurnSerializer(serializers.Serializer[Any]):
    """A turn."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField(source="conversation_id")
    human_message = serializers.UUIDField(source="human_message_id")
    state = serializers.ChoiceField(choices=TurnState.values)
    attempt = serializers.IntegerField()
    intent = serializers.CharField()
    error = serializers.SerializerMethodField()
    stop_requested_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(TurnErrorSerializer(allow_null=True))
    def get_error(self, turn: Any) -> dict[str, str] | None:
        """Return the error of a turn that has one."""
        if not turn.error_code:
            return None
        return dict(TurnErrorSerializer(turn).data)


class ToolCallSerializer(serializers.Serializer[Any]):
    """A call that the model asked for, with the verdict on it."""

    id = serializers.UUIDField()
    attempt = serializers.IntegerField()
    name = serializers.CharField()
    tier = serializers.CharField()
    arguments = serializers.JSONField()
    verdict = serializers.CharField()
    gate = serializers.CharField(help_text="The rule that decided.")
    basis = serializers.CharField(
        help_text="By what a write ran: intent, grant, run_once; else empty."
    )
    grant = serializers.UUIDField(
        source="grant_id", allow_null=True, help_text="The grant that paid for it."
    )
    held_call = serializers.UUIDField(
        source="held_call_id",
        allow_null=True,
        help_text="The held-back call that a person ran by hand.",
    )
    state = serializers.ChoiceField(choices=ToolCallState.values)
    result = serializers.JSONField(allow_null=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class TurnDetailSerializer(TurnSerializer):
    """A turn with its steps so far and the text that is not stored yet."""

    messages = MessageSerializer(many=True)
    tool_calls = ToolCallSerializer(many=True)
    reply = MessageSerializer(allow_null=True, help_text="The answer, once stored.")
    partial_text = serializers.CharField(help_text="Streamed and not stored yet.")


class SentSerializer(serializers.Serializer[Any]):
    """A stored message and its turn; `created` is false for a repetition."""

    message = MessageSerializer()
    turn = TurnSerializer()
    created = serializers.BooleanField()


class AnsweredSerializer(SentSerializer):
    """What a caller who waited gets: the turn has ended."""

    reply = MessageSerializer(allow_null=True)


class SpawnedSerializer(serializers.Serializer[Any]):
    """A row that came from the conversation; `is_open` marks what still waits."""

    kind = serializers.CharField()
    id = serializers.UUIDField()
    title = serializers.CharField()
    status = serializers.CharField()
    url = serializers.CharField()
    created_at = serializers.DateTimeField()
    origin_message = serializers.UUIDField(allow_null=True)
    is_open = serializers.BooleanField()


class CostSerializer(serializers.Serializer[Any]):
    """Sums of ledger rows; unpriced calls are counted apart, never as 0."""

    nano_usd = serializers.IntegerField()
    calls = serializers.IntegerField()
    unpriced_calls = serializers.IntegerField()
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()


class ConversationDetailSerializer(ConversationSerializer):
    """A conversation with its messages, what it spawned and what it cost."""

    messages = MessagesSerializer(source="messages_page")
    spawned = SpawnedSerializer(many=True)
    cost = CostSerializer()
    turns = TurnSerializer(
        source="waiting_turns", many=True, help_text="Queued and running turns."
    )


class CompletedSerializer(ConversationSerializer):
    """A completed conversation, and what stays open."""

    still_open = SpawnedSerializer(many=True)
    note = serializers.CharField(help_text="What stays open, in a sentence.")


class ModelCallSerializer(serializers.Serializer[Any]):
    """One row of the ledger."""

    id = serializers.UUIDField()
    turn = serializers.UUIDField(source="turn_id", allow_null=True)
    attempt = serializers.IntegerField()
    step = serializers.IntegerField()
    call_site = serializers.CharField()
    preset = serializers.CharField()
    backend = serializers.CharField()
    model = serializers.CharField()
    outcome = serializers.ChoiceField(choices=CallOutcome.values)
    error_code = serializers.CharField()
    fresh_tokens = serializers.IntegerField()
    cache_read_tokens = serializers.IntegerField()
    cache_write_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    reasoning_tokens = serializers.IntegerField()
    usage_reported = serializers.BooleanField()
    cost_nano_usd = serializers.IntegerField(allow_null=True)
    price_version = serializers.CharField()
    first_token_ms = serializers.IntegerField(allow_null=True)
    duration_ms = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()


class LedgerSerializer(serializers.Serializer[Any]):
    """The sums of a conversation and a page of the rows behind them."""

    sums = CostSerializer()
    items = ModelCallSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class ToolSerializer(serializers.Serializer[Any]):
    """A tool that is served to the model."""

    name = serializers.CharField()
    tier = serializers.ChoiceField(choices=Tier.values)
    description = serializers.CharField()
    schema = serializers.JSONField(help_text="JSON Schema of its arguments.")


class ToolsSerializer(serializers.Serializer[Any]):
    """The tools served, and whether writes run in this team."""

    items = ToolSerializer(many=True)
    write_tools_served = serializers.BooleanField()
    write_tools_run = serializers.BooleanField()
