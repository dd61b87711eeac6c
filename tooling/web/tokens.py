"""Personal tokens: list, create, revoke. A secret is shown exactly once."""

from __future__ import annotations

import shlex
import uuid
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tooling.errors import DomainError
from tooling.policy import Act, Scope
from tooling.selectors import tokens_of
from tooling.services.tokens import AlreadyIssued, Issued, issue_token, revoke_token
from tooling.web.forms import TokenForm, show_error
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest


@tenant_view(act=Act.TOKENS)
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: TenantRequest) -> HttpResponse:
    """List the person's tokens in this team, and create one."""
    form = TokenForm(request.POST or None, role=request.membership.role)
    issued: Issued | None = None
    if request.method == "POST" and form.is_valid():
        try:
            issued = issue_token(
                principal=request.principal, now=timezone.now(), **form.cleaned_data
            )
        except AlreadyIssued as error:
            messages.warning(request, str(error))
            return redirect("tooling:tokens", request.tenant.slug)
        except DomainError as error:
            show_error(form, error)
    return _page(request, form, issued)


def _page(
    request: TenantRequest, form: TokenForm, issued: Issued | None
) -> HttpResponse:
    labels = dict(Scope.choices)
    rows = [
        {"token": token, "scopes": [labels.get(each, each) for each in token.scopes]}
        for token in tokens_of(principal=request.principal)
    ]
    context = {
        "form": TokenForm(role=request.membership.role) if issued else form,
        "rows": rows,
        "now": timezone.now(),
        "issued": issued,
        "curl": _curl(request, issued) if issued else "",
        "tab": "tokens",
    }
    return render(request, "tooling/tokens.html", context)


def _curl(request: TenantRequest, issued: Issued) -> str:
    path = f"/api/v1/t/{request.tenant.slug}/conversations"
    address = shlex.quote(request.build_absolute_uri(path))
    return f"curl -H 'Authorization: Bearer {issued.secret}' {address}"


@tenant_view(act=Act.TOKENS)
@require_POST
def revoke(request: TenantRequest, token_id: uuid.UUID) -> HttpResponse:
    """End one of the person's tokens."""
    token = revoke_token(
        principal=request.principal, token_id=token_id, now=timezone.now()
    )
    messages.success(request, _("The token %s is revoked.") % token.name)
    return redirect("tooling:tokens", request.tenant.slug)
