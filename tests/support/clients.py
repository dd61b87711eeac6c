"""HTTP clients of a running stack: a signed-in person, a bearer of a token."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import httpx2

if TYPE_CHECKING:
    from collections.abc import Mapping

LOGIN_PATH = "/accounts/login/"
TIMEOUT = 30.0
_TOKEN_FIELD = re.compile(r'name="csrfmiddlewaretoken"\s+value="([^"]+)"')


class SignInError(AssertionError):
    """A person could not sign in."""


class PageClient:
    """A person's browser without the browser: cookies, forms, CSRF.

    `http` is the client beneath, for whatever is not said here.
    """

    def __init__(self, base_url: str, *, language: str = "en") -> None:
        self.http = httpx2.Client(
            base_url=base_url,
            timeout=TIMEOUT,
            trust_env=False,
            headers={"Accept-Language": language, "Referer": f"{base_url}/"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.http.close()

    def get(self, path: str, **options: Any) -> httpx2.Response:
        """Fetch a page; redirects are not followed unless asked for."""
        return self.http.get(path, **options)

    def post(
        self, path: str, data: Mapping[str, object] | None = None, **options: Any
    ) -> httpx2.Response:
        """Submit a form, or JSON by `json=`, with the session's CSRF token."""
        headers = {"X-CSRFToken": self.csrf_token(), **options.pop("headers", {})}
        if "json" in options:
            return self.http.post(path, headers=headers, **options)
        return self.http.post(path, data=dict(data or {}), headers=headers, **options)

    def csrf_token(self) -> str:
        """Return the CSRF cookie's value; the sign-in page sets it if it is new."""
        token = self.http.cookies.get("csrftoken")
        if token is None:
            self.http.get(LOGIN_PATH)
            token = self.http.cookies.get("csrftoken")
        return token or ""

    def sign_in(self, email: str, password: str) -> None:
        """Sign in on the product's own page."""
        form = self.http.get(LOGIN_PATH)
        found = _TOKEN_FIELD.search(form.text)
        data = {"login": email, "password": password}
        if found:
            data["csrfmiddlewaretoken"] = found.group(1)
        answer = self.http.post(LOGIN_PATH, data=data)
        if answer.status_code != 302 or "sessionid" not in self.http.cookies:
            message = f"{email} could not sign in: {answer.status_code}"
            raise SignInError(message)


def api_client(base_url: str, token: str) -> httpx2.Client:
    """Return a client whose paths are relative to `/api/v1/`."""
    return httpx2.Client(
        base_url=f"{base_url}/api/v1/",
        timeout=TIMEOUT,
        trust_env=False,
        headers={"Authorization": f"Bearer {token}"},
    )
