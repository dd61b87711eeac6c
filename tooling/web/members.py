"""Who is in the team. Everybody may look; admins add, change and remove."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tooling.errors import DomainError
from tooling.policy import Act, allows
from tooling.roles import Role
from tooling.selectors import members_of
from tooling.services.members import (
    Added,
    add_member,
    change_role,
    new_password_link,
    remove_member,
)
from tooling.web.forms import MemberForm, show_error
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest


@tenant_view()
@require_safe
def members(request: TenantRequest) -> HttpResponse:
    """List the members, with what an admin may do with each."""
    return _page(request, MemberForm())


@tenant_view(act=Act.MEMBERS)
@require_POST
def add(request: TenantRequest) -> HttpResponse:
    """Add somebody by e-mail; who is new gets a one-time link, shown here once."""
    form = MemberForm(request.POST)
    added: Added | None = None
    if form.is_valid():
        try:
            added = add_member(
                principal=request.principal,
                language=translation.get_language(),
                link_to=request.build_absolute_uri,
                now=timezone.now(),
                **form.cleaned_data,
            )
        except DomainError as error:
            show_error(form, error)
    if added is not None and not added.link:
        facts = {"email": added.membership.user.email}
        messages.success(request, _("%(email)s is in the team now.") % facts)
        return redirect("tooling:members", request.tenant.slug)
    return _page(request, MemberForm() if added else form, added)


@tenant_view(act=Act.MEMBERS)
@require_POST
def role(request: TenantRequest, membership_id: uuid.UUID) -> HttpResponse:
    """Change a member's role."""
    try:
        changed = change_role(
            principal=request.principal,
            membership_id=membership_id,
            role=request.POST.get("role", ""),
        )
    except DomainError as error:
        return _refused(request, error)
    facts = {"name": str(changed.user), "role": changed.get_role_display()}
    messages.success(request, _("%(name)s: %(role)s.") % facts)
    return redirect("tooling:members", request.tenant.slug)


@tenant_view(act=Act.MEMBERS)
@require_POST
def remove(request: TenantRequest, membership_id: uuid.UUID) -> HttpResponse:
    """Take a member out."""
    try:
        user = remove_member(
            principal=request.principal,
            membership_id=membership_id,
            now=timezone.now(),
        )
    except DomainError as error:
        return _refused(request, error)
    messages.success(request, _("%s is no longer in the team.") % user)
    return redirect("tooling:members", request.tenant.slug)


@tenant_view(act=Act.MEMBERS)
@require_POST
def link(request: TenantRequest, membership_id: uuid.UUID) -> HttpResponse:
    """Show a fresh one-time link for who has not chosen a password yet."""
    try:
        added = new_password_link(
            principal=request.principal,
            membership_id=membership_id,
            link_to=request.build_absolute_uri,
        )
    except DomainError as error:
        return _refused(request, error)
    return _page(request, MemberForm(), added)


def _refused(request: TenantRequest, error: DomainError) -> HttpResponse:
    """Say a conflict or a bad value on the list; foreign ids stay 404."""
    if error.code == "not_found":
        raise error
    messages.error(request, str(error))
    return redirect("tooling:members", request.tenant.slug)


def _page(
    request: TenantRequest, form: MemberForm, added: Added | None = None
) -> HttpResponse:
    context = {
        "members": members_of(principal=request.principal),
        "may_manage": allows(request.principal, Act.MEMBERS),
        "roles": Role.choices,
        "form": form,
        "added": added,
        "tab": "members",
    }
    return render(request, "tooling/members.html", context)
