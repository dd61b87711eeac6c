"""The admin site: operators get in, not only staff, and see their tenants alone."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite, ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from tooling.admin.base import ReadOnlyAdmin
from tooling.models import Membership
from tooling.policy import MATRIX, Act


class DialogueAdminSite(AdminSite):
    """Open to staff of the deployment and to whoever may decide somewhere."""

    site_header = "Dialogue"
    site_title = "Dialogue"
    index_title = _("Workplace")
    enable_nav_sidebar = True

    def register(
        self,
        model_or_iterable: Any,
        admin_class: type[ModelAdmin[Any]] | None = None,
        **options: Any,
    ) -> None:
        """Take pages of the house base alone.

        Libraries register forms of their own, with which one could add a group or
        read a second factor's secret: those stay out.
        """
        if admin_class is not None and issubclass(admin_class, ReadOnlyAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        """Tell whether this person may open the admin at all."""
        user = request.user
        if not user.is_active or user.is_anonymous:
            return False
        return (
            user.is_staff
            or Membership.objects.filter(
                user_id=user.pk, role__in=MATRIX[Act.DECIDE]
            ).exists()
        )

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send people to the one sign-in page, with its limits and second factor."""
        if self.has_permission(request):
            return redirect("admin:index")
        guarded = secure_admin_login(super().login)  # type: ignore[no-untyped-call]
        signed_in: HttpResponse = guarded(request, extra_context)
        return signed_in

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the sections; a page with a `nav_badge` shows what waits there."""
        sections: list[dict[str, Any]] = super().get_app_list(request, app_label)
        for section in sections:
            for page in section["models"]:
                badge = getattr(self._registry.get(page["model"]), "nav_badge", None)
                count = badge(request) if badge is not None else 0
                if count:
                    page["name"] = f"{page['name']} ({count})"
        return sections
