"""A person raises a proposal: the same one that a model would, without the switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dialogue.selectors import find_conversation
from missions.selectors import find_suggestion, revisable_requests
from missions.services.proposing import raise_proposal
from missions.web.forms import ProposalForm
from missions.web.queries import key_in
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.policy import Act
from tooling.web.forms import show_error
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    import uuid

    from django.http import HttpResponse

    from dialogue.models import Conversation
    from missions.models import MissionSuggestionRecord
    from missions.services.proposing import Proposed
    from tooling.web.tenant import TenantRequest


@tenant_view(act=Act.RAISE)
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: TenantRequest) -> HttpResponse:
    """Show the form and raise what it says."""
    suggestion = _suggestion(request)
    conversation = _conversation(request, suggestion)
    form = ProposalForm(
        request.POST if request.method == "POST" else None,
        initial=_initial(suggestion),
        revisable=_revisable(request, conversation),
    )
    if request.method == "POST" and form.is_valid():
        try:
            raised = raise_proposal(
                principal=request.principal,
                conversation_id=conversation.pk if conversation else None,
                suggestion_id=suggestion.pk if suggestion else None,
                now=timezone.now(),
                **form.proposal(),
            )
        except (NotFound, NotAllowed):
            raise
        except DomainError as error:
            show_error(form, error)
        else:
            return _raised(request, raised)
    context = {"form": form, "conversation": conversation, "suggestion": suggestion}
    return render(request, "missions/propose.html", context)


def _raised(request: TenantRequest, raised: Proposed) -> HttpResponse:
    if raised.created:
        messages.success(request, _("Proposed. It waits for a decision now."))
    else:
        messages.info(request, _("This stands in the Decisions queue already."))
    slug = request.tenant.slug
    if raised.request.origin_conversation is not None:
        return redirect("dialogue:chat", slug, raised.request.origin_conversation)
    return redirect("decisions:request", slug, raised.request.pk)


def _suggestion(request: TenantRequest) -> MissionSuggestionRecord | None:
    key = key_in(request, "suggestion")
    if key is None:
        return None
    return find_suggestion(principal=request.principal, suggestion_id=key)


def _conversation(
    request: TenantRequest, suggestion: MissionSuggestionRecord | None
) -> Conversation | None:
    key = suggestion.origin_conversation if suggestion else None
    key = key or key_in(request, "conversation")
    if key is None:
        return None
    return find_conversation(principal=request.principal, conversation_id=key)


def _initial(suggestion: MissionSuggestionRecord | None) -> dict[str, Any]:
    if suggestion is None:
        return {}
    return {"title": suggestion.title, "objective": suggestion.text}


def _revisable(
    request: TenantRequest, conversation: Conversation | None
) -> list[tuple[uuid.UUID, str]]:
    if conversation is None:
        return []
    rows = revisable_requests(
        tenant_id=request.principal.tenant_id, conversation_id=conversation.pk
    )
    return [(row.pk, row.title) for row in rows[:20]]
