"""A person raises a proposal: the same one that a model would, without the switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dialogue.selectors import find_conversation
from missions.selectors import find_suggestion, revisable_requests
from missions.services.proposing import raise_proposal
from missions.web.forms import ProposalForm
from missions.web.queries import key_in
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.ids import new_id
from tooling.policy import Act
from tooling.services.forms import do_once
from tooling.web.forms import show_error
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    import uuid

    from django.http import HttpResponse

    from dialogue.models import Conversation
    from missions.models import MissionSuggestionRecord
    from missions.services.proposing import Proposed
    from tooling.web.tenant import TenantRequest

_NOT_CONTENT = ("csrfmiddlewaretoken", "form_key")


class _BadForm(Exception):
    """A form that says nothing to be raised."""


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
    if request.method == "POST":
        try:
            return redirect(_raise(request, form, conversation, suggestion))
        except _BadForm:
            pass  # The form says what is wrong with it.
        except (NotFound, NotAllowed):
            raise
        except DomainError as error:
            show_error(form, error)
    context = {
        "form": form,
        "form_key": new_id().hex,
        "conversation": conversation,
        "suggestion": suggestion,
    }
    return render(request, "missions/propose.html", context)


def _raise(
    request: TenantRequest,
    form: ProposalForm,
    conversation: Conversation | None,
    suggestion: MissionSuggestionRecord | None,
) -> str:
    """Raise the proposal, once for the form; return where it leads."""
    now = timezone.now()
    is_valid, stood_before = form.is_valid(), False

    def work() -> str:
        # Judged only now: what the first of two twins did is no fault of the second.
        if not is_valid:
            raise _BadForm
        nonlocal stood_before
        raised = raise_proposal(
            principal=request.principal,
            conversation_id=conversation.pk if conversation else None,
            suggestion_id=suggestion.pk if suggestion else None,
            now=now,
            **form.proposal(),
        )
        stood_before = not raised.created
        return _page_of(request.tenant.slug, raised)

    sent = {n: v for n, v in request.POST.items() if n not in _NOT_CONTENT}
    address = do_once(
        principal=request.principal,
        key=request.POST.get("form_key", ""),
        content=sent,
        work=work,
        now=now,
    )
    if stood_before:
        messages.info(request, _("This stands in the Decisions queue already."))
    else:
        messages.success(request, _("Proposed. It waits for a decision now."))
    return address


def _page_of(slug: str, raised: Proposed) -> str:
    origin = raised.request.origin_conversation
    if origin is not None:
        return reverse("dialogue:chat", args=[slug, origin])
    return reverse("decisions:request", args=[slug, raised.request.pk])


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
