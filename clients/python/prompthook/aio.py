"""The client for asyncio: each request runs in a thread, so that it blocks no other task."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from .client import (
    AsyncOperations,
    ExecutionEvent,
    ExecutionResult,
    ExecutionState,
    Prompthook,
    Trigger,
    wait_steps,
)


async def _in_thread(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Run a blocking call in a thread of its own.

    The threads of asyncio's pool are few, so calls that wait would hold up others; and a program ends only
    after them.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(settled: Callable[[Any], None], outcome: Any) -> None:
        # Nobody waits for a call that was cancelled.
        if not future.done():
            settled(outcome)

    def work() -> None:
        outcome: tuple[Callable[[Any], None], Any]
        try:
            outcome = (future.set_result, context.run(call, *args, **options))
        except BaseException as error:
            outcome = (future.set_exception, error)
        # The loop may have ended meanwhile.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=work, daemon=True).start()
    return await future


class AsyncPrompthook(AsyncOperations):
    """A client for one account: the operations, `run`, `wait`, `stream` and `each`, to be awaited."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = 60,
        max_retries: int = 3,
    ) -> None:
        """Connect to `base_url`. A call that is safe to repeat is repeated up to `max_retries` times."""
        self._client = Prompthook(
            base_url, api_key, timeout_seconds=timeout_seconds, max_retries=max_retries
        )

    async def run(
        self,
        body: Trigger,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[ExecutionState], None] | None = None,
    ) -> ExecutionResult:
        """Start an agent and wait for its result. A failed or stopped execution has a result too."""
        accepted = await self.trigger_execution(body, idempotency_key=idempotency_key)
        return await self.wait(
            accepted["executionId"], timeout_seconds=timeout_seconds, on_progress=on_progress
        )

    async def wait(
        self,
        execution_id: str,
        *,
        timeout_seconds: float | None = None,
        on_progress: Callable[[ExecutionState], None] | None = None,
    ) -> ExecutionResult:
        """Wait until an execution finishes. Raises `WaitTimeout` after `timeout_seconds`.

        Cancelling the wait does not stop the execution. Every error has the `execution_id`.
        """
        steps = wait_steps(execution_id, timeout_seconds, on_progress)
        try:
            step = next(steps)
            while True:
                if isinstance(step, (int, float)):
                    await asyncio.sleep(step)
                    step = next(steps)
                    continue
                try:
                    answer = await _in_thread(step, self._client)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            return end.value

    async def stream(self, execution_id: str, *, after: int = 0) -> AsyncIterator[ExecutionEvent]:
        """Yield an execution's events until the final one. Resumes after a broken connection."""
        events = self._client.stream(execution_id, after=after)
        try:
            while (event := await _in_thread(next, events, None)) is not None:
                yield event
        finally:
            # A thread may still be reading it.
            with contextlib.suppress(ValueError):
                events.close()

    async def each(
        self,
        list_page: Callable[..., Awaitable[Mapping[str, Any]]],
        *args: Any,
        **query: Any,
    ) -> AsyncIterator[Any]:
        """Yield every item of a list: `client.each(client.list_executions, status=["failed"])`."""
        cursor = None
        while True:
            page = await list_page(*args, **{"limit": 100, **query, "cursor": cursor})
            for item in next(value for value in page.values() if isinstance(value, list)):
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str | None] | None = None,
        raw: bool = False,
    ) -> Any:
        call = self._client._call
        return await _in_thread(
            call, method, path, query=query, body=body, headers=headers, raw=raw
        )
