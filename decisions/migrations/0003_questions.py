from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decisions", "0002_initial"),
        ("tooling", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="attentionrequest",
            name="resolved_option",
            field=models.CharField(blank=True, max_length=80, verbose_name="choice"),
        ),
        migrations.AlterField(
            model_name="latedecision",
            name="option",
            field=models.CharField(max_length=80),
        ),
        migrations.AlterField(
            model_name="resolution",
            name="option",
            field=models.CharField(max_length=80, verbose_name="choice"),
        ),
        migrations.AddConstraint(
            model_name="attentionrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "Question"), _negated=True),
                    models.Q(
                        (
                            "resolved_option__in",
                            ["Approve and create", "Request changes", "Reject"],
                        ),
                        _negated=True,
                    ),
                    _connector="OR",
                ),
                name="request_question_options",
            ),
        ),
    ]
