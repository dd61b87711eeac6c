"""The agent loop: model, tools, model, until the answer is whole.

Runs on the runner's event loop. Rows are touched in threads, by the steps of
`dialogue.turns.job`; providers are reached through the LLM layer alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from dialogue.models import TurnState
from dialogue.turns import job as steps
from dialogue.turns import tool_steps
from dialogue.turns.buffer import StepText, TextBuffer
from dialogue.turns.endings import LostLease
from dialogue.turns.executors import in_rows_thread, in_tool_thread
from dialogue.turns.job import Job, StepRequest
from tooling.llm.ledger import LedgerEntry, record_call
from tooling.llm.service import CallInfo, Waiting, stream_call
from tooling.llm.types import BackendError, Finished, FinishReason, TextDelta
from tooling.redaction import redact

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Ended(Exception):
    """The turn ends here, in this state."""

    state: TurnState
    text: str = ""
    facts: dict[str, Any] | None = None
    code: str = ""
    detail: str = ""


class TurnEngine:
    """Runs one leased turn to its end."""

    def __init__(self, job: Job, buffer: TextBuffer) -> None:
        self.job = job
        self.buffer = buffer
        self.stopping = False
        self.cancelled = False
        self.waiting = False
        self.text = self._new_text()

    async def run(self) -> None:
        """Run the turn; whatever happens, it ends in a state that says so."""
        try:
            ended = await self._end()
            await self._finish(ended)
        except LostLease:
            log.info("turn was taken over", extra={"turn": str(self.job.turn.pk)})

    async def _end(self) -> _Ended:
        try:
            async with asyncio.timeout(settings.TURN_MAX_SECONDS):
                await self._loop()
        except _Ended as ended:
            return ended
        except BackendError as error:
            return self._failed(code=error.code, detail=redact(error.detail))
        except TimeoutError:
            return self._failed(code="turn_timeout")
        except asyncio.CancelledError:
            if self.stopping:
                return _Ended(TurnState.STOPPED, self.text.text)
            return _Ended(TurnState.INTERRUPTED, self.text.text, code="interrupted")
        except LostLease:
            raise
        except Exception:
            log.exception("turn failed", extra={"turn": str(self.job.turn.pk)})
            return self._failed(code="internal")
        return self._failed(code="step_limit")

    def _failed(self, *, code: str, detail: str = "") -> _Ended:
        return _Ended(TurnState.FAILED, self.text.text, code=code, detail=detail)

    async def _finish(self, ended: _Ended) -> None:
        # The text goes into the message: readers get it whole with its event.
        await self.buffer.drop(self.job.turn.pk)
        await asyncio.shield(
            in_rows_thread(
                steps.finish,
                self.job,
                ended.state,
                text=ended.text,
                facts=ended.facts,
                error_code=ended.code,
                error_detail=ended.detail,
            )
        )

    async def _loop(self) -> None:
        for _number in range(settings.TURN_MAX_STEPS):
            step = await in_rows_thread(steps.prepare_step, self.job)
            self.text = self._new_text()
            finished = await self._call_model(step)
            if finished.tool_requests:
                await self._run_tools(finished)
            else:
                self._answered(finished)

    def _new_text(self) -> StepText:
        turn = self.job.turn
        return StepText(turn.conversation_id, turn.pk, turn.attempt, self.job.step)

    async def _call_model(self, step: StepRequest) -> Finished:
        turn = self.job.turn
        call = CallInfo(
            tenant_id=turn.tenant_id,
            call_site=step.call_site,
            conversation_id=turn.conversation_id,
            turn_id=turn.pk,
            attempt=turn.attempt,
            step=self.job.step,
            manifest=step.manifest,
            language=self.job.language,
            record=_record,
        )
        stream = stream_call(call=call, request=step.request, on_wait=self._on_wait)
        async with contextlib.aclosing(stream):
            async for event in stream:
                await self._resume()
                if isinstance(event, TextDelta):
                    self.buffer.add(self.text, event.text)
                else:
                    return event
        detail = "the stream ended without an end"
        raise BackendError(code="cut_off", detail=detail)

    async def _on_wait(self, _waiting: Waiting) -> None:
        self.waiting = True
        await in_rows_thread(steps.wait_for_provider, self.job, waiting=True)

    async def _resume(self) -> None:
        if self.waiting:
            self.waiting = False
            await in_rows_thread(steps.wait_for_provider, self.job, waiting=False)

    async def _run_tools(self, finished: Finished) -> None:
        await self.buffer.flush()
        text = self.text.text
        self.text = self._new_text()
        calls = await in_rows_thread(
            tool_steps.store_calls, self.job, text=text, calls=finished.tool_requests
        )
        cut_off = finished.reason is FinishReason.LENGTH
        incomplete = False
        for number, call in enumerate(calls):
            done = await in_tool_thread(
                tool_steps.run_tool,
                self.job,
                call,
                cut_off=cut_off,
                calls_before=number,
            )
            incomplete = incomplete or done.incomplete
        if incomplete:
            raise _Ended(TurnState.FAILED, code="arguments_incomplete")

    def _answered(self, finished: Finished) -> None:
        text = self.text.text
        if not text.strip():
            raise self._failed(code="empty_answer")
        facts = {}
        if finished.reason is FinishReason.LENGTH:
            facts["finish"] = FinishReason.LENGTH.value
        raise _Ended(TurnState.DONE, text, facts)


async def _record(entry: LedgerEntry) -> None:
    await in_rows_thread(record_call, entry)
