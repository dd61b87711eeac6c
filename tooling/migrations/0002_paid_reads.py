import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tooling.ids


class Migration(migrations.Migration):
    dependencies = [
        ("tooling", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="PaidReadOptIn",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tooling.ids.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "tool",
                    models.CharField(max_length=120, unique=True, verbose_name="tool"),
                ),
                (
                    "released_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="opened"
                    ),
                ),
                (
                    "released_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="opened by",
                    ),
                ),
            ],
            options={
                "verbose_name": "opened paid read",
                "verbose_name_plural": "opened paid reads",
            },
        ),
    ]
