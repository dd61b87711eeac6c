"""Forms of the settings pages. Rules live in services; forms read and show."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tooling.policy import Scope, scopes_of_role
from tooling.roles import Role
from tooling.services.people import NAME_MAX
from tooling.services.tokens import DAYS_MAX
from tooling.services.tokens import NAME_MAX as TOKEN_NAME_MAX
from tooling.zones import zone_names

if TYPE_CHECKING:
    from tooling.errors import DomainError


def show_error(form: forms.Form, error: DomainError) -> None:
    """Put a service's refusal beside the field it names, else above the form."""
    name = error.field if error.field in form.fields else None
    form.add_error(name, str(error))


class ProfileForm(forms.Form):
    """Who a person is, and how pages speak to them."""

    full_name = forms.CharField(
        label=_("Name"),
        max_length=NAME_MAX,
        required=False,
        help_text=_("What others read beside what you write. Empty: your e-mail."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=[(name, name) for name in sorted(zone_names())],
        help_text=_("Times on pages are shown in it."),
    )


class TokenForm(forms.Form):
    """A new personal token; `token_id` makes a form sent twice make one."""

    token_id = forms.UUIDField(widget=forms.HiddenInput)
    name = forms.CharField(
        label=_("What is it for?"),
        max_length=TOKEN_NAME_MAX,
        widget=forms.TextInput(attrs={"placeholder": _("nightly script")}),
    )
    days = forms.IntegerField(
        label=_("Days until it expires"),
        min_value=1,
        max_value=DAYS_MAX,
        initial=90,
        help_text=_("From 1 to 365."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may it be used for?"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Never more than your role allows."),
    )

    def __init__(self, *args: Any, role: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = scopes_of_role(role)
        field = self.fields["scopes"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [each for each in Scope.choices if each[0] in allowed]
        self.initial.setdefault("scopes", [Scope.READ.value])
        self.initial.setdefault("token_id", uuid.uuid4())


class MemberForm(forms.Form):
    """Somebody to add."""

    email = forms.EmailField(
        label=_("E-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(
        label=_("Role"), choices=Role.choices, initial=Role.MEMBER.value
    )


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class FeaturesForm(forms.Form):
    """The tenant's toggles, each with what it opens."""

    write_tools = forms.BooleanField(
        label=_("Write tools"),
        required=False,
        help_text=_(
            "The model may create or change something in this team when a person asks "
            "for exactly that, or has given leave for it in the conversation. It can "
            "never approve, reject, publish or delete. Off: such a wish is kept as a "
            "suggestion."
        ),
    )
    four_eyes = forms.BooleanField(
        label=_("Four eyes"),
        required=False,
        help_text=_(
            "Whoever asked for something may not decide on it: a second operator "
            "must. Leave it off while one person works alone."
        ),
    )
