"""The toggles of the Features screen."""

from __future__ import annotations

import pytest

from tests.support.api import make_member
from tooling.errors import NotAllowed
from tooling.models import AuditEntry, Features
from tooling.selectors import features_of
from tooling.services.features import change_features

pytestmark = pytest.mark.django_db


@pytest.mark.promise("D48", "N4")
def test_everything_is_off_without_a_row() -> None:
    tenant = make_member("acme", "admin").tenant
    features = features_of(tenant_id=tenant.pk)
    assert (features.write_tools, features.four_eyes) == (False, False)
    assert not Features.objects.exists()


@pytest.mark.promise("D51", "D52")
def test_an_admin_turns_a_toggle_on_and_off_again() -> None:
    admin = make_member("acme", "admin")
    for wanted in (True, True, False):
        change_features(principal=admin.principal, write_tools=wanted, four_eyes=False)
        assert features_of(tenant_id=admin.tenant.pk).write_tools is wanted
    entries = AuditEntry.objects.filter(action="features.changed").order_by("at", "id")
    assert [entry.after for entry in entries] == [
        {"write_tools": True},
        {"write_tools": False},
    ]


@pytest.mark.parametrize("role", ["viewer", "member", "operator"])
def test_nobody_else_does(role: str) -> None:
    someone = make_member("acme", role)
    with pytest.raises(NotAllowed):
        change_features(principal=someone.principal, write_tools=True, four_eyes=True)
    assert not Features.objects.exists()


def test_another_team_keeps_its_own() -> None:
    ours, theirs = make_member("acme", "admin"), make_member("globex", "admin")
    change_features(principal=ours.principal, write_tools=True, four_eyes=True)
    assert not features_of(tenant_id=theirs.tenant.pk).write_tools
