"""What people hold: options of a browser's context."""

from __future__ import annotations

from typing import Any

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
