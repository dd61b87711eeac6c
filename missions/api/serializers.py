"""How Missions, workflows, suggestions and proposals look from outside."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from decisions.cards import state_code
from missions.models import (
    MissionStatus,
    Priority,
    SuggestionReason,
    SuggestionStatus,
    TaskStatus,
)
from missions.services.pending import content_hash
from missions.services.suggestions import SWITCH_SETTING
from missions.specification import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_DETAIL,
    MAX_OBJECTIVE,
    MAX_TASKS,
    MAX_TITLE,
)
from missions.workflow.graph import KINDS, MAX_ID, MAX_STEPS
from tooling.api.fields import Body, PersonSerializer, SafeCharField, StrictBooleanField

MAKERS = ("model", "human")


class TaskBody(Body):
    """A part of the work."""

    title = SafeCharField(max_length=MAX_TITLE)
    detail = SafeCharField(max_length=MAX_DETAIL, required=False, allow_blank=True)


class StepBody(Body):
    """A step; `after` names the ids of the steps that come before."""

    id = SafeCharField(max_length=MAX_ID, allow_blank=True)
    title = SafeCharField(max_length=MAX_TITLE, allow_blank=True)
    kind = serializers.ChoiceField(choices=KINDS, required=False)
    after = serializers.ListField(
        child=SafeCharField(max_length=MAX_ID), max_length=MAX_STEPS, required=False
    )


class PlanBody(Body):
    """The steps of a proposal's workflow."""

    steps = serializers.ListField(child=StepBody(), max_length=MAX_STEPS)


class ProposalBody(Body):
    """A proposal, as a model would raise it."""

    title = SafeCharField(max_length=MAX_TITLE)
    objective = SafeCharField(max_length=MAX_OBJECTIVE)
    tasks = serializers.ListField(
        child=TaskBody(), max_length=MAX_TASKS, required=False
    )
    acceptance_criteria = serializers.ListField(
        child=SafeCharField(max_length=MAX_CRITERION),
        max_length=MAX_CRITERIA,
        required=False,
    )
    priority = serializers.ChoiceField(choices=Priority.values, required=False)
    plan = PlanBody(required=False, allow_null=True)
    conversation_id = serializers.UUIDField(required=False, allow_null=True)
    suggestion_id = serializers.UUIDField(required=False, allow_null=True)
    revises = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="Unset: the only one of the conversation that asked for changes.",
    )
    new_proposal = StrictBooleanField(
        required=False, help_text="True: never a revision."
    )


class PendingBody(Body):
    """A Mission that waits for a person's approval."""

    title = SafeCharField(max_length=MAX_TITLE)
    objective = SafeCharField(max_length=MAX_OBJECTIVE)
    tasks = serializers.ListField(
        child=TaskBody(), max_length=MAX_TASKS, required=False
    )
    acceptance_criteria = serializers.ListField(
        child=SafeCharField(max_length=MAX_CRITERION),
        max_length=MAX_CRITERIA,
        required=False,
    )
    priority = serializers.ChoiceField(choices=Priority.values, required=False)
    conversation_id = serializers.UUIDField(required=False, allow_null=True)


class SettleBody(Body):
    """A person's answer to a pending Mission, on what they read."""

    choice = serializers.ChoiceField(choices=["approve", "refuse"])
    content_hash = SafeCharField(
        max_length=64, help_text="As the Mission was read with."
    )


class DraftBody(Body):
    """An edit of a draft: title and steps as they shall be."""

    edit_version = serializers.IntegerField(min_value=1)
    title = SafeCharField(max_length=MAX_TITLE)
    steps = serializers.ListField(child=StepBody(), max_length=MAX_STEPS)
    placeholder = StrictBooleanField(required=False)


class PublishBody(Body):
    """The draft's version that is to be published."""

    edit_version = serializers.IntegerField(min_value=1)


class TaskSerializer(serializers.Serializer[Any]):
    """A part of a Mission."""

    id = serializers.UUIDField()
    position = serializers.IntegerField()
    title = serializers.CharField()
    detail = serializers.CharField()
    outcome = serializers.CharField()
    status = serializers.ChoiceField(choices=TaskStatus.values)


class MissionSerializer(serializers.Serializer[Any]):
    """A Mission, as the list shows it."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    objective = serializers.CharField()
    acceptance_criteria = serializers.ListField(child=serializers.CharField())
    status = serializers.ChoiceField(choices=MissionStatus.values)
    priority = serializers.ChoiceField(choices=Priority.values)
    source_request = serializers.UUIDField(source="source_request_id", allow_null=True)
    maker_kind = serializers.ChoiceField(choices=MAKERS)
    origin_conversation = serializers.UUIDField(allow_null=True)
    origin_message = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()


class MissionDetailSerializer(MissionSerializer):
    """A Mission with its tasks."""

    created_by = PersonSerializer()
    payload_hash = serializers.CharField(
        help_text="Of what was approved or made pending."
    )
    tasks = TaskSerializer(many=True, source="task_rows")
    content_hash = serializers.SerializerMethodField(
        help_text="Of what it says now; settling a pending Mission names it."
    )

    def get_content_hash(self, mission: Any) -> str:
        """Return the fingerprint that settling compares."""
        return content_hash(mission)


class TaskResultSerializer(serializers.Serializer[Any]):
    """What came of one task."""

    title = serializers.CharField()
    status = serializers.ChoiceField(choices=TaskStatus.values)
    outcome = serializers.CharField()


class ResultsSerializer(serializers.Serializer[Any]):
    """What came of a Mission: nothing partial of one that is not over."""

    status = serializers.ChoiceField(choices=MissionStatus.values)
    finished = serializers.BooleanField()
    results = TaskResultSerializer(many=True)


class WorkflowSerializer(serializers.Serializer[Any]):
    """A workflow draft, as the list shows it."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    placeholder = serializers.BooleanField(source="is_placeholder")
    edit_version = serializers.IntegerField()
    content_hash = serializers.CharField()
    source_request = serializers.UUIDField(source="source_request_id", allow_null=True)
    origin_conversation = serializers.UUIDField(allow_null=True)
    versions = serializers.IntegerField(source="version_count")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ProblemSerializer(serializers.Serializer[Any]):
    """One reason why a draft may not be published."""

    code = serializers.CharField()
    message = serializers.CharField()
    step = serializers.CharField()


class StepSerializer(serializers.Serializer[Any]):
    """A step of a workflow."""

    id = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    after = serializers.ListField(child=serializers.CharField())


class VersionSerializer(serializers.Serializer[Any]):
    """A published version: it never changes."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    steps = StepSerializer(source="graph.steps", many=True)
    content_hash = serializers.CharField()
    published_by = PersonSerializer()
    published_at = serializers.DateTimeField()


class WorkflowDetailSerializer(WorkflowSerializer):
    """A workflow draft with its steps and what keeps it unpublished."""

    steps = StepSerializer(source="graph.steps", many=True)
    problems = ProblemSerializer(many=True)
    published = VersionSerializer(many=True)


class PublishedSerializer(serializers.Serializer[Any]):
    """What came of publishing."""

    created = serializers.BooleanField()
    version = VersionSerializer()


class SuggestionSerializer(serializers.Serializer[Any]):
    """An idea that reached no proposal."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    text = serializers.CharField()
    status = serializers.ChoiceField(choices=SuggestionStatus.values)
    reason = serializers.ChoiceField(choices=SuggestionReason.values)
    setting = serializers.SerializerMethodField(
        help_text="The setting that keeps proposing off, where that is the reason."
    )
    tool = serializers.CharField()
    arguments = serializers.JSONField()
    origin_conversation = serializers.UUIDField()
    origin_message = serializers.UUIDField()
    origin_turn = serializers.UUIDField()
    created_at = serializers.DateTimeField()

    def get_setting(self, suggestion: Any) -> str:
        """Name the switch."""
        off = suggestion.reason == SuggestionReason.SWITCH_OFF
        return SWITCH_SETTING if off else ""


class ProposedSerializer(serializers.Serializer[Any]):
    """The request in the Decisions queue, and its draft."""

    created = serializers.BooleanField()
    request_id = serializers.UUIDField(source="request.id")
    status = serializers.SerializerMethodField()
    title = serializers.CharField(source="request.title")
    revision = serializers.IntegerField(source="request.revision")
    payload_hash = serializers.CharField(source="request.payload_hash")
    workflow_id = serializers.UUIDField(source="draft.id")
    placeholder = serializers.BooleanField(source="draft.is_placeholder")

    def get_status(self, proposed: Any) -> str:
        """Say in a word where the request stands."""
        return state_code(proposed.request, None)
