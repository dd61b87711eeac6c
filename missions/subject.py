"""The subject “mission” of the Decisions queue: schema, effect, links, detail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from decisions.kinds import (
    APPROVAL_OPTIONS,
    EditableList,
    EffectLine,
    Link,
    RequestSubject,
    Summary,
)
from decisions.models import AttentionRequest, RequestKind
from missions.models import Mission, Priority, WorkflowDraft
from missions.specification import MissionSpec, WrongShape
from missions.workflow.graph import Graph, build_graph, parse_graph
from missions.workflow.picture import draw_graph, kind_label
from tooling.boundary import check_json, payload_hash

SUBJECT = "mission"
DETAIL_TEMPLATE = "missions/subject_detail.html"


def make_payload(spec: MissionSpec, graph: Graph) -> dict[str, Any]:
    """Return the payload that is hashed, shown and approved."""
    return {"mission": spec.to_payload(), "workflow": {"graph": graph.to_json()}}


def check_payload(payload: Any) -> dict[str, Any]:
    """Return the canonical payload, or raise `InvalidInput`.

    Applied to what a person edits, too: the same rules as for a proposal.
    """
    check_json(payload)
    if not isinstance(payload, Mapping) or set(payload) != {"mission", "workflow"}:
        raise WrongShape
    workflow = payload["workflow"]
    if not isinstance(workflow, Mapping) or set(workflow) != {"graph"}:
        raise WrongShape(field="workflow")
    spec = MissionSpec.from_payload(payload["mission"])
    graph = parse_graph(workflow["graph"])
    if not graph.placeholder:
        graph = build_graph(workflow["graph"])
    return make_payload(spec, graph)


def title_of(payload: Mapping[str, Any]) -> str:
    """Return the title of a proposal."""
    return str(payload["mission"]["title"])


def summarise(payload: Mapping[str, Any]) -> Summary:
    """Return a proposal in short, for lists and cards."""
    mission, steps = payload["mission"], payload["workflow"]["graph"]["steps"]
    tasks, criteria = len(mission["tasks"]), len(mission["acceptance_criteria"])
    facts = [
        ngettext("%(count)s task", "%(count)s tasks", tasks) % {"count": tasks},
        ngettext("%(count)s criterion", "%(count)s criteria", criteria)
        % {"count": criteria},
        ngettext("%(count)s step", "%(count)s steps", len(steps))
        % {"count": len(steps)},
    ]
    return Summary(text=str(mission["objective"]), facts=tuple(facts))


def effect(payload: Mapping[str, Any]) -> list[EffectLine]:
    """Return what *Approve and create* does and does not do."""
    mission, graph = payload["mission"], payload["workflow"]["graph"]
    tasks, criteria = mission["tasks"], mission["acceptance_criteria"]
    created = _("The Mission “%(title)s” is created, with the status ready.")
    lines = [
        EffectLine(created % {"title": mission["title"]}),
        EffectLine(_tasks_line(len(tasks))),
    ]
    if criteria:
        sentence = ngettext(
            "It is measured by %(count)s acceptance criterion.",
            "It is measured by %(count)s acceptance criteria.",
            len(criteria),
        )
        lines.append(EffectLine(sentence % {"count": len(criteria)}))
    priority = _("Its priority is %(priority)s.")
    label = str(Priority(mission["priority"]).label).lower()
    lines.append(EffectLine(priority % {"priority": label}))
    lines += [
        EffectLine(_("No work starts by itself."), negative=True),
        EffectLine(_draft_line(graph), negative=True),
        EffectLine(_("The draft is not attached to the Mission."), negative=True),
    ]
    return lines


def _tasks_line(count: int) -> str:
    if not count:
        return _("It has no tasks yet.")
    sentence = ngettext(
        "%(count)s task is created with it, to do.",
        "%(count)s tasks are created with it, to do.",
        count,
    )
    return sentence % {"count": count}


def _draft_line(graph: Mapping[str, Any]) -> str:
    if graph["placeholder"]:
        return _(
            "The workflow draft is not published; it is a placeholder that somebody "
            "must complete first."
        )
    count = len(graph["steps"])
    sentence = ngettext(
        "The workflow draft (%(count)s step) is not published.",
        "The workflow draft (%(count)s steps) is not published.",
        count,
    )
    return sentence % {"count": count}


def links(request: AttentionRequest) -> list[Link]:
    """Return the ways to the draft, the Mission and the conversation."""
    slug = request.tenant.slug
    found = []
    draft = WorkflowDraft.objects.filter(source_request=request).first()
    if draft is not None:
        url = reverse("missions:draft", args=[slug, draft.pk])
        found.append(Link(_("Workflow draft"), url, "draft"))
    mission = Mission.objects.filter(source_request=request).first()
    if mission is not None:
        url = reverse("missions:mission", args=[slug, mission.pk])
        found.append(Link(_("Mission"), url, "mission"))
    return found


def detail_context(request: AttentionRequest) -> dict[str, Any]:
    """Return what the detail template shows beside the payload."""
    graph = parse_graph(request.payload["workflow"]["graph"])
    draft = WorkflowDraft.objects.filter(source_request=request).first()
    names = {step.id: step.title for step in graph.steps}
    return {
        "graph": graph,
        "steps": [
            {
                "title": step.title,
                "kind": kind_label(step.kind),
                "after": [names.get(name, name) for name in step.after],
            }
            for step in graph.steps
        ],
        "picture": draw_graph(graph, title=request.title, name=f"flow-{request.pk}"),
        "draft": draft,
        "draft_edited": draft is not None and is_edited(draft, request),
        "draft_url": (
            reverse("missions:draft", args=[request.tenant.slug, draft.pk])
            if draft
            else ""
        ),
        "priority": Priority(request.payload["mission"]["priority"]).label,
    }


def is_edited(draft: WorkflowDraft, request: AttentionRequest) -> bool:
    """Tell whether a draft differs from the graph that the request shows."""
    return draft.content_hash != payload_hash(request.payload["workflow"]["graph"])


LABELS = {
    "mission": gettext_lazy("Mission"),
    "mission.title": gettext_lazy("Title"),
    "mission.objective": gettext_lazy("Objective"),
    "mission.tasks": gettext_lazy("Tasks"),
    "mission.tasks.title": gettext_lazy("Title"),
    "mission.tasks.detail": gettext_lazy("Detail"),
    "mission.acceptance_criteria": gettext_lazy("Acceptance criteria"),
    "mission.priority": gettext_lazy("Priority"),
    "workflow": gettext_lazy("Workflow draft"),
    "workflow.graph": gettext_lazy("Steps"),
    "workflow.graph.placeholder": gettext_lazy("Placeholder"),
    "workflow.graph.steps": gettext_lazy("Steps"),
    "workflow.graph.steps.id": gettext_lazy("Id"),
    "workflow.graph.steps.title": gettext_lazy("Title"),
    "workflow.graph.steps.kind": gettext_lazy("Kind"),
    "workflow.graph.steps.after": gettext_lazy("After"),
}


LISTS = {
    "mission.tasks": EditableList(
        gettext_lazy("Task"),
        gettext_lazy("Add a task"),
        {"title": "", "detail": ""},
        tall=("detail",),
    ),
    "mission.acceptance_criteria": EditableList(
        gettext_lazy("Criterion"), gettext_lazy("Add a criterion")
    ),
}


def mission_subject(**hooks: Any) -> RequestSubject:
    """Return the subject; `hooks` are what services above it add."""
    return RequestSubject(
        name=SUBJECT,
        kind=RequestKind.APPROVAL,
        options=APPROVAL_OPTIONS,
        check_payload=check_payload,
        title_of=title_of,
        effect=effect,
        summarise=summarise,
        links=links,
        detail_template=DETAIL_TEMPLATE,
        detail_context=detail_context,
        labels=LABELS,
        lists=LISTS,
        **hooks,
    )
