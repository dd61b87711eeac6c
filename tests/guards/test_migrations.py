"""Models and migrations say the same."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    output = StringIO()
    try:
        call_command("makemigrations", check=True, dry_run=True, stdout=output)
    except SystemExit:
        pytest.fail(output.getvalue(), pytrace=False)
