"""What processes cost, read from /proc: processor time and memory."""

from __future__ import annotations

import os
from pathlib import Path

TICK = 1.0 / os.sysconf("SC_CLK_TCK")
MEGABYTE = 1024


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process and of all that it has started."""
    return sum(_own_cpu(each) for each in _family(pid))


def resident_megabytes(pid: int) -> float:
    """Return the memory that a process holds in RAM."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(found.split()[1]) / MEGABYTE


def load_average() -> float:
    """Return how many processes wanted a core during the last minute."""
    return os.getloadavg()[0]


def _family(pid: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            fields = _stat(int(folder.name))
            if fields:
                children.setdefault(int(fields[1]), []).append(int(folder.name))
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found


def _own_cpu(pid: int) -> float:
    """Return user and system time, that of children who have gone included."""
    fields = _stat(pid)
    return sum(int(each) for each in fields[11:15]) * TICK


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on, [] for one gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()
