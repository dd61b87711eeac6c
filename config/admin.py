"""Puts Dialogue's admin site in the place of the stock one."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class DialogueAdminConfig(AdminConfig):
    """The admin with our access rule."""

    default_site = "tooling.admin.site.DialogueAdminSite"
