"""How requests look from outside, field by field."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from decisions.models import MAX_OPTION_CHARS, RequestKind, RequestState
from decisions.questions import MAX_OPTIONS, MAX_TEXT, MAX_TITLE, MIN_OPTIONS
from decisions.services.deciding import MAX_NOTE_CHARS
from tooling.api.fields import Body, PersonSerializer, SafeCharField

_HASH = re.compile("[0-9a-f]{64}", re.ASCII)


class PayloadHashField(SafeCharField):
    """The hash of a payload; anything else names no content that ever was."""

    default_error_messages: ClassVar = {
        "malformed_hash": _(
            "This is no payload hash. Send payload_hash as the request shows it: 64 "
            "hexadecimal digits in lower case."
        ),
    }

    def to_internal_value(self, data: Any) -> str:
        """Return the hash as it was sent."""
        value: str = super().to_internal_value(data)
        if not _HASH.fullmatch(value):
            self.fail("malformed_hash")
        return value


class ShownBody(Body):
    """What a page or client had before it: `If-Match` may say the same instead."""

    revision = serializers.IntegerField(required=False, min_value=1)
    payload_hash = PayloadHashField(max_length=64, required=False)


class DecisionBody(ShownBody):
    """A choice. `option` is one of the request's options, letter for letter."""

    option = serializers.JSONField(help_text="One of the request's `options`.")
    note = SafeCharField(max_length=MAX_NOTE_CHARS, required=False, allow_blank=True)


class QuestionBody(Body):
    """A question for the people who decide, with its own answers."""

    title = SafeCharField(max_length=MAX_TITLE)
    question = SafeCharField(max_length=MAX_TEXT)
    options = serializers.ListField(
        child=SafeCharField(max_length=MAX_OPTION_CHARS),
        min_length=MIN_OPTIONS,
        max_length=MAX_OPTIONS,
    )
    conversation_id = serializers.UUIDField(required=False, allow_null=True)


class RevisionBody(ShownBody):
    """An operator's edit: the whole payload as it shall be."""

    payload = serializers.JSONField()


class EmptyBody(Body):
    """A body without fields."""


class LinkSerializer(serializers.Serializer[Any]):
    """A way to a row's page."""

    label = serializers.CharField()  # type: ignore[assignment]
    url = serializers.CharField()
    kind = serializers.CharField()


class OptionSerializer(serializers.Serializer[Any]):
    """An option: the identifier to send, and what the reader calls it."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class EffectSerializer(serializers.Serializer[Any]):
    """What an approval does, or (`negative`) does not do."""

    text = serializers.CharField()
    negative = serializers.BooleanField()


class AftermathSerializer(serializers.Serializer[Any]):
    """What followed an approval."""

    state = serializers.ChoiceField(choices=["waiting", "erring", "blocked", "created"])
    text = serializers.CharField()
    advice = serializers.CharField()
    links = LinkSerializer(many=True)


class ResolutionSerializer(serializers.Serializer[Any]):
    """The choice that settled a request."""

    option = serializers.CharField()
    note = serializers.CharField()
    decided_by = PersonSerializer()
    revision = serializers.IntegerField()
    payload_hash = serializers.CharField()
    decided_at = serializers.DateTimeField(source="created_at")


class RequestSerializer(serializers.Serializer[Any]):
    """A request, as the queue lists it."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=RequestKind.values)
    subject = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=RequestState.values)
    resolved_option = serializers.CharField(help_text="Empty until it is resolved.")
    revision = serializers.IntegerField()
    proposal_id = serializers.UUIDField(help_text="The same for all its revisions.")
    payload_hash = serializers.CharField()
    requested_by = PersonSerializer()
    maker_kind = serializers.ChoiceField(choices=["model", "human"])
    origin_conversation = serializers.UUIDField(allow_null=True)
    origin_message = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)


class RevisionSerializer(serializers.Serializer[Any]):
    """One revision of the proposal."""

    id = serializers.UUIDField(source="request.id")
    revision = serializers.IntegerField(source="request.revision")
    state = serializers.CharField(source="request.state")
    note = serializers.CharField()


class RequestDetailSerializer(RequestSerializer):
    """A request with all that a person needs in order to decide."""

    status = serializers.CharField(help_text="Where it stands, in one word.")
    status_label = serializers.CharField(help_text="The same for the reader.")
    payload = serializers.JSONField()
    options = OptionSerializer(many=True)
    effect = EffectSerializer(many=True)
    resolution = ResolutionSerializer(allow_null=True)
    aftermath = AftermathSerializer(allow_null=True)
    links = LinkSerializer(many=True)
    revisions = RevisionSerializer(many=True)


class DecidedSerializer(serializers.Serializer[Any]):
    """What came of a decision."""

    outcome = serializers.ChoiceField(choices=["won", "same"])
    request = RequestDetailSerializer()
