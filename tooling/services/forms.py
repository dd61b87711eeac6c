"""A page's form that makes something: sent twice, it makes it once.

Unlike a keyed request of the API, the twin of a form that is still at work waits for
it: a person who clicks twice sees only what the second click leads to.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from http import HTTPStatus

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tooling.boundary import check_text, payload_hash
from tooling.errors import Conflict
from tooling.models import IdempotencyRecord
from tooling.policy import Principal

KEY_CHARS = 80
# No key of the API has this sign: those are plain ASCII.
_MARK = "form·"


class FormSentBefore(Conflict):
    """A form that was sent, changed, and sent again."""

    code = "form_sent_before"
    message = _(
        "This form was sent before with other content, and that is done. Send it once "
        "more to do this as well."
    )


def do_once(
    *,
    principal: Principal,
    key: str,
    content: Mapping[str, object],
    work: Callable[[], str],
    now: dt.datetime,
) -> str:
    """Do a form's work and return the address that it leads to; once for its key.

    The key and all that `work` stores are one transaction, so a twin waits and then
    gets the same address. Without a key the work is simply done. Raises
    `FormSentBefore` where the same key comes with other content.
    """
    if not key:
        return work()
    check_text(key, field="form_key", max_chars=KEY_CHARS)
    digest = payload_hash(dict(content))
    with transaction.atomic():
        record = _take(principal, key, digest, now)
        if record.response is None:
            record.status, record.response = HTTPStatus.FOUND, {"location": work()}
            record.save(update_fields=["status", "response"])
    if record.body_hash != digest:
        raise FormSentBefore
    return str(record.response["location"])


def _take(
    principal: Principal, key: str, digest: str, now: dt.datetime
) -> IdempotencyRecord:
    """Return the key's row: a new one, or the answered one of the form's twin."""
    owner = {
        "tenant_id": principal.tenant_id,
        "user_id": principal.person,
        "key": _MARK + key,
    }
    try:
        with transaction.atomic():
            return IdempotencyRecord.objects.create(
                **owner, body_hash=digest, created_at=now
            )
    except IntegrityError:
        return IdempotencyRecord.objects.get(**owner)
