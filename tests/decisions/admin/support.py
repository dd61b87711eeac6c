"""Addresses and forms of the decision page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from decisions.models import AttentionRequest
from tooling.policy import Principal

SignIn = Callable[[Principal], Client]


def page(request: AttentionRequest) -> str:
    return reverse("admin:decisions_attentionrequest_change", args=[request.pk])


def html_of(response: Any) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def send(client: Client, request: AttentionRequest, option: str, **changes: Any) -> Any:
    form = {
        "option": option,
        "revision": request.revision,
        "payload_hash": request.payload_hash,
        **changes,
    }
    return client.post(page(request), form)
