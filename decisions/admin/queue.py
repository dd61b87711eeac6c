"""The queue and the decision page: the one admin page on which somebody decides."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.db.models import Case, F, When
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from decisions.admin.forms import EditForm, shown_by
from decisions.cards import state_code, state_label
from decisions.kinds import ApprovalOption
from decisions.models import AttentionRequest, RequestKind, RequestState
from decisions.presenting import chat_page, present
from decisions.selectors import (
    deciding_memberships,
    next_waiting,
    waiting_for_user,
)
from decisions.services.deciding import Decided, decide
from decisions.services.editing import edit_request
from decisions.services.following import retry_followup
from tooling.admin.base import ReadOnlyAdmin, TenantFilter
from tooling.errors import DomainError
from tooling.models import User
from tooling.policy import Principal
from tooling.selectors import session_principal
from tooling.visible import show_hidden

_OPEN_FIRST = Case(When(state=RequestState.OPEN, then=0), default=1)
_OPEN_BY_AGE = Case(When(state=RequestState.OPEN, then=F("created_at")))


@admin.register(AttentionRequest)
class DecisionAdmin(ReadOnlyAdmin[AttentionRequest]):
    """Open requests first, the longest waiting one on top; a page to decide each."""

    list_display = (
        "heading",
        "kind",
        "standing",
        "waits",
        "team",
        "asked_by",
        "came_from",
    )
    list_filter = ("state", "kind", TenantFilter)
    list_select_related = ("tenant", "requested_by")
    search_fields = ("title",)
    ordering = (_OPEN_FIRST, _OPEN_BY_AGE, "-created_at")
    sortable_by: ClassVar[tuple[str, ...]] = ()

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Leave the team out for whoever has one only."""
        if len(self.tenant_ids(request)) > 1:
            return self.list_display
        return tuple(name for name in self.list_display if name != "team")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the queue under its name."""
        context = {"title": self.opts.verbose_name_plural, **(extra_context or {})}
        context["title"] = capfirst(context["title"])
        return super().changelist_view(request, context)

    @admin.display(description=gettext_lazy("title"))
    def heading(self, row: AttentionRequest) -> str:
        """Return the title with nothing hidden in it."""
        return show_hidden(row.title)

    @admin.display(description=gettext_lazy("state"))
    def standing(self, row: AttentionRequest) -> str:
        """Return the state in words, with its colour."""
        code = state_code(row, None)
        return format_html(
            '<span class="standing standing--{}">{}</span>', code, state_label(code)
        )

    @admin.display(description=gettext_lazy("since"))
    def waits(self, row: AttentionRequest) -> str:
        """Return how long ago it was raised."""
        waited = timezone.now() - row.created_at
        if waited < dt.timedelta(minutes=1):
            return _("just now")
        return timesince(row.created_at, depth=1)

    @admin.display(description=gettext_lazy("team"))
    def team(self, row: AttentionRequest) -> str:
        """Return the tenant's name."""
        return row.tenant.name

    @admin.display(description=gettext_lazy("asked by"))
    def asked_by(self, row: AttentionRequest) -> str:
        """Return whose idea it is."""
        return str(row.requested_by)

    @admin.display(description=gettext_lazy("from"))
    def came_from(self, row: AttentionRequest) -> str:
        """Return a link to the conversation."""
        if row.origin_conversation is None:
            return "–"
        return format_html('<a href="{}">{}</a>', chat_page(row), _("Conversation"))

    class Media:
        css: ClassVar[dict[str, tuple[str, ...]]] = {
            "all": ("decisions/review.css",),
        }

    def nav_badge(self, request: HttpRequest) -> int:
        """Return how many requests wait for this person."""
        return waiting_for_user(user=cast("User", request.user))

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that act on one request."""
        wrap = self.admin_site.admin_view
        own = [
            path(
                "<uuid:object_id>/retry/",
                wrap(require_POST(self.retry_view)),
                name="decisions_attentionrequest_retry",
            ),
            path(
                "<uuid:object_id>/state/",
                wrap(require_safe(self.state_view)),
                name="decisions_attentionrequest_state",
            ),
            path(
                "<uuid:object_id>/edit/",
                wrap(require_http_methods(["GET", "HEAD", "POST"])(self.edit_view)),
                name="decisions_attentionrequest_edit",
            ),
        ]
        return own + super().get_urls()

    # --- one request -----------------------------------------------------------------

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a request and, by POST alone, decide on it."""
        row, principal = self._find(request, object_id)
        if request.method != "POST":
            return self._page(request, row, principal)
        option = request.POST.get("option", "")
        note = request.POST.get("note", "")
        try:
            revision, digest = shown_by(request.POST)
            decided = decide(
                principal=principal,
                request_id=row.pk,
                option=option,
                note=note,
                revision=revision,
                payload_hash=digest,
                now=timezone.now(),
            )
        except DomainError as error:
            kept = {"option": option, "note": note, "error": error}
            fresh, principal = self._find(request, object_id)
            return self._page(request, fresh, principal, kept, status=error.status)
        level, text = _outcome(decided)
        messages.add_message(request, level, text)
        return redirect(_page_of(row.pk))

    def _find(
        self, request: HttpRequest, object_id: str | uuid.UUID
    ) -> tuple[AttentionRequest, Principal]:
        """Return the row and who decides; 404 for whoever may not decide on it."""
        try:
            key = uuid.UUID(str(object_id))
        except ValueError as error:
            raise Http404 from error
        rows = self.get_queryset(request).select_related(
            "tenant", "requested_by", "resolved_by", "resolution"
        )
        row = rows.filter(pk=key).first()
        if row is None:
            raise Http404
        membership = (
            deciding_memberships(user_id=cast("User", request.user).pk)
            .filter(tenant_id=row.tenant_id)
            .first()
        )
        if membership is None:
            raise Http404
        return row, session_principal(membership)

    def _page(
        self,
        request: HttpRequest,
        row: AttentionRequest,
        principal: Principal,
        kept: dict[str, Any] | None = None,
        status: int = 200,
    ) -> HttpResponse:
        view = present(request=row, principal=principal)
        context = {
            **self.admin_site.each_context(request),
            "title": row.title,
            "opts": self.opts,
            "view": view,
            "approve": ApprovalOption.APPROVE.value,
            "changes": ApprovalOption.CHANGES.value,
            "kept": kept or {},
            "next_waiting": next_waiting(principal=principal, after=row),
            "media": self.media,
        }
        template = "admin/decisions/attentionrequest/decide.html"
        return TemplateResponse(request, template, context, status=status)

    def state_view(self, request: HttpRequest, object_id: uuid.UUID) -> JsonResponse:
        """Tell an open page whether somebody else has settled its request."""
        row, _principal = self._find(request, object_id)
        return JsonResponse({"state": state_code(row, None)})

    def retry_view(self, request: HttpRequest, object_id: uuid.UUID) -> HttpResponse:
        """Start another attempt at what an approval leads to."""
        row, principal = self._find(request, object_id)
        try:
            retry_followup(principal=principal, request_id=row.pk, now=timezone.now())
        except DomainError as error:
            messages.warning(request, str(error))
        else:
            messages.info(request, _("Tried again; see below what came of it."))
        return redirect(_page_of(row.pk))

    def edit_view(self, request: HttpRequest, object_id: uuid.UUID) -> HttpResponse:
        """Edit an open request into a new revision, on a page of its own."""
        row, principal = self._find(request, object_id)
        form = EditForm(row, request.POST if request.method == "POST" else None)
        problem: DomainError | None = None
        if request.method == "POST" and not form.is_only_shown:
            try:
                revision, digest = shown_by(request.POST)
                new = edit_request(
                    principal=principal,
                    request_id=row.pk,
                    payload=form.payload(),
                    revision=revision,
                    payload_hash=digest,
                    now=timezone.now(),
                )
            except DomainError as error:
                problem = error
            else:
                messages.success(request, _("Saved as a new revision. Decide on it."))
                return redirect(_page_of(new.pk))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Edit “%(title)s”") % {"title": row.title},
            "opts": self.opts,
            "row": row,
            "form": form,
            "problem": problem,
            "shown": shown_by(request.POST) if request.method == "POST" else None,
            "media": self.media,
        }
        template = "admin/decisions/attentionrequest/edit.html"
        status = problem.status if problem is not None else 200
        return TemplateResponse(request, template, context, status=status)


def _page_of(key: uuid.UUID) -> str:
    return reverse("admin:decisions_attentionrequest_change", args=[key])


def _outcome(decided: Decided) -> tuple[int, str]:
    if decided.outcome == "same":
        return messages.INFO, _("You had decided so already; nothing was done twice.")
    if decided.request.kind == RequestKind.QUESTION:
        return messages.SUCCESS, _("Answered. The conversation has been told.")
    option = decided.resolution.option
    if option == ApprovalOption.APPROVE:
        return messages.SUCCESS, _("Approved. The rest happens by itself.")
    if option == ApprovalOption.CHANGES:
        return messages.SUCCESS, _("Changes requested. The conversation has your note.")
    return messages.SUCCESS, _("Rejected. The conversation has been told.")
