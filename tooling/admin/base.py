"""The base of every admin page: rows are read here, and only one's own teams'.

A person sees the rows of tenants in which their role has `act`; being staff of the
deployment opens nothing. Default add, change and delete forms are not reachable.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, TypeVar

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from tooling.boundary import is_storable
from tooling.models import Membership
from tooling.policy import MATRIX, Act

M = TypeVar("M", bound=Model)
COUNT_LIMIT = 2_000
# Each word is a condition more, and SQLite takes no statement of a thousand.
SEARCH_WORDS = 20
_CACHE = "admin_memberships"


def admin_memberships(request: HttpRequest, act: Act) -> list[Membership]:
    """Return the person's memberships whose role has `act`; one statement a page."""
    known: list[Membership] | None = getattr(request, _CACHE, None)
    if known is None:
        user = request.user
        if user.pk is None:
            return []
        rows = Membership.objects.filter(
            user_id=user.pk, user__is_active=True
        ).select_related("tenant")
        known = list(rows.order_by("tenant__name", "pk"))
        setattr(request, _CACHE, known)
    return [row for row in known if row.role in MATRIX[act]]


class CappedPaginator(Paginator[Any]):
    """Counts up to a limit only: a long table is narrowed by filters, not paged."""

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most `COUNT_LIMIT`."""
        rows = self.object_list
        if isinstance(rows, QuerySet):
            return rows.order_by()[:COUNT_LIMIT].count()
        return len(rows)


class TenantFilter(admin.SimpleListFilter):
    """The teams that the reader belongs to; never the names of others."""

    title = _("team")
    parameter_name = "team"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> list[tuple[str, str]]:
        """Offer the reader's own teams."""
        act = getattr(model_admin, "act", Act.READ)
        memberships = admin_memberships(request, act)
        return [(row.tenant.slug, row.tenant.name) for row in memberships]

    def has_output(self) -> bool:
        """Show the filter to whoever belongs to more than one team."""
        return len(self.lookup_choices) > 1

    def queryset(self, request: HttpRequest, queryset: QuerySet[M]) -> QuerySet[M]:
        """Keep one team's rows."""
        if self.value() is None:
            return queryset
        return queryset.filter(tenant__slug=self.value())


class ReadOnlyAdmin(admin.ModelAdmin[M]):
    """Rows that are looked at here and changed by services alone.

    `tenant_path` leads from the model to the tenant's key.
    """

    tenant_path: ClassVar[str] = "tenant_id"
    act: ClassVar[Act] = Act.DECIDE
    actions = None
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = CappedPaginator

    def tenant_ids(self, request: HttpRequest) -> list[uuid.UUID]:
        """Return the tenants whose rows this person may see here."""
        return [row.tenant_id for row in admin_memberships(request, self.act)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return rows of the person's own tenants only."""
        mine = {f"{self.tenant_path}__in": self.tenant_ids(request)}
        return super().get_queryset(request).filter(**mine)

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Take no filter that a database refuses to compare with."""
        values = (value for _name, each in request.GET.lists() for value in each)
        if not all(is_storable(value) for value in values):
            raise IncorrectLookupParameters
        return super().get_changelist_instance(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        """Search for the first words of a long text."""
        words = " ".join(search_term.split()[:SEARCH_WORDS])
        return super().get_search_results(request, queryset, words)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the section to whom it shows rows."""
        return bool(self.tenant_ids(request))

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Let in whoever has the act somewhere; `get_queryset` does the rest."""
        return bool(self.tenant_ids(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: a service adds rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Refuse: a service changes rows."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Refuse: rows stay."""
        return False
