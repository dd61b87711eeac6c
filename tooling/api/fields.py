"""Fields and bodies that take what they are given as it is, or refuse it."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from tooling.boundary import check_text
from tooling.errors import DomainError
from tooling.models import User

_MAX_NAMED = 80


class SafeCharField(serializers.CharField):
    """Text that passed the boundary: a string, storable, untrimmed, bounded.

    `max_length` counts characters; over it the code is `too_long`.
    """

    def __init__(self, *, max_length: int, **options: Any) -> None:
        options.setdefault("trim_whitespace", False)
        self.max_chars = max_length
        super().__init__(**options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Check before DRF does: a number is not text."""
        if isinstance(data, str):
            try:
                check_text(data, max_chars=self.max_chars)
            except DomainError as error:
                raise serializers.ValidationError(str(error), error.code) from error
        elif data is not serializers.empty and data is not None:
            self.fail("invalid")
        return super().run_validation(data)


class StrictBooleanField(serializers.BooleanField):
    """true or false, and nothing that merely looks like them."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the boolean."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Body(serializers.Serializer[Any]):
    """A request's body: fields that are not named here are refused, not ignored."""

    default_error_messages: ClassVar = {
        "unknown_field": _("This field is not known here."),
    }

    def to_internal_value(self, data: Any) -> Any:
        """Refuse unknown fields, then read the known ones."""
        if isinstance(data, dict):
            unknown = [str(name) for name in data if name not in self.fields]
            if unknown:
                message = str(self.error_messages["unknown_field"])
                raise serializers.ValidationError(
                    {
                        name[:_MAX_NAMED]: [
                            serializers.ErrorDetail(message, code="unknown_field")
                        ]
                        for name in unknown[:20]
                    }
                )
        return super().to_internal_value(data)


class EmptyBody(Body):
    """A body without fields."""


B = TypeVar("B", bound=Body)


def read_body(body: type[Body], request: Request, *, partial: bool = False) -> Any:
    """Return the validated data of a request's body, as keyword arguments."""
    read = body(data=request.data, partial=partial)
    read.is_valid(raise_exception=True)
    return read.validated_data


class PersonSerializer(serializers.Serializer[User]):
    """A person, as others of the tenant see them."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="get_full_name")
