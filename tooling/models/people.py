"""Who: users, tenants, memberships, and what a tenant's admins have turned on."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import (
    AbstractBaseUser,
    BaseUserManager,
    PermissionsMixin,
)
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tooling.ids import new_id
from tooling.roles import Role


class UserManager(BaseUserManager["User"]):
    """Users are known by their e-mail address."""

    def create_user(
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Create a person; without a password they cannot sign in yet."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Create staff of the deployment."""
        return self.create_user(
            email, password, is_staff=True, is_superuser=True, **fields
        )

    def get_by_natural_key(self, username: str | None) -> User:
        """Find by e-mail address, whatever its case."""
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """A person."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(_("e-mail address"), unique=True)
    full_name = models.CharField(_("name"), max_length=150, blank=True)
    language = models.CharField(
        _("language"), max_length=8, choices=settings.LANGUAGES, blank=True
    )
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    is_staff = models.BooleanField(_("staff of the deployment"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    joined_at = models.DateTimeField(_("joined"), default=timezone.now)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = UserManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_any_case"),
        ]

    def __str__(self) -> str:
        return self.full_name or self.email

    def get_full_name(self) -> str:
        """Return the name that pages show."""
        return str(self)


class Tenant(models.Model):
    """A team: the wall between what two groups of people may see."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(_("address"), max_length=50, unique=True)
    name = models.CharField(_("name"), max_length=120)
    created_at = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's role in a tenant."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)
    created_at = models.DateTimeField(_("since"), default=timezone.now)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "user"], name="membership_once_per_tenant"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} {self.tenant_id}"


class Features(models.Model):
    """A tenant's toggles. No row means every default: everything off."""

    tenant = models.OneToOneField(
        Tenant, models.CASCADE, primary_key=True, related_name="features"
    )
    write_tools = models.BooleanField(_("write tools"), default=False)
    four_eyes = models.BooleanField(_("four eyes"), default=False)
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("features")
        verbose_name_plural = _("features")

    def __str__(self) -> str:
        return f"features of {self.tenant_id}"
