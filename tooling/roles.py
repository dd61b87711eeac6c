"""The four roles of a member."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """What a member may do; `tooling.policy` holds the matrix."""

    VIEWER = "viewer", _("Viewer")
    MEMBER = "member", _("Member")
    OPERATOR = "operator", _("Operator")
    ADMIN = "admin", _("Admin")
