"""Every example of docs/api.md, run as its reader would run it."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from tests.support.people import OPERATOR
from tests.support.stack import ROOT, Stack

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STRICT = "set -euo pipefail\n"


@pytest.mark.promise("D27")
def test_every_example_does_what_it_says(stack: Stack) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    examples = BLOCK.findall(text)
    assert len(examples) > 10
    before = stack.count("missions_mission")

    done = subprocess.run(
        ["bash"],
        input=STRICT + "\n".join(examples),
        env={
            "PATH": os.environ["PATH"],
            "DIALOGUE": stack.base_url,
            "TEAM": OPERATOR.tenant,
            "TOKEN": stack.tokens[OPERATOR.email],
        },
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )

    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    for word in (
        *("unknown_field", "event: message", "won", "withdrawn"),
        "Nothing of it waits for a decision.",
    ):
        assert word in done.stdout, f"{word}\n{done.stdout}\n{done.stderr}"
    assert stack.count("missions_mission") == before + 1
