"""A person makes a pending Mission, the older way: no draft, approved on its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dialogue.selectors import find_conversation
from missions.services.proposing_pending import raise_pending_mission
from missions.web.forms import ProposalForm
from missions.web.queries import key_in
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.policy import Act
from tooling.web.forms import show_error
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dialogue.models import Conversation
    from tooling.web.tenant import TenantRequest

# What a proposal may be and a pending Mission is not.
_OF_PROPOSALS = ("revises", "new_proposal")


@tenant_view(act=Act.RAISE)
@require_http_methods(["GET", "HEAD", "POST"])
def make(request: TenantRequest) -> HttpResponse:
    """Show the form, and make what it says: twice the same is one."""
    conversation = _conversation(request)
    form = ProposalForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = raise_pending_mission(
                principal=request.principal,
                conversation_id=conversation.pk if conversation else None,
                now=timezone.now(),
                **{k: v for k, v in form.proposal().items() if k not in _OF_PROPOSALS},
            )
        except (NotFound, NotAllowed):
            raise
        except DomainError as error:
            show_error(form, error)
        else:
            text = _("Created. It waits for a person's approval now.")
            messages.success(request, text)
            return redirect("missions:mission", request.tenant.slug, made.mission.pk)
    context = {"form": form, "conversation": conversation}
    return render(request, "missions/pending.html", context)


def _conversation(request: TenantRequest) -> Conversation | None:
    key = key_in(request, "conversation")
    if key is None:
        return None
    return find_conversation(principal=request.principal, conversation_id=key)
