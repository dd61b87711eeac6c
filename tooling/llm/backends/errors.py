"""What a provider library raises, as `BackendError`: a code, and a safe detail.

A detail may quote the provider's own message, shortened, unless that echoes the
prompt; it never has a key in it.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import httpx2
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelOverloadedError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
)

from tooling.boundary import clean_text
from tooling.llm.types import BackendError, LLMRequest
from tooling.redaction import redact

logger = logging.getLogger(__name__)

MAX_MESSAGE = 200
ECHO_CHARS = 16
TRIVIAL_CHARS = 3
_CONTEXT_PHRASES = (
    "context_length_exceeded",
    "exceed_context_size",
    "context size",
    "context length",
    "context window",
    "prompt is too long",
    "too many tokens",
)
_FILTER_CODES = ("content_filter", "content_policy_violation", "moderation")
_CATEGORIES: tuple[tuple[type[ModelAPIError], str, bool], ...] = (
    (ModelContextWindowExceededError, "context_too_long", False),
    (ModelAuthenticationError, "unauthorized", False),
    (ModelRateLimitError, "rate_limited", True),
    # No credit left: waiting does not help, another provider may.
    (ModelQuotaExceededError, "rate_limited", False),
    (ModelOverloadedError, "unavailable", True),
    (ModelUnavailableError, "unavailable", True),
    (ModelServerError, "unavailable", True),
    (ModelRequestRejectedError, "bad_request", False),
)


class StreamCutError(Exception):
    """A stream ended without saying why: the rest of the answer is missing."""


def describe(
    error: Exception, *, request: LLMRequest, key: str, host: str, opened: bool
) -> BackendError:
    """Return what a call failed of. `opened`: the provider had begun its answer."""
    if isinstance(error, ModelHTTPError):
        return _from_status(error, request, key)
    if isinstance(error, ModelConnectionError):
        timed_out = isinstance(error, ModelTimeoutError)
        name = type(error.__cause__ or error).__name__
        return _from_transport(error.phase, name, host, timed_out, opened)
    if isinstance(error, httpx2.TransportError):
        timed_out = isinstance(error, httpx2.TimeoutException)
        connect = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
        phase = "connect" if connect else "read"
        return _from_transport(phase, type(error).__name__, host, timed_out, opened)
    if isinstance(error, StreamCutError):
        detail = f"{host}: the stream ended without a finish reason"
        return BackendError(code="cut_off", detail=detail, retryable=True)
    if isinstance(error, UnexpectedModelBehavior):
        detail = f"{host}: the answer is empty or has no known shape"
        return BackendError(code="bad_response", detail=detail, retryable=True)
    if isinstance(error, ModelAPIError) and not isinstance(error.__cause__, ValueError):
        return _from_stream_error(error, request, key)
    if not isinstance(error, ModelAPIError | ValueError):
        logger.warning("provider_answer_unread", extra={"error": type(error).__name__})
    detail = f"{host}: the answer cannot be read ({type(error).__name__})"
    return BackendError(code="bad_response", detail=detail, retryable=True)


def _from_status(error: ModelHTTPError, request: LLMRequest, key: str) -> BackendError:
    status = error.status_code
    said = _said(error, request, key)
    detail = f"HTTP {status}{said}"
    code, retryable = _classify(error)
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        code, retryable = "context_too_long", False
    return BackendError(
        code,
        detail,
        retryable=retryable,
        status=status,
        retry_after=error.retry_after,
    )


def _classify(error: ModelAPIError) -> tuple[str, bool]:
    clue = f"{error.provider_error_code} {error.provider_error_type} {error.body}"
    clue = clue.lower()
    rejected = isinstance(error, ModelRequestRejectedError)
    if rejected or isinstance(error, ModelServerError):
        if any(phrase in clue for phrase in _CONTEXT_PHRASES):
            return "context_too_long", False
        if rejected and any(name in clue for name in _FILTER_CODES):
            return "refused", False
    for category, code, retryable in _CATEGORIES:
        if isinstance(error, category):
            return code, retryable
    status = getattr(error, "status_code", None)
    if status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return "bad_request", False
    return "unavailable", True


def _from_stream_error(
    error: ModelAPIError, request: LLMRequest, key: str
) -> BackendError:
    code, retryable = _classify(error)
    said = _said(error, request, key)
    return BackendError(code, f"error in the stream{said}", retryable=retryable)


def _from_transport(
    phase: str | None, name: str, host: str, timed_out: bool, opened: bool
) -> BackendError:
    detail = f"{host}: {name}"
    if opened and not timed_out:
        return BackendError(code="cut_off", detail=detail, retryable=True)
    if timed_out and phase not in {"connect", "pool"}:
        return BackendError(code="timeout", detail=detail, retryable=True)
    return BackendError(code="unreachable", detail=detail, retryable=True)


def _said(error: ModelAPIError, request: LLMRequest, key: str) -> str:
    """Return " code: message" as far as it may be shown, "" for nothing."""
    code = error.provider_error_code or error.provider_error_type or ""
    message = _message_of(error.body)
    if message and _echoes(message, request):
        message = "(message withheld: it repeats the prompt)"
    text = f" {code}".rstrip() + (f": {message}" if message else "")
    if key:
        text = text.replace(key, "[redacted]")
    return clean_text(redact(text))


def _message_of(body: object) -> str:
    if isinstance(body, dict):
        inner: Any = body.get("error", body)
        found = inner.get("message") if isinstance(inner, dict) else inner
        body = found if isinstance(found, str) else ""
    return " ".join(str(body or "").split())[:MAX_MESSAGE]


def _echoes(message: str, request: LLMRequest) -> bool:
    """Tell whether a message holds a stretch of what was sent."""
    texts = [request.system, *(m.text for m in request.messages)]
    flat = [" ".join(text.split()) for text in texts if len(text) > TRIVIAL_CHARS]
    if any(text in message for text in flat if len(text) < 2 * ECHO_CHARS):
        return True
    # Windows that overlap by half find any common stretch of a window and a half.
    starts = range(0, len(message) - ECHO_CHARS + 1, ECHO_CHARS // 2)
    windows = [message[start : start + ECHO_CHARS] for start in starts]
    return any(window in text for window in windows for text in flat)
