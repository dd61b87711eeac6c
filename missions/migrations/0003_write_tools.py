from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decisions", "0003_questions"),
        ("missions", "0002_initial"),
        ("tooling", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="missionsuggestionrecord",
            name="suggestion_once_per_turn",
        ),
        migrations.AddField(
            model_name="missionsuggestionrecord",
            name="maker_kind",
            field=models.CharField(
                blank=True,
                choices=[("model", "Model"), ("human", "Person")],
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="missiontask",
            name="origin_message",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="missiontask",
            name="outcome",
            field=models.TextField(blank=True, verbose_name="outcome"),
        ),
        migrations.AlterField(
            model_name="missionsuggestionrecord",
            name="reason",
            field=models.CharField(
                choices=[
                    ("switch_off", "Proposing is off in this deployment"),
                    ("propose_failed", "The proposal failed"),
                    ("prose_only", "The model only wrote about it"),
                    ("blocked_write", "A write was held back"),
                    ("noted", "Noted down on request"),
                ],
                max_length=24,
                verbose_name="reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="mission",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("maker_kind", "model"),
                    ("source_request__isnull", True),
                    models.Q(("payload_hash", ""), _negated=True),
                ),
                fields=("origin_message", "payload_hash"),
                name="mission_pending_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="missionsuggestionrecord",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("tool_call_id__isnull", True),
                    models.Q(("reason", "noted"), _negated=True),
                ),
                fields=("origin_turn",),
                name="suggestion_once_per_turn",
            ),
        ),
    ]
