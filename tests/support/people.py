"""The people whom every stack knows, made once with its first database."""

from __future__ import annotations

from dataclasses import dataclass

PASSWORD = "correct horse battery staple"
TENANT = "acme"
OTHER_TENANT = "globex"


@dataclass(frozen=True, slots=True)
class Person:
    """A member of a tenant; `staff` is staff of the deployment."""

    email: str
    tenant: str
    role: str
    staff: bool = False


VIEWER = Person("viewer@acme.test", TENANT, "viewer")
MEMBER = Person("member@acme.test", TENANT, "member")
OPERATOR = Person("operator@acme.test", TENANT, "operator")
SECOND_OPERATOR = Person("second@acme.test", TENANT, "operator")
ADMIN = Person("admin@acme.test", TENANT, "admin")
STAFF = Person("staff@acme.test", TENANT, "admin", staff=True)
STRANGER = Person("stranger@globex.test", OTHER_TENANT, "admin")
PEOPLE = (VIEWER, MEMBER, OPERATOR, SECOND_OPERATOR, ADMIN, STAFF, STRANGER)

# Runs in `manage.py shell`; `people` and `password` are put before it.
SEED_PROGRAM = """
import hashlib
from datetime import timedelta

from django.utils import timezone

from tooling.models import Membership, PersonalToken, Tenant, User
from tooling.policy import Scope
from tooling.services.tokens import digest_of

result = {}
for email, slug, role, staff in people:
    tenant, _ = Tenant.objects.get_or_create(slug=slug, name=slug.title())
    user = User.objects.create_user(email, password, is_staff=staff)
    Membership.objects.create(tenant=tenant, user=user, role=role)
    secret = "dlg_" + hashlib.sha256(email.encode()).hexdigest()[:40]
    PersonalToken.objects.create(
        tenant=tenant, user=user, name="tests", prefix=secret[:12],
        digest=digest_of(secret), scopes=Scope.values,
        expires_at=timezone.now() + timedelta(days=1),
    )
    result[email] = secret
"""


def seed_program() -> str:
    """Return Python code that makes the people and sets `result` to their tokens."""
    rows = [(each.email, each.tenant, each.role, each.staff) for each in PEOPLE]
    return f"people = {rows!r}\npassword = {PASSWORD!r}\n{SEED_PROGRAM}"
