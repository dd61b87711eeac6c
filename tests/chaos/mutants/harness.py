"""Run chosen tests in a copy of the project, sound or with a fault planted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.chaos.mutants.catalogue import Mutant
from tests.guards.sources import ROOT, project_files

_COUNT = re.compile(r"(\d+) (passed|failed|error|errors)\b")
# The rest of the environment names the databases of the tests that run this.
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "OPENBLAS_CORETYPE")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of tests came to."""

    code: int
    counts: dict[str, int]
    output: str

    @property
    def passed(self) -> bool:
        """Tell whether every test ran and none failed."""
        return self.code == 0 and self.counts.get("passed", 0) > 0

    @property
    def noticed(self) -> bool:
        """Tell whether a test failed by its own asserts, not for want of a start."""
        errors = self.counts.get("error", 0) + self.counts.get("errors", 0)
        return self.code == 1 and self.counts.get("failed", 0) > 0 and not errors


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the project's own files, to break."""

    folder: Path

    @classmethod
    def of_project(cls, folder: Path) -> Copy:
        """Copy every file of the project into an empty folder."""
        for path in project_files():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, target)
        # Guards ask git which files are the project's.
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        return cls(folder)

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Have the fault in the copy for the block."""
        path = self.folder / mutant.file
        sound = path.read_text(encoding="utf-8")
        broken, found = _replace(sound, mutant)
        assert found == 1, f"{mutant.name}: {found} places in {mutant.file}"
        path.write_text(broken, encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(sound, encoding="utf-8")

    def run(self, tests: Iterable[str], *, timeout: float) -> Outcome:
        """Run these tests in the copy, up to the first failure."""
        inherited = {
            name: os.environ[name] for name in _INHERITED if name in os.environ
        }
        done = subprocess.run(
            [
                *(sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p"),
                *("no:cacheprovider", "--tb=short", *tests),
            ],
            cwd=self.folder,
            env={**inherited, "PYTHONPATH": str(self.folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        last = done.stdout.strip().rpartition("\n")[2]
        counts = {word: int(number) for number, word in _COUNT.findall(last)}
        return Outcome(done.returncode, counts, done.stdout[-4000:] + done.stderr)


def _replace(text: str, mutant: Mutant) -> tuple[str, int]:
    if isinstance(mutant.old, str):
        return text.replace(mutant.old, mutant.new), text.count(mutant.old)
    return mutant.old.subn(mutant.new, text)
