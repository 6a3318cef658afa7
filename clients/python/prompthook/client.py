"""The client, its types and its errors."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import math
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections import abc
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

class Problem(Exception):
    """An error response: an RFC 9457 problem."""

    def __init__(self, status: int, body: abc.Mapping[str, Any], retry_after: float | None) -> None:
        super().__init__(body.get("detail") or body.get("title") or f"HTTP {status}")
        self.status = status
        self.code: str | None = body.get("code")
        self.errors: list[dict[str, Any]] = body.get("errors") or []
        self.request_id: str | None = body.get("requestId")
        self.retry_after = retry_after
        """Seconds after which a repeat may succeed, or None."""
        self.execution_id: str | None = None
        """The execution that was waited for, if there is one. It goes on."""


class ConnectionFailed(Exception):
    """No complete answer of the service arrived. The request may or may not have taken effect."""

    execution_id: str | None = None
    """The execution that was waited for, if there is one. It goes on."""


class WaitTimeout(Exception):
    """The execution had not finished in time. It goes on."""

    def __init__(self, execution_id: str, message: str) -> None:
        super().__init__(message)
        self.execution_id = execution_id


class CallbackError(Exception):
    """A callback that failed verification."""

    def __init__(
        self,
        fault: Literal["missing_header", "outdated", "wrong_signature", "malformed"],
        message: str,
    ) -> None:
        super().__init__(message)
        self.fault = fault


def verify_callback(
    secret: str,
    headers: abc.Mapping[str, str],
    body: bytes | str,
    *,
    tolerance_seconds: float = 300,
    now: abc.Callable[[], float] = time.time,
) -> CallbackBody:
    """Verify a callback by the Standard Webhooks scheme and return its body.

    `body` is the raw body: the signature covers its bytes. Raises `CallbackError`. Retries of a
    delivery carry the same `webhook-id`: remember it to process each callback once.
    """
    if not secret:
        raise ValueError("secret must not be empty")
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise CallbackError("missing_header", f"The callback has no {name} header.")
    signed_at = given["webhook-timestamp"]
    is_number = signed_at.isascii() and signed_at.isdigit()
    if not is_number or abs(now() - int(signed_at)) > tolerance_seconds:
        raise CallbackError("outdated", "The callback's timestamp is outside the tolerance.")
    raw = body.encode() if isinstance(body, str) else body
    message = f"{given['webhook-id']}.{signed_at}.".encode() + raw
    expected = hmac.new(_signing_key(secret), message, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(expected)
    signatures = given["webhook-signature"].encode().split(b" ")
    matches = [hmac.compare_digest(wanted, one) for one in signatures]
    if True not in matches:
        raise CallbackError(
            "wrong_signature", "The callback's signature does not match the secret."
        )
    try:
        parsed = json.loads(raw)
    except ValueError as error:
        raise CallbackError("malformed", f"The callback's body is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise CallbackError("malformed", "The callback's body is not an object.")
    return parsed  # type: ignore[return-value]


def _signing_key(secret: str) -> bytes:
    """A `whsec_` secret is base64, any other its UTF-8 bytes."""
    if secret.startswith("whsec_"):
        try:
            return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            pass
    return secret.encode()


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


# region Generated from the OpenAPI document by `npm run python-client`. Do not edit.
class Trigger(TypedDict):
    prompt: str
    callbackUrl: NotRequired[str | None]
    callbackSecret: NotRequired[str]
    callbackEvents: NotRequired[list[Literal['completed', 'failed', 'stopped', 'waiting_for_input']]]
    outputSchema: NotRequired[dict[str, Any]]
    inputs: NotRequired[dict[str, Any]]
    files: NotRequired[list[GivenFile]]
    model: NotRequired[str | list[str]]
    tools: NotRequired[list[ToolReference]]
    approvals: NotRequired[list[ToolReference]]
    allowedHosts: NotRequired[list[str]]
    connections: NotRequired[list[str]]
    interactive: NotRequired[bool]
    maxCredits: NotRequired[int]
    maxCostUsd: NotRequired[float]
    maxSteps: NotRequired[int]
    timeoutSeconds: NotRequired[int]
    inputTimeoutSeconds: NotRequired[int]
    notify: NotRequired[list[DecisionRecipient]]
    remindAfterSeconds: NotRequired[int]
    escalateTo: NotRequired[list[DecisionRecipient]]
    onTimeout: NotRequired[Literal['fail', 'deny']]
    metadata: NotRequired[dict[str, str]]


class GivenFile(TypedDict):
    name: str
    mediaType: str
    data: NotRequired[str]
    url: NotRequired[str]


ToolReference: TypeAlias = "Literal['browse', 'search_web', 'http_request', 'run_code', 'process_data', 'send_email', 'write_spreadsheet', 'emit_output', 'wait_for_event', 'ask_user', 'finish'] | str"


class DecisionRecipient(TypedDict):
    email: NotRequired[str]
    requireCode: NotRequired[bool]
    destinationId: NotRequired[str]


class TriggerAccepted(TypedDict):
    executionId: str
    status: Literal['active']
    availableCredits: int


class TriggerBatch(TypedDict):
    executions: list[Trigger]


class TriggerBatchResult(TypedDict):
    results: list[TriggerBatchResultResultsItem1 | TriggerBatchResultResultsItem2]


class TriggerBatchResultResultsItem1(TypedDict):
    executionId: str
    availableCredits: int
    status: Literal[202]


class TriggerBatchResultResultsItem2(TypedDict):
    status: int
    problem: ProblemDetails


class ProblemDetails(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal['invalid_request', 'malformed_json', 'unauthorized', 'stale_request', 'insufficient_credits', 'insufficient_scope', 'https_required', 'ip_not_allowed', 'not_found', 'method_not_allowed', 'request_timeout', 'execution_not_active', 'result_not_ready', 'conflict', 'gone', 'version_mismatch', 'payload_too_large', 'unsupported_media_type', 'validation_failed', 'mapping_failed', 'idempotency_key_reused', 'rate_limited', 'internal_error', 'unavailable']
    requestId: str
    errors: NotRequired[list[ProblemDetailsErrorsItem]]


class ProblemDetailsErrorsItem(TypedDict):
    path: str
    rule: str
    message: str


class ExecutionPage(TypedDict):
    executions: list[ExecutionRow]
    nextCursor: str | None


class ExecutionRow(TypedDict):
    executionId: str
    status: Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']
    statusDetail: Literal['queued', 'planning', 'running', 'retrying', 'question', 'approval', 'event', 'done', 'user_request', 'superseded', 'credits_exhausted', 'limit_reached', 'budget_reached', 'step_limit', 'timed_out', 'cannot_do', 'source_unavailable', 'model_error', 'input_timeout', 'denied', 'internal_error']
    version: int
    promptPreview: str
    inputsPreview: str | None
    inbound: ExecutionRowInbound | None
    model: str | None
    costUsd: float | None
    summary: str | None
    creditsConsumed: int
    origin: Literal['api', 'webhook', 'replay', 'workflow', 'schedule', 'rehearsal']
    workflowId: str | None
    keyId: str | None
    revision: int | None
    forkOf: ForkOf | None
    metadata: dict[str, str]
    createdAt: str
    updatedAt: str
    finishedAt: str | None


class ExecutionRowInbound(TypedDict):
    endpointId: str
    requestId: str
    eventId: str | None


class ForkOf(TypedDict):
    executionId: str
    afterStep: int


class ExecutionState(TypedDict):
    executionId: str
    status: Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']
    statusDetail: Literal['queued', 'planning', 'running', 'retrying', 'question', 'approval', 'event', 'done', 'user_request', 'superseded', 'credits_exhausted', 'limit_reached', 'budget_reached', 'step_limit', 'timed_out', 'cannot_do', 'source_unavailable', 'model_error', 'input_timeout', 'denied', 'internal_error']
    version: int
    progress: ExecutionStateProgress
    creditsConsumed: int
    createdAt: str
    startedAt: str | None
    updatedAt: str
    activeMs: int | None
    finishedAt: str | None
    question: NotRequired[Question]
    error: NotRequired[ExecutionError]
    forkOf: NotRequired[ForkOf]


class ExecutionStateProgress(TypedDict):
    message: str
    stepsCompleted: int
    currentStep: int
    percent: float | None


Question: TypeAlias = "QuestionQuestion | QuestionApproval"


class QuestionQuestion(TypedDict):
    kind: Literal['question']
    text: str
    choices: NotRequired[list[str]]
    askedAt: str
    decisionId: NotRequired[str]


class QuestionApproval(TypedDict):
    kind: Literal['approval']
    text: str
    callId: str
    tool: str
    input: Any
    askedAt: str
    decisionId: NotRequired[str]


class ExecutionError(TypedDict):
    code: Literal['queued', 'planning', 'running', 'retrying', 'question', 'approval', 'event', 'done', 'user_request', 'superseded', 'credits_exhausted', 'limit_reached', 'budget_reached', 'step_limit', 'timed_out', 'cannot_do', 'source_unavailable', 'model_error', 'input_timeout', 'denied', 'internal_error']
    message: str


class ExecutionTask(TypedDict):
    executionId: str
    prompt: str
    inputs: dict[str, Any] | None
    files: list[ExecutionTaskFilesItem]
    outputSchema: dict[str, Any] | None
    model: str | list[str]
    models: list[ChosenModel]
    tools: list[str]
    approvals: list[str]
    allowedHosts: list[str] | None
    connections: list[str]
    interactive: bool
    maxCredits: int
    maxCostUsd: float | None
    maxSteps: int
    timeoutSeconds: int
    inputTimeoutSeconds: int
    notify: list[DecisionRecipientOutput]
    remindAfterSeconds: int | None
    escalateTo: list[DecisionRecipientOutput]
    onTimeout: Literal['fail', 'deny']
    metadata: dict[str, str]
    callbackUrl: str | None
    callbackEvents: list[Literal['completed', 'failed', 'stopped', 'waiting_for_input']]
    isCallbackSigned: bool
    origin: Literal['api', 'webhook', 'replay', 'workflow', 'schedule', 'rehearsal']
    workflowId: str | None
    revision: int | None
    inbound: ExecutionTaskInbound | None
    forkOf: ForkOf | None
    forks: list[str]
    createdAt: str


class ExecutionTaskFilesItem(TypedDict):
    name: str
    mediaType: str
    sizeBytes: int


class ChosenModel(TypedDict):
    model: str
    contextWindow: int
    price: NotRequired[ModelPrice]


class ModelPrice(TypedDict):
    input: float
    cachedInput: NotRequired[float]
    output: float


class DecisionRecipientOutput(TypedDict):
    email: NotRequired[str]
    requireCode: NotRequired[bool]
    destinationId: NotRequired[str]


class ExecutionTaskInbound(TypedDict):
    endpointId: str
    requestId: str
    eventId: str | None


ExecutionResult: TypeAlias = "ExecutionResultActive | ExecutionResultWaitingForInput | ExecutionResultCompleted | ExecutionResultFailed | ExecutionResultStopped"


class ExecutionResultActive(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[Effect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    status: Literal['active']
    finishedAt: None


class PresentedResult(TypedDict):
    summary: str
    data: NotRequired[Any]
    truncated: NotRequired[bool]


Output: TypeAlias = "OutputText | OutputJson | OutputTable | OutputFile | OutputLink"


class OutputText(TypedDict):
    outputId: str
    nodeType: NodeType
    label: str
    mediaType: str
    sources: list[OutputSource]
    truncated: NotRequired[bool]
    createdAt: str
    type: Literal['text']
    value: str


NodeType: TypeAlias = "Literal['WEB_PAGE', 'DATA_EXTRACTION', 'TABLE_EXTRACTION', 'LINK_EXTRACTION', 'HTTP_RESPONSE', 'CODE_RESULT', 'EMAIL', 'SPREADSHEET', 'FILE', 'TEXT', 'STRUCTURED_RESULT']"


class OutputSource(TypedDict):
    eventSeq: int
    url: NotRequired[str]
    cut: NotRequired[str]


class OutputJson(TypedDict):
    outputId: str
    nodeType: NodeType
    label: str
    mediaType: str
    sources: list[OutputSource]
    truncated: NotRequired[bool]
    createdAt: str
    type: Literal['json']
    value: Any


class OutputTable(TypedDict):
    outputId: str
    nodeType: NodeType
    label: str
    mediaType: str
    sources: list[OutputSource]
    truncated: NotRequired[bool]
    createdAt: str
    type: Literal['table']
    value: Table


class Table(TypedDict):
    columns: list[str]
    rows: list[list[Any]]


class OutputFile(TypedDict):
    outputId: str
    nodeType: NodeType
    label: str
    mediaType: str
    sources: list[OutputSource]
    truncated: NotRequired[bool]
    createdAt: str
    type: Literal['file']
    url: str
    filename: NotRequired[str]
    sizeBytes: NotRequired[int]


class OutputLink(TypedDict):
    outputId: str
    nodeType: NodeType
    label: str
    mediaType: str
    sources: list[OutputSource]
    truncated: NotRequired[bool]
    createdAt: str
    type: Literal['link']
    url: str


class Effect(TypedDict):
    effectId: str
    idempotencyKey: str
    tool: str
    target: str
    state: Literal['confirmed', 'failed', 'uncertain', 'rehearsed']
    at: str
    truncated: NotRequired[bool]
    input: NotRequired[Any]
    askedInput: NotRequired[Any]
    approvedBy: NotRequired[By]


class By(TypedDict):
    kind: Literal['key', 'member', 'link', 'operator', 'agent', 'system']
    id: str
    name: str


class ModelUsage(TypedDict):
    inputTokens: int
    outputTokens: int
    cachedTokens: int
    modelSteps: int
    toolCalls: int
    costUsd: NotRequired[float]


class ExecutionResultWaitingForInput(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[Effect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    status: Literal['waiting_for_input']
    question: NotRequired[Question]
    finishedAt: None


class ExecutionResultCompleted(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[Effect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    status: Literal['completed']
    finishedAt: str


class ExecutionResultFailed(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[Effect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    status: Literal['failed']
    error: ExecutionError
    finishedAt: str


class ExecutionResultStopped(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[Effect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    status: Literal['stopped']
    finishedAt: str


class EventPage(TypedDict):
    events: list[ExecutionEvent]
    nextAfter: int


ExecutionEvent: TypeAlias = "ExecutionEventStatus | ExecutionEventPlan | ExecutionEventStepStarted | ExecutionEventStepFinished | ExecutionEventToolStarted | ExecutionEventToolFinished | ExecutionEventMessageQueued | ExecutionEventMessageApplied | ExecutionEventMessageDropped | ExecutionEventOutput | ExecutionEventQuestion | ExecutionEventLog"


class ExecutionEventStatus(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['status']
    data: ExecutionEventStatusData


class ExecutionEventStatusData(TypedDict):
    status: Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']
    statusDetail: Literal['queued', 'planning', 'running', 'retrying', 'question', 'approval', 'event', 'done', 'user_request', 'superseded', 'credits_exhausted', 'limit_reached', 'budget_reached', 'step_limit', 'timed_out', 'cannot_do', 'source_unavailable', 'model_error', 'input_timeout', 'denied', 'internal_error']
    error: NotRequired[ExecutionError]


class ExecutionEventPlan(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['plan']
    data: ExecutionEventPlanData


class ExecutionEventPlanData(TypedDict):
    parts: list[str]


class ExecutionEventStepStarted(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['step.started']
    data: ExecutionEventStepStartedData


class ExecutionEventStepStartedData(TypedDict):
    step: int


class ExecutionEventStepFinished(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['step.finished']
    data: ExecutionEventStepFinishedData


class ExecutionEventStepFinishedData(TypedDict):
    step: int
    creditsConsumed: NotRequired[int]
    model: NotRequired[str]
    durationMs: NotRequired[int]
    credits: NotRequired[int]
    usage: NotRequired[ModelUsage]


class ExecutionEventToolStarted(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['tool.started']
    data: ExecutionEventToolStartedData


class ExecutionEventToolStartedData(TypedDict):
    callId: str
    tool: str
    description: NotRequired[str]
    step: NotRequired[int]
    input: NotRequired[Any]
    truncated: NotRequired[bool]


class ExecutionEventToolFinished(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['tool.finished']
    data: ExecutionEventToolFinishedData


class ExecutionEventToolFinishedData(TypedDict):
    callId: str
    tool: NotRequired[str]
    ok: bool
    result: NotRequired[Any]
    error: NotRequired[ExecutionEventToolFinishedDataError]
    truncated: NotRequired[bool]
    durationMs: NotRequired[int]
    credits: NotRequired[int]
    cuts: NotRequired[list[str]]


class ExecutionEventToolFinishedDataError(TypedDict):
    code: str
    message: str


class ExecutionEventMessageQueued(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['message.queued']
    data: ExecutionEventMessageQueuedData


class ExecutionEventMessageQueuedData(TypedDict):
    messageId: str
    mode: NotRequired[Literal['next_step', 'interrupt']]
    text: NotRequired[str]
    event: NotRequired[Any]
    truncated: NotRequired[bool]


class ExecutionEventMessageApplied(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['message.applied']
    data: ExecutionEventMessageAppliedData


class ExecutionEventMessageAppliedData(TypedDict):
    messageId: str


class ExecutionEventMessageDropped(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['message.dropped']
    data: ExecutionEventMessageDroppedData


class ExecutionEventMessageDroppedData(TypedDict):
    messageId: str


class ExecutionEventOutput(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['output']
    data: ExecutionEventOutputData


class ExecutionEventOutputData(TypedDict):
    outputId: str
    label: str
    type: Literal['text', 'json', 'table', 'file', 'link']
    nodeType: NodeType


class ExecutionEventQuestion(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['question']
    data: ExecutionEventQuestionData


class ExecutionEventQuestionData(TypedDict):
    kind: Literal['question', 'approval']
    text: str
    callId: NotRequired[str]
    tool: NotRequired[str]
    input: NotRequired[Any]
    choices: NotRequired[list[str]]


class ExecutionEventLog(TypedDict):
    seq: int
    at: str
    version: int
    type: Literal['log']
    data: ExecutionEventLogData


class ExecutionEventLogData(TypedDict):
    message: str


class ExecutionStep(TypedDict):
    step: int
    model: str
    messages: list[ExecutionStepMessagesItem]
    reply: ExecutionStepReply | None
    tries: list[ExecutionStepTriesItem]
    usage: ExecutionStepUsage
    durationMs: int
    firstTokenMs: int | None
    tokensPerSecond: float | None
    curl: str | None


class ExecutionStepMessagesItem(TypedDict):
    role: Literal['system', 'user', 'assistant', 'tool']
    text: str
    calls: NotRequired[list[ExecutionStepMessagesItemCallsItem]]
    callId: NotRequired[str]
    tool: NotRequired[str]
    images: NotRequired[int]


class ExecutionStepMessagesItemCallsItem(TypedDict):
    callId: str
    tool: str
    input: Any


class ExecutionStepReply(TypedDict):
    text: str
    reasoning: NotRequired[str]
    calls: list[ExecutionStepReplyCallsItem]


class ExecutionStepReplyCallsItem(TypedDict):
    callId: str
    tool: str
    input: Any


class ExecutionStepTriesItem(TypedDict):
    model: str
    at: str
    status: NotRequired[int]
    error: NotRequired[str]
    durationMs: int


class ExecutionStepUsage(TypedDict):
    inputTokens: int
    cachedInputTokens: int
    outputTokens: int
    reasoningTokens: int
    costUsd: NotRequired[float]


class Message(TypedDict):
    message: NotRequired[str]
    mode: NotRequired[Literal['next_step', 'interrupt']]
    messageId: NotRequired[str]
    approval: NotRequired[MessageApproval]


class MessageApproval(TypedDict):
    callId: str
    decision: Literal['approve', 'deny']
    input: NotRequired[Any]
    comment: NotRequired[str]


class MessageAccepted(TypedDict):
    executionId: str
    messageId: str
    status: Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']
    delivery: Literal['queued']
    position: int


class Stop(TypedDict):
    reason: NotRequired[str]


class Stopped(TypedDict):
    executionId: str
    status: Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']
    statusDetail: Literal['queued', 'planning', 'running', 'retrying', 'question', 'approval', 'event', 'done', 'user_request', 'superseded', 'credits_exhausted', 'limit_reached', 'budget_reached', 'step_limit', 'timed_out', 'cannot_do', 'source_unavailable', 'model_error', 'input_timeout', 'denied', 'internal_error']
    version: int


class NewScore(TypedDict):
    name: str
    value: float | bool
    comment: NotRequired[str]


class Score(TypedDict):
    name: str
    value: float | bool
    comment: str | None
    by: By
    at: str


class ListScoresAnswer(TypedDict):
    scores: list[Score]


class Fork(TypedDict):
    afterStep: NotRequired[int]
    message: NotRequired[str]
    model: NotRequired[str | list[str]]
    tools: NotRequired[list[ToolReference]]
    maxCredits: NotRequired[int]
    acknowledgeUncertain: NotRequired[bool]


class ForkAccepted(TypedDict):
    executionId: str
    status: Literal['active']
    availableCredits: int
    forkOf: ForkOf


Retries = TypedDict(
    "Retries",
    {
        "query": "RetriesQuery",
        "from": NotRequired["Literal['start', 'failure']"],
        "perMinute": NotRequired["int"],
        "dryRun": NotRequired["bool"],
    },
)


class RetriesQuery(TypedDict):
    status: Literal['failed', 'stopped'] | list[Literal['failed', 'stopped']]
    statusDetail: NotRequired[Literal['queued', 'planning', 'running', 'retrying', 'question', 'approval', 'event', 'done', 'user_request', 'superseded', 'credits_exhausted', 'limit_reached', 'budget_reached', 'step_limit', 'timed_out', 'cannot_do', 'source_unavailable', 'model_error', 'input_timeout', 'denied', 'internal_error'] | list[Literal['queued', 'planning', 'running', 'retrying', 'question', 'approval', 'event', 'done', 'user_request', 'superseded', 'credits_exhausted', 'limit_reached', 'budget_reached', 'step_limit', 'timed_out', 'cannot_do', 'source_unavailable', 'model_error', 'input_timeout', 'denied', 'internal_error']]]
    workflowId: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]
    executionIds: NotRequired[list[str]]


class Retry(TypedDict):
    retryId: str
    status: Literal['running', 'completed', 'cancelled']
    matched: int
    started: int
    skipped: int
    refused: int
    createdAt: str
    finishedAt: str | None


class RetryForecast(TypedDict):
    matched: int
    wouldStart: int
    wouldBeRefused: int
    estimatedCredits: int
    sample: list[RetryVerdict]


class RetryVerdict(TypedDict):
    executionId: str
    verdict: Literal['start', 'skip', 'refuse']
    reason: str | None


class CallbackLog(TypedDict):
    attempts: list[CallbackLogAttemptsItem]
    state: Literal['none', 'pending', 'delivered', 'failed']


class CallbackLogAttemptsItem(TypedDict):
    attempt: int
    event: str
    webhookId: str
    at: str
    url: str
    status: int | None
    durationMs: int
    error: NotRequired[str]
    nextAttemptAt: NotRequired[str]


class Redeliver(TypedDict):
    callbackUrl: NotRequired[str]


class Credits(TypedDict):
    availableCredits: int
    reservedCredits: int
    consumedCredits: int
    updatedAt: str


class DecisionPage(TypedDict):
    decisions: list[Decision]
    nextCursor: str | None


class Decision(TypedDict):
    decisionId: str
    executionId: str
    kind: Literal['question', 'approval']
    title: str
    promptPreview: str
    question: NotRequired[str]
    choices: NotRequired[list[str]]
    tool: NotRequired[str]
    input: NotRequired[Any]
    askedInput: NotRequired[Any]
    inputSchema: NotRequired[dict[str, Any]]
    requestedAt: str
    expiresAt: str
    remindedAt: NotRequired[str]
    state: Literal['open', 'answered', 'expired', 'withdrawn']
    decision: NotRequired[Literal['approve', 'deny']]
    answer: NotRequired[str]
    comment: NotRequired[str]
    by: NotRequired[By]
    via: NotRequired[Literal['api', 'dashboard', 'link', 'mcp']]
    answeredAt: NotRequired[str]


class Decide(TypedDict):
    decision: NotRequired[Literal['approve', 'deny']]
    input: NotRequired[Any]
    comment: NotRequired[str]
    answer: NotRequired[str]


class Workflow(TypedDict):
    workflowId: str
    name: str
    prompt: str
    inputs: list[WorkflowInput]
    callbackUrl: NotRequired[str]
    callbackSecret: NotRequired[ShownSecret]
    model: NotRequired[str | list[str]]
    tools: NotRequired[list[ToolReference]]
    approvals: NotRequired[list[ToolReference]]
    allowedHosts: NotRequired[list[str]]
    connections: NotRequired[list[str]]
    maxCredits: NotRequired[int]
    maxCostUsd: NotRequired[float]
    limits: NotRequired[StoredLimits]
    maxSteps: NotRequired[int]
    timeoutSeconds: NotRequired[int]
    outputSchema: NotRequired[dict[str, Any]]
    expect: NotRequired[Expectation]
    rehearseBeforeSave: NotRequired[bool]
    notify: NotRequired[list[DecisionRecipientOutput]]
    remindAfterSeconds: NotRequired[int]
    escalateTo: NotRequired[list[DecisionRecipientOutput]]
    onTimeout: NotRequired[Literal['fail', 'deny']]
    scores: NotRequired[list[ScoreAverage]]
    revision: int
    externalId: str | None
    managedBy: WorkflowManagedBy | None
    createdAt: str
    updatedAt: str


class WorkflowInput(TypedDict):
    name: str
    type: Literal['string', 'number', 'integer', 'boolean', 'timestamp', 'object', 'array']
    required: bool
    default: Any
    description: str


class ShownSecret(TypedDict):
    set: Literal[True]
    last4: str


class StoredLimits(TypedDict):
    creditsPerDay: NotRequired[int]
    executionsPerHour: NotRequired[int]
    onExceeded: Literal['hold', 'ask', 'fail']


class Expectation(TypedDict):
    callsTool: NotRequired[list[ToolReference]]
    notCallsTool: NotRequired[list[ToolReference]]
    callOrder: NotRequired[list[ToolReference]]
    data: NotRequired[dict[str, Any]]
    maxCredits: NotRequired[int]


class ScoreAverage(TypedDict):
    name: str
    revision: int | None
    model: str
    average: float
    count: int


class WorkflowManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class CreateWorkflow(TypedDict):
    name: str
    prompt: str
    inputs: NotRequired[list[WorkflowInputDraft] | None]
    callbackUrl: NotRequired[str | None]
    callbackSecret: NotRequired[str | None]
    model: NotRequired[str | list[str] | None]
    tools: NotRequired[list[ToolReference] | None]
    approvals: NotRequired[list[ToolReference] | None]
    allowedHosts: NotRequired[list[str] | None]
    connections: NotRequired[list[str] | None]
    maxCredits: NotRequired[int | None]
    maxCostUsd: NotRequired[float | None]
    limits: NotRequired[Limits | None]
    maxSteps: NotRequired[int | None]
    timeoutSeconds: NotRequired[int | None]
    outputSchema: NotRequired[dict[str, Any] | None]
    expect: NotRequired[Expectation | None]
    rehearseBeforeSave: NotRequired[bool | None]
    notify: NotRequired[list[DecisionRecipient] | None]
    remindAfterSeconds: NotRequired[int | None]
    escalateTo: NotRequired[list[DecisionRecipient] | None]
    onTimeout: NotRequired[Literal['fail', 'deny'] | None]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[CreateWorkflowManagedBy | None]


class WorkflowInputDraft(TypedDict):
    name: str
    type: NotRequired[Literal['string', 'number', 'integer', 'boolean', 'timestamp', 'object', 'array']]
    required: NotRequired[bool]
    default: NotRequired[Any]
    description: NotRequired[str]


class Limits(TypedDict):
    creditsPerDay: NotRequired[int]
    executionsPerHour: NotRequired[int]
    onExceeded: NotRequired[Literal['hold', 'ask', 'fail']]


class CreateWorkflowManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class WorkflowApplied(TypedDict):
    workflowId: str
    name: str
    prompt: str
    inputs: list[WorkflowInput]
    callbackUrl: NotRequired[str]
    callbackSecret: NotRequired[ShownSecret]
    model: NotRequired[str | list[str]]
    tools: NotRequired[list[ToolReference]]
    approvals: NotRequired[list[ToolReference]]
    allowedHosts: NotRequired[list[str]]
    connections: NotRequired[list[str]]
    maxCredits: NotRequired[int]
    maxCostUsd: NotRequired[float]
    limits: NotRequired[StoredLimits]
    maxSteps: NotRequired[int]
    timeoutSeconds: NotRequired[int]
    outputSchema: NotRequired[dict[str, Any]]
    expect: NotRequired[Expectation]
    rehearseBeforeSave: NotRequired[bool]
    notify: NotRequired[list[DecisionRecipientOutput]]
    remindAfterSeconds: NotRequired[int]
    escalateTo: NotRequired[list[DecisionRecipientOutput]]
    onTimeout: NotRequired[Literal['fail', 'deny']]
    scores: NotRequired[list[ScoreAverage]]
    revision: int
    externalId: str | None
    managedBy: WorkflowAppliedManagedBy | None
    createdAt: str
    updatedAt: str
    changed: bool


class WorkflowAppliedManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class WorkflowPage(TypedDict):
    workflows: list[Workflow]
    nextCursor: str | None


class UpdateWorkflow(TypedDict):
    name: NotRequired[str]
    prompt: NotRequired[str]
    inputs: NotRequired[list[WorkflowInputDraft] | None]
    callbackUrl: NotRequired[str | None]
    callbackSecret: NotRequired[str | None]
    model: NotRequired[str | list[str] | None]
    tools: NotRequired[list[ToolReference] | None]
    approvals: NotRequired[list[ToolReference] | None]
    allowedHosts: NotRequired[list[str] | None]
    connections: NotRequired[list[str] | None]
    maxCredits: NotRequired[int | None]
    maxCostUsd: NotRequired[float | None]
    limits: NotRequired[Limits | None]
    maxSteps: NotRequired[int | None]
    timeoutSeconds: NotRequired[int | None]
    outputSchema: NotRequired[dict[str, Any] | None]
    expect: NotRequired[Expectation | None]
    rehearseBeforeSave: NotRequired[bool | None]
    notify: NotRequired[list[DecisionRecipient] | None]
    remindAfterSeconds: NotRequired[int | None]
    escalateTo: NotRequired[list[DecisionRecipient] | None]
    onTimeout: NotRequired[Literal['fail', 'deny'] | None]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[UpdateWorkflowManagedBy | None]


class UpdateWorkflowManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class RunWorkflow(TypedDict):
    inputs: NotRequired[dict[str, Any]]
    files: NotRequired[list[GivenFile]]


class WorkflowRevisionPage(TypedDict):
    revisions: list[WorkflowRevision]
    nextCursor: str | None


class WorkflowRevision(TypedDict):
    revision: int
    createdAt: str
    by: By | None
    content: WorkflowContent


class WorkflowContent(TypedDict):
    name: str
    prompt: str
    inputs: list[WorkflowInput]
    callbackUrl: NotRequired[str]
    callbackSecret: NotRequired[ShownSecret]
    model: NotRequired[str | list[str]]
    tools: NotRequired[list[ToolReference]]
    approvals: NotRequired[list[ToolReference]]
    allowedHosts: NotRequired[list[str]]
    connections: NotRequired[list[str]]
    maxCredits: NotRequired[int]
    maxCostUsd: NotRequired[float]
    limits: NotRequired[StoredLimits]
    maxSteps: NotRequired[int]
    timeoutSeconds: NotRequired[int]
    outputSchema: NotRequired[dict[str, Any]]
    expect: NotRequired[Expectation]
    rehearseBeforeSave: NotRequired[bool]
    notify: NotRequired[list[DecisionRecipientOutput]]
    remindAfterSeconds: NotRequired[int]
    escalateTo: NotRequired[list[DecisionRecipientOutput]]
    onTimeout: NotRequired[Literal['fail', 'deny']]


class Rehearse(TypedDict):
    draft: NotRequired[UpdateWorkflow]
    last: NotRequired[int]
    executionIds: NotRequired[list[str]]
    requestIds: NotRequired[list[str]]
    reads: NotRequired[Literal['recorded', 'live']]


class RehearsalAccepted(TypedDict):
    rehearsalId: str


class Rehearsal(TypedDict):
    rehearsalId: str
    workflowId: str
    status: Literal['running', 'completed']
    results: list[RehearsalResult]
    totals: RehearsalTotals


class RehearsalResult(TypedDict):
    executionId: str
    requestId: str | None
    rehearsalExecutionId: str
    status: Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']
    effects: RehearsalResultEffects
    dataDiff: list[RehearsalResultDataDiffItem]
    steps: int
    credits: int
    durationMs: int
    before: RehearsalResultBefore
    failures: list[str]


class RehearsalResultEffects(TypedDict):
    same: int
    added: list[RehearsedCall]
    removed: list[RehearsedCall]
    changed: list[RehearsalResultEffectsChangedItem]


class RehearsedCall(TypedDict):
    tool: str
    input: Any


class RehearsalResultEffectsChangedItem(TypedDict):
    before: RehearsedCall
    after: RehearsedCall


class RehearsalResultDataDiffItem(TypedDict):
    path: str
    before: NotRequired[Any]
    after: NotRequired[Any]


class RehearsalResultBefore(TypedDict):
    steps: int
    credits: int
    durationMs: int


class RehearsalTotals(TypedDict):
    rehearsed: int
    changed: int
    failed: int
    credits: int
    creditsBefore: int


class Schedule(TypedDict):
    scheduleId: str
    name: str | None
    workflowId: str
    inputs: dict[str, Any]
    timeZone: str
    overlap: Literal['skip', 'queue', 'allow']
    catchUp: Literal['none', 'last', 'all']
    enabled: bool
    cron: NotRequired[str]
    everySeconds: NotRequired[int]
    at: NotRequired[str]
    next: list[str]
    lastRuns: list[ScheduleRun]
    revision: int
    externalId: str | None
    managedBy: ScheduleManagedBy | None
    createdAt: str
    updatedAt: str


class ScheduleRun(TypedDict):
    scheduledFor: str
    executionId: str | None
    status: Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped'] | None
    skipped: Literal['overlap', 'missed', 'queue_full', 'suspended', 'workflow_deleted'] | None


class ScheduleManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class CreateSchedule(TypedDict):
    name: NotRequired[str | None]
    workflowId: str
    inputs: NotRequired[dict[str, Any]]
    timeZone: NotRequired[str]
    overlap: NotRequired[Literal['skip', 'queue', 'allow']]
    catchUp: NotRequired[Literal['none', 'last', 'all']]
    enabled: NotRequired[bool]
    cron: NotRequired[str]
    everySeconds: NotRequired[int]
    at: NotRequired[str]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[CreateScheduleManagedBy | None]


class CreateScheduleManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class ScheduleApplied(TypedDict):
    scheduleId: str
    name: str | None
    workflowId: str
    inputs: dict[str, Any]
    timeZone: str
    overlap: Literal['skip', 'queue', 'allow']
    catchUp: Literal['none', 'last', 'all']
    enabled: bool
    cron: NotRequired[str]
    everySeconds: NotRequired[int]
    at: NotRequired[str]
    next: list[str]
    lastRuns: list[ScheduleRun]
    revision: int
    externalId: str | None
    managedBy: ScheduleAppliedManagedBy | None
    createdAt: str
    updatedAt: str
    changed: bool


class ScheduleAppliedManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class SchedulePage(TypedDict):
    schedules: list[Schedule]
    nextCursor: str | None


class UpdateSchedule(TypedDict):
    name: NotRequired[str | None]
    workflowId: NotRequired[str]
    inputs: NotRequired[dict[str, Any]]
    timeZone: NotRequired[str]
    overlap: NotRequired[Literal['skip', 'queue', 'allow']]
    catchUp: NotRequired[Literal['none', 'last', 'all']]
    enabled: NotRequired[bool]
    cron: NotRequired[str]
    everySeconds: NotRequired[int]
    at: NotRequired[str]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[UpdateScheduleManagedBy | None]


class UpdateScheduleManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class Endpoint(TypedDict):
    endpointId: str
    name: str
    url: str
    path: str | None
    workflowId: str | None
    routing: Routing | None
    enabled: bool
    methods: list[Literal['POST', 'GET']]
    auth: EndpointAuth
    replayProtection: ReplayProtection
    eventId: FieldPlace | Literal[False] | None
    onDuplicate: Literal['skip', 'run']
    withoutWorkflow: Literal['hold', 'log']
    validation: Validation
    mapping: Mapping
    retentionDays: int
    requestsPerMinute: int
    limits: StoredLimits | None
    split: EndpointSplit | None
    response: HookResponse | None
    source: Source
    queuedCount: int | None
    revision: int
    externalId: str | None
    managedBy: EndpointManagedBy | None
    createdAt: str
    updatedAt: str


class Routing(TypedDict):
    routes: list[Route]


class Route(TypedDict):
    name: str
    when: NotRequired[Condition]
    workflowId: str
    mapping: Mapping
    validation: NotRequired[RouteValidation]
    key: NotRequired[RouteKey1 | RouteKey2]
    onEvent: NotRequired[Literal['queue', 'message', 'collect', 'replace']]
    quietSeconds: NotRequired[int]
    maxWaitSeconds: NotRequired[int]
    wake: NotRequired[Literal['all', 'one']]


Condition = TypedDict(
    "Condition",
    {
        "in": NotRequired["Literal['body', 'header', 'query']"],
        "path": NotRequired["str"],
        "exists": NotRequired["bool"],
        "equals": NotRequired["Any"],
        "oneOf": NotRequired["list[Any]"],
        "matches": NotRequired["str"],
        "ignoreCase": NotRequired["bool"],
        "gt": NotRequired["float | str"],
        "gte": NotRequired["float | str"],
        "lt": NotRequired["float | str"],
        "lte": NotRequired["float | str"],
        "all": NotRequired["list[Condition]"],
        "any": NotRequired["list[Condition]"],
        "not": NotRequired["Condition"],
        "jsonata": NotRequired["str"],
    },
)


class Mapping(TypedDict):
    auto: bool
    emptyIsAbsent: NotRequired[bool]
    fields: list[MappedField]


MappedField = TypedDict(
    "MappedField",
    {
        "to": "str",
        "in": NotRequired["Literal['body', 'header', 'query']"],
        "from": "str | None",
        "transforms": "list[Transform]",
        "default": NotRequired["Any"],
    },
)


Transform: TypeAlias = "TransformTimestamp | TransformDomain | TransformUnit | TransformNumber | TransformInteger | TransformBoolean | TransformString | TransformTrim | TransformLower | TransformUpper | TransformReplace | TransformSplit | TransformJoin | TransformFirst | TransformLast | TransformLength | TransformJson | TransformTemplate | TransformJsonata"


TransformTimestamp = TypedDict(
    "TransformTimestamp",
    {
        "type": "Literal['timestamp']",
        "from": "Literal['auto', 'iso', 'epoch_seconds', 'epoch_ms', 'date', 'epoch_us', 'epoch_ns']",
        "to": "Literal['iso', 'epoch_seconds', 'epoch_ms', 'date']",
        "timeZone": NotRequired["str"],
    },
)


class TransformDomain(TypedDict):
    type: Literal['domain']
    level: Literal['registrable', 'host']


TransformUnit = TypedDict(
    "TransformUnit",
    {
        "type": "Literal['unit']",
        "from": "str",
        "to": "str",
        "currency": NotRequired["str"],
    },
)


class TransformNumber(TypedDict):
    type: Literal['number']


class TransformInteger(TypedDict):
    type: Literal['integer']


class TransformBoolean(TypedDict):
    type: Literal['boolean']


class TransformString(TypedDict):
    type: Literal['string']


class TransformTrim(TypedDict):
    type: Literal['trim']


class TransformLower(TypedDict):
    type: Literal['lower']


class TransformUpper(TypedDict):
    type: Literal['upper']


TransformReplace = TypedDict(
    "TransformReplace",
    {
        "type": "Literal['replace']",
        "search": "str",
        "with": "str",
        "pattern": "bool",
    },
)


class TransformSplit(TypedDict):
    type: Literal['split']
    separator: str


class TransformJoin(TypedDict):
    type: Literal['join']
    separator: str


class TransformFirst(TypedDict):
    type: Literal['first']


class TransformLast(TypedDict):
    type: Literal['last']


class TransformLength(TypedDict):
    type: Literal['length']


class TransformJson(TypedDict):
    type: Literal['json']


class TransformTemplate(TypedDict):
    type: Literal['template']
    template: str


class TransformJsonata(TypedDict):
    type: Literal['jsonata']
    expression: str


class RouteValidation(TypedDict):
    required: list[str]
    types: dict[str, Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'timestamp']]
    schema: dict[str, Any] | None
    formats: NotRequired[Literal['assert', 'annotate']]


RouteKey1 = TypedDict(
    "RouteKey1",
    {
        "in": NotRequired["Literal['body', 'header', 'query']"],
        "path": "str",
    },
)


class RouteKey2(TypedDict):
    template: str


class EndpointAuth(TypedDict):
    token: NotRequired[EndpointAuthToken]
    hmac: NotRequired[EndpointAuthHmac]
    signature: NotRequired[EndpointAuthSignature]
    ipAllowlist: NotRequired[list[str]]
    headers: NotRequired[list[EndpointAuthHeadersItem]]


EndpointAuthToken = TypedDict(
    "EndpointAuthToken",
    {
        "preset": NotRequired["Literal['cloudevents', 'event-grid', 'figma', 'gitlab', 'microsoft-graph', 'okta', 'postmark', 'telegram']"],
        "header": NotRequired["str"],
        "in": NotRequired["Literal['query', 'body', 'basic']"],
        "name": NotRequired["str"],
        "secret": "RotatedSecret",
    },
)


class RotatedSecret(TypedDict):
    set: Literal[True]
    last4: str
    previousValidUntil: NotRequired[str]


EndpointAuthHmac = TypedDict(
    "EndpointAuthHmac",
    {
        "preset": NotRequired["Literal['github', 'stripe', 'shopify', 'slack', 'standard-webhooks', 'zoom', 'twitch', 'square', 'twilio', 'adyen', 'asana', 'bitbucket', 'box', 'braintree', 'calendly', 'clerk', 'coinbase', 'contentful', 'docusign', 'dropbox', 'hubspot', 'intercom', 'jira', 'line', 'linear', 'mailgun', 'mcp', 'meta', 'monday', 'notion', 'paddle', 'pagerduty', 'plivo', 'razorpay', 'recurly', 'resend', 'sentry', 'svix', 'trello', 'typeform', 'vercel', 'woocommerce', 'zendesk']"],
        "secret": "RotatedSecret",
        "header": NotRequired["str"],
        "form": NotRequired["Literal['plain', 'list', 'items', 'pairs', 'jwt']"],
        "prefix": NotRequired["str"],
        "prefixOptional": NotRequired["bool"],
        "encoding": NotRequired["Literal['hex', 'base64']"],
        "algorithm": NotRequired["Literal['sha1', 'sha256', 'sha384', 'sha512']"],
        "template": NotRequired["str"],
        "timestampHeader": NotRequired["str | None"],
        "timestampPair": NotRequired["str | None"],
        "idHeader": NotRequired["str | None"],
        "aliases": NotRequired["list[EndpointAuthHmacAliasesItem]"],
        "furtherHeaders": NotRequired["list[str]"],
        "secretEncoding": NotRequired["Literal['utf8', 'base64', 'hex', 'whsec', 'sha1']"],
        "in": NotRequired["Literal['body']"],
        "signedHeaders": NotRequired["EndpointAuthHmacSignedHeaders"],
        "alternatives": NotRequired["list[str]"],
        "bodyClaim": NotRequired["str"],
    },
)


class EndpointAuthHmacAliasesItem(TypedDict):
    header: str
    timestampHeader: str | None
    idHeader: str | None


class EndpointAuthHmacSignedHeaders(TypedDict):
    header: NotRequired[str]
    pair: NotRequired[str]
    item: str
    separator: str


EndpointAuthSignature = TypedDict(
    "EndpointAuthSignature",
    {
        "preset": NotRequired["Literal['app-store', 'aws-sns', 'discord', 'paypal', 'sendgrid', 'standard-webhooks-v1a', 'travis-ci']"],
        "publicKey": NotRequired["str"],
        "audience": NotRequired["str"],
        "algorithm": NotRequired["Literal['ed25519', 'ecdsa-p256-sha256', 'rsa-sha256', 'rsa-sha512', 'rsa-sha1', 'jwt', 'http-message-signatures']"],
        "in": NotRequired["Literal['body']"],
        "header": NotRequired["str"],
        "prefix": NotRequired["str"],
        "bodyClaim": NotRequired["str"],
        "issuer": NotRequired["str"],
        "jwksUrl": NotRequired["str"],
        "certificates": NotRequired["EndpointAuthSignatureCertificates"],
        "maxAgeSeconds": NotRequired["int | None"],
        "form": NotRequired["Literal['plain', 'list', 'items', 'pairs', 'jwt']"],
        "prefixOptional": NotRequired["bool"],
        "encoding": NotRequired["Literal['hex', 'base64']"],
        "template": NotRequired["str"],
        "timestampHeader": NotRequired["str | None"],
        "timestampPair": NotRequired["str | None"],
        "idHeader": NotRequired["str | None"],
        "aliases": NotRequired["list[EndpointAuthSignatureAliasesItem]"],
        "furtherHeaders": NotRequired["list[str]"],
        "signedHeaders": NotRequired["EndpointAuthSignatureSignedHeaders"],
        "alternatives": NotRequired["list[str]"],
        "orSha1": NotRequired["Literal[True]"],
    },
)


class EndpointAuthSignatureCertificates(TypedDict):
    leaf: NotRequired[str]
    issuer: NotRequired[str]


class EndpointAuthSignatureAliasesItem(TypedDict):
    header: str
    timestampHeader: str | None
    idHeader: str | None


class EndpointAuthSignatureSignedHeaders(TypedDict):
    header: NotRequired[str]
    pair: NotRequired[str]
    item: str
    separator: str


class EndpointAuthHeadersItem(TypedDict):
    name: str
    value: NotRequired[ShownSecret]


class ReplayProtection(TypedDict):
    enabled: bool
    toleranceSeconds: int
    timestamp: FieldPlace | None


FieldPlace = TypedDict(
    "FieldPlace",
    {
        "in": "Literal['header', 'body']",
        "path": "str",
    },
)


class Validation(TypedDict):
    required: list[str]
    types: dict[str, Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'timestamp']]
    schema: dict[str, Any] | None
    formats: NotRequired[Literal['assert', 'annotate']]
    files: NotRequired[bool]
    maxBytes: int


class EndpointSplit(TypedDict):
    path: str


class HookResponse(TypedDict):
    status: NotRequired[int]
    headers: NotRequired[dict[str, str]]
    body: NotRequired[str]


class Source(TypedDict):
    mcpServerId: str
    event: str
    arguments: dict[str, Any]
    state: Literal['pending', 'active', 'failing', 'ended']
    reason: str | None


class EndpointManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class CreateEndpoint(TypedDict):
    name: str
    path: NotRequired[str | None]
    workflowId: NotRequired[str | None]
    routing: NotRequired[RoutingDraft | None]
    enabled: NotRequired[bool]
    methods: NotRequired[list[Literal['POST', 'GET']]]
    auth: NotRequired[EndpointAuthDraft]
    replayProtection: NotRequired[ReplayProtectionDraft]
    eventId: NotRequired[FieldPlace | Literal[False] | None]
    onDuplicate: NotRequired[Literal['skip', 'run']]
    withoutWorkflow: NotRequired[Literal['hold', 'log']]
    validation: NotRequired[ValidationDraft]
    mapping: NotRequired[MappingDraft]
    retentionDays: NotRequired[int]
    requestsPerMinute: NotRequired[int]
    limits: NotRequired[Limits | None]
    split: NotRequired[CreateEndpointSplit | None]
    response: NotRequired[HookResponse | None]
    source: NotRequired[CreateEndpointSource | None]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[CreateEndpointManagedBy | None]


class RoutingDraft(TypedDict):
    routes: list[RoutingDraftRoutesItem]


class RoutingDraftRoutesItem(TypedDict):
    name: str
    when: NotRequired[Condition]
    workflowId: str
    mapping: NotRequired[MappingDraft]
    validation: NotRequired[RouteValidationDraft]
    key: NotRequired[RoutingDraftRoutesItemKey1 | RoutingDraftRoutesItemKey2]
    onEvent: NotRequired[Literal['queue', 'message', 'collect', 'replace']]
    quietSeconds: NotRequired[int]
    maxWaitSeconds: NotRequired[int]
    wake: NotRequired[Literal['all', 'one']]


class MappingDraft(TypedDict):
    auto: NotRequired[bool]
    emptyIsAbsent: NotRequired[bool]
    fields: NotRequired[list[MappedFieldDraft]]


MappedFieldDraft = TypedDict(
    "MappedFieldDraft",
    {
        "to": "str",
        "in": NotRequired["Literal['body', 'header', 'query']"],
        "from": NotRequired["str | None"],
        "transforms": NotRequired["list[TransformDraft]"],
        "default": NotRequired["Any"],
    },
)


TransformDraft: TypeAlias = "TransformDraftTimestamp | TransformDraftDomain | TransformDraftUnit | TransformDraftNumber | TransformDraftInteger | TransformDraftBoolean | TransformDraftString | TransformDraftTrim | TransformDraftLower | TransformDraftUpper | TransformDraftReplace | TransformDraftSplit | TransformDraftJoin | TransformDraftFirst | TransformDraftLast | TransformDraftLength | TransformDraftJson | TransformDraftTemplate | TransformDraftJsonata"


TransformDraftTimestamp = TypedDict(
    "TransformDraftTimestamp",
    {
        "type": "Literal['timestamp']",
        "from": NotRequired["Literal['auto', 'iso', 'epoch_seconds', 'epoch_ms', 'date', 'epoch_us', 'epoch_ns']"],
        "to": NotRequired["Literal['iso', 'epoch_seconds', 'epoch_ms', 'date']"],
        "timeZone": NotRequired["str"],
    },
)


class TransformDraftDomain(TypedDict):
    type: Literal['domain']
    level: NotRequired[Literal['registrable', 'host']]


TransformDraftUnit = TypedDict(
    "TransformDraftUnit",
    {
        "type": "Literal['unit']",
        "from": "str",
        "to": "str",
        "currency": NotRequired["str"],
    },
)


class TransformDraftNumber(TypedDict):
    type: Literal['number']


class TransformDraftInteger(TypedDict):
    type: Literal['integer']


class TransformDraftBoolean(TypedDict):
    type: Literal['boolean']


class TransformDraftString(TypedDict):
    type: Literal['string']


class TransformDraftTrim(TypedDict):
    type: Literal['trim']


class TransformDraftLower(TypedDict):
    type: Literal['lower']


class TransformDraftUpper(TypedDict):
    type: Literal['upper']


TransformDraftReplace = TypedDict(
    "TransformDraftReplace",
    {
        "type": "Literal['replace']",
        "search": "str",
        "with": NotRequired["str"],
        "pattern": NotRequired["bool"],
    },
)


class TransformDraftSplit(TypedDict):
    type: Literal['split']
    separator: NotRequired[str]


class TransformDraftJoin(TypedDict):
    type: Literal['join']
    separator: NotRequired[str]


class TransformDraftFirst(TypedDict):
    type: Literal['first']


class TransformDraftLast(TypedDict):
    type: Literal['last']


class TransformDraftLength(TypedDict):
    type: Literal['length']


class TransformDraftJson(TypedDict):
    type: Literal['json']


class TransformDraftTemplate(TypedDict):
    type: Literal['template']
    template: str


class TransformDraftJsonata(TypedDict):
    type: Literal['jsonata']
    expression: str


class RouteValidationDraft(TypedDict):
    required: NotRequired[list[str]]
    types: NotRequired[dict[str, Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'timestamp']]]
    schema: NotRequired[dict[str, Any] | None]
    formats: NotRequired[Literal['assert', 'annotate']]


RoutingDraftRoutesItemKey1 = TypedDict(
    "RoutingDraftRoutesItemKey1",
    {
        "in": NotRequired["Literal['body', 'header', 'query']"],
        "path": "str",
    },
)


class RoutingDraftRoutesItemKey2(TypedDict):
    template: str


class EndpointAuthDraft(TypedDict):
    token: NotRequired[EndpointAuthDraftToken | None]
    hmac: NotRequired[PresetSignature | CustomSignature | None]
    signature: NotRequired[KeyPreset | KeySignature | JwtSignature | None]
    ipAllowlist: NotRequired[list[str] | None]
    headers: NotRequired[list[EndpointAuthDraftHeadersItem]]


EndpointAuthDraftToken = TypedDict(
    "EndpointAuthDraftToken",
    {
        "preset": NotRequired["Literal['cloudevents', 'event-grid', 'figma', 'gitlab', 'microsoft-graph', 'okta', 'postmark', 'telegram']"],
        "header": NotRequired["str"],
        "in": NotRequired["Literal['header', 'query', 'body', 'basic']"],
        "name": NotRequired["str"],
        "secret": NotRequired["str"],
    },
)


class PresetSignature(TypedDict):
    preset: Literal['github', 'stripe', 'shopify', 'slack', 'standard-webhooks', 'zoom', 'twitch', 'square', 'twilio', 'adyen', 'asana', 'bitbucket', 'box', 'braintree', 'calendly', 'clerk', 'coinbase', 'contentful', 'docusign', 'dropbox', 'hubspot', 'intercom', 'jira', 'line', 'linear', 'mailgun', 'mcp', 'meta', 'monday', 'notion', 'paddle', 'pagerduty', 'plivo', 'razorpay', 'recurly', 'resend', 'sentry', 'svix', 'trello', 'typeform', 'vercel', 'woocommerce', 'zendesk']
    secret: NotRequired[str]


CustomSignature = TypedDict(
    "CustomSignature",
    {
        "header": NotRequired["str"],
        "form": NotRequired["Literal['plain', 'list', 'items', 'pairs', 'jwt']"],
        "prefix": NotRequired["str"],
        "encoding": NotRequired["Literal['hex', 'base64']"],
        "algorithm": NotRequired["Literal['sha1', 'sha256', 'sha384', 'sha512']"],
        "template": NotRequired["str"],
        "timestampHeader": NotRequired["str"],
        "timestampPair": NotRequired["str"],
        "idHeader": NotRequired["str"],
        "in": NotRequired["Literal['body']"],
        "signedHeaders": NotRequired["CustomSignatureSignedHeaders"],
        "secretEncoding": NotRequired["Literal['utf8', 'base64', 'hex', 'whsec', 'sha1']"],
        "bodyClaim": NotRequired["str"],
        "secret": NotRequired["str"],
    },
)


class CustomSignatureSignedHeaders(TypedDict):
    header: NotRequired[str]
    pair: NotRequired[str]
    item: NotRequired[str]
    separator: NotRequired[str]


class KeyPreset(TypedDict):
    preset: Literal['app-store', 'aws-sns', 'discord', 'paypal', 'sendgrid', 'standard-webhooks-v1a', 'travis-ci']
    publicKey: NotRequired[str]
    audience: NotRequired[str]


KeySignature = TypedDict(
    "KeySignature",
    {
        "header": NotRequired["str"],
        "form": NotRequired["Literal['plain', 'list', 'items', 'pairs']"],
        "prefix": NotRequired["str"],
        "encoding": NotRequired["Literal['hex', 'base64']"],
        "algorithm": "Literal['ed25519', 'ecdsa-p256-sha256', 'rsa-sha256', 'rsa-sha512', 'rsa-sha1']",
        "template": NotRequired["str"],
        "timestampHeader": NotRequired["str"],
        "timestampPair": NotRequired["str"],
        "idHeader": NotRequired["str"],
        "in": NotRequired["Literal['body']"],
        "signedHeaders": NotRequired["KeySignatureSignedHeaders"],
        "publicKey": "str",
    },
)


class KeySignatureSignedHeaders(TypedDict):
    header: NotRequired[str]
    pair: NotRequired[str]
    item: NotRequired[str]
    separator: NotRequired[str]


JwtSignature = TypedDict(
    "JwtSignature",
    {
        "algorithm": "Literal['jwt']",
        "in": NotRequired["Literal['body']"],
        "header": NotRequired["str"],
        "prefix": NotRequired["str"],
        "bodyClaim": NotRequired["str"],
        "issuer": NotRequired["str"],
        "jwksUrl": NotRequired["str"],
        "certificates": NotRequired["JwtSignatureCertificates"],
        "maxAgeSeconds": NotRequired["int | None"],
        "publicKey": NotRequired["str"],
        "audience": NotRequired["str"],
    },
)


class JwtSignatureCertificates(TypedDict):
    leaf: NotRequired[str]
    issuer: NotRequired[str]


class EndpointAuthDraftHeadersItem(TypedDict):
    name: str
    value: NotRequired[str | None]


class ReplayProtectionDraft(TypedDict):
    enabled: NotRequired[bool]
    toleranceSeconds: NotRequired[int]
    timestamp: NotRequired[FieldPlace | None]


class ValidationDraft(TypedDict):
    required: NotRequired[list[str]]
    types: NotRequired[dict[str, Literal['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'timestamp']]]
    schema: NotRequired[dict[str, Any] | None]
    formats: NotRequired[Literal['assert', 'annotate']]
    files: NotRequired[bool]
    maxBytes: NotRequired[int]


class CreateEndpointSplit(TypedDict):
    path: str


class CreateEndpointSource(TypedDict):
    mcpServerId: str
    event: str
    arguments: NotRequired[dict[str, Any]]


class CreateEndpointManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class EndpointApplied(TypedDict):
    endpointId: str
    name: str
    url: str
    path: str | None
    workflowId: str | None
    routing: Routing | None
    enabled: bool
    methods: list[Literal['POST', 'GET']]
    auth: EndpointAuth
    replayProtection: ReplayProtection
    eventId: FieldPlace | Literal[False] | None
    onDuplicate: Literal['skip', 'run']
    withoutWorkflow: Literal['hold', 'log']
    validation: Validation
    mapping: Mapping
    retentionDays: int
    requestsPerMinute: int
    limits: StoredLimits | None
    split: EndpointAppliedSplit | None
    response: HookResponse | None
    source: Source
    queuedCount: int | None
    revision: int
    externalId: str | None
    managedBy: EndpointAppliedManagedBy | None
    createdAt: str
    updatedAt: str
    secrets: NotRequired[EndpointAppliedSecrets]
    changed: bool


class EndpointAppliedSplit(TypedDict):
    path: str


class EndpointAppliedManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class EndpointAppliedSecrets(TypedDict):
    token: NotRequired[str]
    hmac: NotRequired[str]


class EndpointSaved(TypedDict):
    endpointId: str
    name: str
    url: str
    path: str | None
    workflowId: str | None
    routing: Routing | None
    enabled: bool
    methods: list[Literal['POST', 'GET']]
    auth: EndpointAuth
    replayProtection: ReplayProtection
    eventId: FieldPlace | Literal[False] | None
    onDuplicate: Literal['skip', 'run']
    withoutWorkflow: Literal['hold', 'log']
    validation: Validation
    mapping: Mapping
    retentionDays: int
    requestsPerMinute: int
    limits: StoredLimits | None
    split: EndpointSavedSplit | None
    response: HookResponse | None
    source: Source
    queuedCount: int | None
    revision: int
    externalId: str | None
    managedBy: EndpointSavedManagedBy | None
    createdAt: str
    updatedAt: str
    secrets: NotRequired[EndpointSavedSecrets]


class EndpointSavedSplit(TypedDict):
    path: str


class EndpointSavedManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class EndpointSavedSecrets(TypedDict):
    token: NotRequired[str]
    hmac: NotRequired[str]


class EndpointPage(TypedDict):
    endpoints: list[Endpoint]
    nextCursor: str | None


class UpdateEndpoint(TypedDict):
    name: NotRequired[str]
    path: NotRequired[str | None]
    workflowId: NotRequired[str | None]
    routing: NotRequired[RoutingDraft | None]
    enabled: NotRequired[bool | None]
    methods: NotRequired[list[Literal['POST', 'GET']] | None]
    auth: NotRequired[EndpointAuthDraft | None]
    replayProtection: NotRequired[ReplayProtectionDraft | None]
    eventId: NotRequired[FieldPlace | Literal[False] | None]
    onDuplicate: NotRequired[Literal['skip', 'run'] | None]
    withoutWorkflow: NotRequired[Literal['hold', 'log'] | None]
    validation: NotRequired[ValidationDraft | None]
    mapping: NotRequired[MappingDraft | None]
    retentionDays: NotRequired[int | None]
    requestsPerMinute: NotRequired[int | None]
    limits: NotRequired[Limits | None]
    split: NotRequired[UpdateEndpointSplit | None]
    response: NotRequired[HookResponse | None]
    source: NotRequired[UpdateEndpointSource | None]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[UpdateEndpointManagedBy | None]
    change: NotRequired[Any]


class UpdateEndpointSplit(TypedDict):
    path: str


class UpdateEndpointSource(TypedDict):
    mcpServerId: str
    event: str
    arguments: NotRequired[dict[str, Any]]


class UpdateEndpointManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class EndpointRevisionPage(TypedDict):
    revisions: list[EndpointRevision]
    nextCursor: str | None


class EndpointRevision(TypedDict):
    revision: int
    createdAt: str
    by: By | None
    content: EndpointContent


class EndpointContent(TypedDict):
    name: str
    path: str | None
    workflowId: str | None
    routing: Routing | None
    enabled: bool
    methods: list[Literal['POST', 'GET']]
    auth: EndpointAuth
    replayProtection: ReplayProtection
    eventId: FieldPlace | Literal[False] | None
    onDuplicate: Literal['skip', 'run']
    withoutWorkflow: Literal['hold', 'log']
    validation: Validation
    mapping: Mapping
    retentionDays: int
    requestsPerMinute: int
    limits: StoredLimits | None
    split: EndpointContentSplit | None
    response: HookResponse | None
    source: EndpointContentSource | None


class EndpointContentSplit(TypedDict):
    path: str


class EndpointContentSource(TypedDict):
    mcpServerId: str
    event: str
    arguments: dict[str, Any]


class WebhookPresets(TypedDict):
    presets: list[WebhookPreset]
    nextCursor: None


class WebhookPreset(TypedDict):
    preset: Literal['github', 'stripe', 'shopify', 'slack', 'standard-webhooks', 'zoom', 'twitch', 'square', 'twilio', 'adyen', 'asana', 'bitbucket', 'box', 'braintree', 'calendly', 'clerk', 'coinbase', 'contentful', 'docusign', 'dropbox', 'hubspot', 'intercom', 'jira', 'line', 'linear', 'mailgun', 'mcp', 'meta', 'monday', 'notion', 'paddle', 'pagerduty', 'plivo', 'razorpay', 'recurly', 'resend', 'sentry', 'svix', 'trello', 'typeform', 'vercel', 'woocommerce', 'zendesk', 'app-store', 'aws-sns', 'discord', 'paypal', 'sendgrid', 'standard-webhooks-v1a', 'travis-ci', 'cloudevents', 'event-grid', 'figma', 'gitlab', 'microsoft-graph', 'okta', 'postmark', 'telegram']
    name: str
    method: Literal['hmac', 'signature', 'token']
    auth: dict[str, Any]
    eventId: list[FieldPlace]
    eventType: list[FieldPlace]
    split: WebhookPresetSplit | None
    replayProtection: str
    handshake: str | None
    limits: str | None
    documentation: str
    sample: WebhookPresetSample


class WebhookPresetSplit(TypedDict):
    path: str


class WebhookPresetSample(TypedDict):
    headers: dict[str, str]
    body: dict[str, Any]
    form: bool


class RotateSecret(TypedDict):
    target: NotRequired[Literal['token', 'hmac']]
    secret: NotRequired[str]
    overlapSeconds: NotRequired[int]


class TestRequest(TypedDict):
    method: NotRequired[Literal['POST', 'GET']]
    headers: NotRequired[dict[str, str]]
    query: NotRequired[dict[str, str | list[str]]]
    body: NotRequired[Any]
    payload: NotRequired[Any]
    sourceIp: NotRequired[str]
    send: NotRequired[bool]
    sign: NotRequired[bool]


class TestResult(TypedDict):
    eventId: str | None
    eventIdSource: TestResultEventIdSource | None
    eventType: str | None
    duplicate: bool
    mappedInputs: dict[str, Any] | None
    executionId: str | None
    accepted: bool
    httpStatus: int
    checks: list[CheckReport]
    warnings: list[str]
    diagnosis: list[str]
    advice: SignatureAdvice | None
    requestId: str | None
    items: int | None


TestResultEventIdSource = TypedDict(
    "TestResultEventIdSource",
    {
        "in": "Literal['header', 'body']",
        "path": "str",
        "rule": "Literal['endpoint', 'preset', 'header', 'body', 'body_and_hash']",
    },
)


class CheckReport(TypedDict):
    stage: Literal['endpoint', 'https', 'method', 'rate', 'ip', 'size', 'content_type', 'auth', 'signature', 'parse', 'freshness', 'validation', 'routing', 'mapping', 'duplicate', 'start', 'execution']
    verdict: Literal['passed', 'refused', 'skipped']
    errors: list[StageError]
    note: NotRequired[str]


class StageError(TypedDict):
    stage: Literal['endpoint', 'https', 'method', 'rate', 'ip', 'size', 'content_type', 'auth', 'signature', 'parse', 'freshness', 'validation', 'routing', 'mapping', 'duplicate', 'start', 'execution']
    path: NotRequired[str]
    rule: str
    message: str


class SignatureAdvice(TypedDict):
    causes: list[Literal['header_missing', 'header_empty', 'header_name', 'not_a_signature', 'algorithm', 'encoding', 'prefix', 'swapped', 'other_sender', 'template', 'signed_values', 'timestamp_missing', 'timestamp_unit', 'id_missing', 'secret_encoding', 'secret_whitespace', 'secret_quotes', 'secret_empty', 'secret_previous', 'secret_of_api', 'secret_variable', 'secret_cut', 'secret_of_endpoint', 'token_missing', 'token_place', 'body_json', 'body_line_breaks', 'body_missing', 'body_unsigned', 'key_unknown', 'audience', 'unknown']]
    change: Any


class WhatIf(TypedDict):
    validation: NotRequired[ValidationDraft]
    mapping: NotRequired[MappingDraft]
    routing: NotRequired[RoutingDraft | None]
    workflowId: NotRequired[str | None]
    last: NotRequired[int]


class WhatIfResult(TypedDict):
    requests: list[WhatIfResultRequestsItem]
    totals: WhatIfResultTotals


class WhatIfResultRequestsItem(TypedDict):
    requestId: str
    receivedAt: str
    before: Fate
    after: Fate
    changed: bool


class Fate(TypedDict):
    ok: bool
    errors: list[StageError]
    mappedInputs: dict[str, Any] | None
    routes: list[RouteFate]


class RouteFate(TypedDict):
    name: str
    matched: bool
    reason: str
    key: str | None
    errors: list[StageError]
    mappedInputs: dict[str, Any] | None


class WhatIfResultTotals(TypedDict):
    looked: int
    refusedBefore: int
    refusedAfter: int
    changed: int
    truncated: bool


class LearnedShape(TypedDict):
    learnedFrom: int
    schema: dict[str, Any]
    mapping: Mapping
    notes: list[str]
    drifted: int


class FoundRequestPage(TypedDict):
    requests: list[InboundRequest]
    nextCursor: str | None


class InboundRequest(TypedDict):
    requestId: str
    endpointId: str
    method: str
    path: str
    query: dict[str, str | list[str]]
    headers: dict[str, str]
    body: str | None
    bodyTruncated: bool
    sourceIp: str | None
    receivedAt: str
    status: Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']
    httpStatus: int
    errors: list[StageError]
    warnings: list[str]
    diagnosis: list[str]
    advice: SignatureAdvice | None
    eventId: str | None
    eventIdSource: InboundRequestEventIdSource | None
    eventType: str | None
    duplicate: bool
    duplicateOf: str | None
    executionId: str | None
    replayOf: str | None
    edited: bool
    batch: BatchItem | None
    drifted: bool
    latencyMs: InboundRequestLatencyMs
    mappedInputs: dict[str, Any] | None
    revision: int | None
    workflowRevision: int | None
    routes: list[LoggedRoute]


InboundRequestEventIdSource = TypedDict(
    "InboundRequestEventIdSource",
    {
        "in": "Literal['header', 'body']",
        "path": "str",
        "rule": "Literal['endpoint', 'preset', 'header', 'body', 'body_and_hash']",
    },
)


class BatchItem(TypedDict):
    requestId: str
    index: int
    count: int


class InboundRequestLatencyMs(TypedDict):
    toStart: int | None
    toCompletion: int | None


class LoggedRoute(TypedDict):
    name: str
    matched: bool
    reason: str
    key: str | None
    executionId: str | None
    status: Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged'] | None
    workflowRevision: int | None
    mappedInputs: dict[str, Any] | None


class InboundRequestPage(TypedDict):
    requests: list[InboundRequest]
    nextCursor: str | None


class CasePage(TypedDict):
    cases: list[Case]
    nextCursor: str | None


class Case(TypedDict):
    endpointId: str
    route: str
    key: str
    onEvent: Literal['queue', 'message', 'collect', 'replace']
    executionId: str | None
    waiting: int
    updatedAt: str
    timeline: list[CaseMoment]
    truncated: bool


CaseMoment: TypeAlias = "CaseMomentEvent | CaseMomentExecutionStarted | CaseMomentExecutionEnded"


class CaseMomentEvent(TypedDict):
    type: Literal['event']
    at: str
    requestId: str
    eventType: str | None
    status: Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']
    executionId: str | None


class CaseMomentExecutionStarted(TypedDict):
    type: Literal['execution.started']
    at: str
    executionId: str


class CaseMomentExecutionEnded(TypedDict):
    type: Literal['execution.ended']
    at: str
    executionId: str
    status: Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']


class ReplayRequest(TypedDict):
    payload: NotRequired[Any]
    revision: NotRequired[Literal['then', 'now']]
    acceptUnverified: NotRequired[bool]


class ReplayAccepted(TypedDict):
    requestId: str
    status: Literal['accepted', 'queued', 'unrouted', 'logged']
    executionId: str | None
    duplicate: Literal[False]
    replayOf: str
    edited: bool


class Replays(TypedDict):
    query: ReplaysQuery
    revision: NotRequired[Literal['now', 'then']]
    perMinute: NotRequired[int]
    dryRun: NotRequired[bool]


class ReplaysQuery(TypedDict):
    endpointId: NotRequired[str]
    status: NotRequired[Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged'] | list[Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']]]
    eventType: NotRequired[str]
    q: NotRequired[str]
    receivedAfter: NotRequired[str]
    receivedBefore: NotRequired[str]
    requestIds: NotRequired[list[str]]
    includeReplays: NotRequired[bool]


class Replay(TypedDict):
    replayId: str
    status: Literal['running', 'completed', 'cancelled']
    matched: int
    started: int
    skipped: int
    refused: int
    createdAt: str
    finishedAt: str | None


class ReplayForecast(TypedDict):
    matched: int
    wouldStart: int
    wouldBeRefused: int
    estimatedCredits: int
    sample: list[ReplayVerdict]


class ReplayVerdict(TypedDict):
    requestId: str
    endpointId: str
    verdict: Literal['start', 'skip', 'refuse']
    reason: str | None
    errors: list[StageError]


class ReleaseRequest(TypedDict):
    dryRun: NotRequired[bool]
    workflowId: NotRequired[str]
    routing: NotRequired[RoutingDraft]
    mapping: NotRequired[MappingDraft]


class ReleaseAccepted(TypedDict):
    held: int


class ReleaseTrial(TypedDict):
    held: int
    looked: int
    wouldStart: int
    wouldStayHeld: int
    wouldBeUnrouted: int
    sample: list[ReleaseTrialSampleItem]
    truncated: bool


class ReleaseTrialSampleItem(TypedDict):
    requestId: str
    errors: list[StageError]


class QuotaUse(TypedDict):
    endpoints: QuotaUseEndpoints
    workflows: QuotaUseWorkflows
    storedBytes: QuotaUseStoredBytes
    activeExecutions: QuotaUseActiveExecutions
    webhookRequestsPerMinute: QuotaUseWebhookRequestsPerMinute


class QuotaUseEndpoints(TypedDict):
    used: int
    limit: int


class QuotaUseWorkflows(TypedDict):
    used: int
    limit: int


class QuotaUseStoredBytes(TypedDict):
    used: int
    limit: int


class QuotaUseActiveExecutions(TypedDict):
    used: int
    limit: int


class QuotaUseWebhookRequestsPerMinute(TypedDict):
    used: int
    limit: int


Usage = TypedDict(
    "Usage",
    {
        "bucket": "Literal['hour', 'day']",
        "from": "str",
        "to": "str",
        "countedFrom": "str",
        "buckets": "list[UsageBucketsItem]",
        "total": "UsageTotal",
    },
)


class UsageBucketsItem(TypedDict):
    executions: UsageBucketsItemExecutions
    creditsConsumed: int
    costUsd: float
    start: str


class UsageBucketsItemExecutions(TypedDict):
    active: int
    waiting_for_input: int
    completed: int
    failed: int
    stopped: int


class UsageTotal(TypedDict):
    executions: UsageTotalExecutions
    creditsConsumed: int
    costUsd: float


class UsageTotalExecutions(TypedDict):
    active: int
    waiting_for_input: int
    completed: int
    failed: int
    stopped: int


UsageBreakdown = TypedDict(
    "UsageBreakdown",
    {
        "by": "Literal['workflow', 'key', 'model']",
        "from": "str",
        "to": "str",
        "countedFrom": "str",
        "items": "list[UsageBreakdownItemsItem]",
    },
)


class UsageBreakdownItemsItem(TypedDict):
    executions: UsageBreakdownItemsItemExecutions
    creditsConsumed: int
    costUsd: float
    id: str | None


class UsageBreakdownItemsItemExecutions(TypedDict):
    active: int
    waiting_for_input: int
    completed: int
    failed: int
    stopped: int


AllWebhookUsage = TypedDict(
    "AllWebhookUsage",
    {
        "bucket": "Literal['hour', 'day']",
        "from": "str",
        "to": "str",
        "countedFrom": "str",
        "buckets": "list[AllWebhookUsageBucketsItem]",
        "total": "AllWebhookUsageTotal",
        "endpoints": "list[AllWebhookUsageEndpointsItem]",
        "moreEndpoints": "bool",
    },
)


class AllWebhookUsageBucketsItem(TypedDict):
    requests: AllWebhookUsageBucketsItemRequests
    overLimit: int
    start: str


class AllWebhookUsageBucketsItemRequests(TypedDict):
    rejected: int
    queued: int
    running: int
    succeeded: int
    failed: int
    duplicate: int
    unrouted: int
    superseded: int
    logged: int


class AllWebhookUsageTotal(TypedDict):
    requests: AllWebhookUsageTotalRequests
    overLimit: int


class AllWebhookUsageTotalRequests(TypedDict):
    rejected: int
    queued: int
    running: int
    succeeded: int
    failed: int
    duplicate: int
    unrouted: int
    superseded: int
    logged: int


class AllWebhookUsageEndpointsItem(TypedDict):
    requests: AllWebhookUsageEndpointsItemRequests
    overLimit: int
    endpointId: str
    name: str
    workflowId: str | None
    queuedCount: int


class AllWebhookUsageEndpointsItemRequests(TypedDict):
    rejected: int
    queued: int
    running: int
    succeeded: int
    failed: int
    duplicate: int
    unrouted: int
    superseded: int
    logged: int


class Caller(TypedDict):
    accountId: str
    name: str
    key: CallerKey
    by: By


class CallerKey(TypedDict):
    keyId: str
    name: str
    scopes: list[Literal['executions:read', 'executions:write', 'credits:read', 'workflows:read', 'workflows:write', 'webhooks:read', 'webhooks:write', 'decisions:read', 'decisions:write', 'destinations:read', 'destinations:write', 'models:read', 'models:write', 'members:admin', 'audit:read', 'keys:admin']]


class CreateKey(TypedDict):
    name: str
    scopes: NotRequired[list[Literal['executions:read', 'executions:write', 'credits:read', 'workflows:read', 'workflows:write', 'webhooks:read', 'webhooks:write', 'decisions:read', 'decisions:write', 'destinations:read', 'destinations:write', 'models:read', 'models:write', 'members:admin', 'audit:read', 'keys:admin']]]
    expiresAt: NotRequired[str]


class ApiKeyCreated(TypedDict):
    keyId: str
    name: str
    scopes: list[Literal['executions:read', 'executions:write', 'credits:read', 'workflows:read', 'workflows:write', 'webhooks:read', 'webhooks:write', 'decisions:read', 'decisions:write', 'destinations:read', 'destinations:write', 'models:read', 'models:write', 'members:admin', 'audit:read', 'keys:admin']]
    last4: str
    createdAt: str
    expiresAt: str | None
    revokedAt: str | None
    lastUsedAt: str | None
    apiKey: str


class KeyPage(TypedDict):
    keys: list[ApiKey]
    nextCursor: str | None


class ApiKey(TypedDict):
    keyId: str
    name: str
    scopes: list[Literal['executions:read', 'executions:write', 'credits:read', 'workflows:read', 'workflows:write', 'webhooks:read', 'webhooks:write', 'decisions:read', 'decisions:write', 'destinations:read', 'destinations:write', 'models:read', 'models:write', 'members:admin', 'audit:read', 'keys:admin']]
    last4: str
    createdAt: str
    expiresAt: str | None
    revokedAt: str | None
    lastUsedAt: str | None


class RotateKey(TypedDict):
    overlapSeconds: NotRequired[int]


class AuditPage(TypedDict):
    entries: list[AuditEntry]
    nextCursor: str | None


class AuditEntry(TypedDict):
    entryId: str
    at: str
    by: By
    action: Literal['account.created', 'account.updated', 'account.suspended', 'account.resumed', 'account.credits_granted', 'account.default_model_set', 'connection.created', 'connection.deleted', 'decision.answered', 'decision.expired', 'destination.created', 'destination.updated', 'destination.deleted', 'endpoint.created', 'endpoint.updated', 'endpoint.secret_rotated', 'endpoint.deleted', 'key.created', 'key.rotated', 'key.revoked', 'mcp_server.created', 'mcp_server.deleted', 'mcp_token.created', 'mcp_token.revoked', 'member.created', 'member.updated', 'member.deleted', 'member.signed_in', 'model_provider.created', 'model_provider.updated', 'model_provider.deleted', 'replay.created', 'replay.cancelled', 'retry.created', 'retry.cancelled', 'schedule.created', 'schedule.updated', 'schedule.deleted', 'share.created', 'share.revoked', 'workflow.created', 'workflow.updated', 'workflow.deleted']
    resource: AuditResource
    detail: dict[str, str | float | bool | None]
    requestId: str


class AuditResource(TypedDict):
    kind: Literal['account', 'connection', 'decision', 'destination', 'endpoint', 'key', 'mcp_server', 'mcp_token', 'member', 'model_provider', 'replay', 'retry', 'schedule', 'share', 'workflow']
    id: str
    name: str


class CreateMember(TypedDict):
    email: str
    role: Literal['viewer', 'operator', 'admin']
    name: NotRequired[str]


class Member(TypedDict):
    memberId: str
    email: str
    name: str | None
    role: Literal['viewer', 'operator', 'admin']
    createdAt: str
    lastSignInAt: str | None


class MemberPage(TypedDict):
    members: list[Member]
    nextCursor: str | None


class UpdateMember(TypedDict):
    role: NotRequired[Literal['viewer', 'operator', 'admin']]
    name: NotRequired[str | None]


class AlertPage(TypedDict):
    alerts: list[Alert]
    nextCursor: str | None


class Alert(TypedDict):
    type: Literal['endpoint.failing', 'callback.failed', 'schedule.missed', 'connection.needs_attention', 'credits.low', 'quota.near']
    resource: AlertResource
    since: str
    lastAt: str
    count: int
    data: dict[str, Any]


class AlertResource(TypedDict):
    kind: Literal['account', 'callback', 'connection', 'endpoint', 'quota', 'schedule']
    id: str
    name: str


class Destination(TypedDict):
    destinationId: str
    name: str
    format: Literal['standard', 'slack', 'teams', 'email', 'cloudevents', 'otlp']
    url: str | None
    email: str | None
    events: list[str]
    payload: Literal['thin', 'full']
    secret: ShownSecret | None
    headers: list[DestinationHeadersItem]
    content: bool
    revision: int
    externalId: str | None
    managedBy: DestinationManagedBy | None
    status: Literal['enabled', 'disabled']
    disabledReason: NotRequired[str]
    failingSince: str | None
    createdAt: str
    updatedAt: str


class DestinationHeadersItem(TypedDict):
    name: str
    set: Literal[True]
    last4: str


class DestinationManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class CreateDestination(TypedDict):
    name: str
    format: Literal['standard', 'slack', 'teams', 'email', 'cloudevents', 'otlp']
    url: NotRequired[str]
    email: NotRequired[str]
    events: NotRequired[list[Literal['execution.completed', 'execution.failed', 'execution.stopped', 'execution.waiting_for_input', 'decision.requested', 'decision.decided', 'decision.expired', 'endpoint.recovered', 'endpoint.failing', 'callback.failed', 'schedule.missed', 'connection.needs_attention', 'credits.low', 'quota.near', 'usage.daily', 'config.changed', 'destination.disabled']]]
    payload: NotRequired[Literal['thin', 'full']]
    secret: NotRequired[str]
    headers: NotRequired[dict[str, str]]
    content: NotRequired[bool]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[CreateDestinationManagedBy | None]


class CreateDestinationManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class DestinationApplied(TypedDict):
    destinationId: str
    name: str
    format: Literal['standard', 'slack', 'teams', 'email', 'cloudevents', 'otlp']
    url: str | None
    email: str | None
    events: list[str]
    payload: Literal['thin', 'full']
    secret: ShownSecret | None
    headers: list[DestinationAppliedHeadersItem]
    content: bool
    revision: int
    externalId: str | None
    managedBy: DestinationAppliedManagedBy | None
    status: Literal['enabled', 'disabled']
    disabledReason: NotRequired[str]
    failingSince: str | None
    createdAt: str
    updatedAt: str
    changed: bool


class DestinationAppliedHeadersItem(TypedDict):
    name: str
    set: Literal[True]
    last4: str


class DestinationAppliedManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]
    revision: int


class DestinationPage(TypedDict):
    destinations: list[Destination]
    nextCursor: str | None


class UpdateDestination(TypedDict):
    name: NotRequired[str]
    url: NotRequired[str]
    email: NotRequired[str]
    events: NotRequired[list[Literal['execution.completed', 'execution.failed', 'execution.stopped', 'execution.waiting_for_input', 'decision.requested', 'decision.decided', 'decision.expired', 'endpoint.recovered', 'endpoint.failing', 'callback.failed', 'schedule.missed', 'connection.needs_attention', 'credits.low', 'quota.near', 'usage.daily', 'config.changed', 'destination.disabled']]]
    payload: NotRequired[Literal['thin', 'full']]
    secret: NotRequired[str | None]
    headers: NotRequired[dict[str, str]]
    content: NotRequired[bool]
    externalId: NotRequired[str | None]
    managedBy: NotRequired[UpdateDestinationManagedBy | None]


class UpdateDestinationManagedBy(TypedDict):
    kind: Literal['files']
    commit: NotRequired[str]


class Delivery(TypedDict):
    deliveryId: str
    type: str
    at: str
    state: Literal['pending', 'delivered', 'failed']
    attempts: list[DeliveryAttemptsItem]


class DeliveryAttemptsItem(TypedDict):
    attempt: int
    event: str
    webhookId: str
    at: str
    url: str
    status: int | None
    durationMs: int
    error: NotRequired[str]
    nextAttemptAt: NotRequired[str]


class DeliveryPage(TypedDict):
    deliveries: list[Delivery]
    nextCursor: str | None


class CreateShare(TypedDict):
    executionId: NotRequired[str]
    endpointId: NotRequired[str]
    requestId: NotRequired[str]
    expiresInSeconds: NotRequired[int]


class Share(TypedDict):
    shareId: str
    url: str
    executionId: str | None
    endpointId: str | None
    requestId: str | None
    createdAt: str
    expiresAt: str


class SharePage(TypedDict):
    shares: list[Share]
    nextCursor: str | None


class CreateConnection(TypedDict):
    name: str
    hosts: list[str]
    pathPrefix: NotRequired[str]
    header: str
    value: str


class Connection(TypedDict):
    connectionId: str
    name: str
    hosts: list[str]
    pathPrefix: str | None
    header: str
    createdAt: str


class ConnectionPage(TypedDict):
    connections: list[Connection]
    nextCursor: str | None


class UsableModels(TypedDict):
    models: list[UsableModel]


class UsableModel(TypedDict):
    model: str
    contextWindow: int
    price: NotRequired[ModelPrice]
    source: str
    supports: UsableModelSupports
    default: bool


class UsableModelSupports(TypedDict):
    tools: bool
    images: bool
    streaming: bool


class SetDefaultModel(TypedDict):
    model: str | None


class CreateModelProvider(TypedDict):
    name: str
    kind: Literal['openai', 'anthropic', 'google', 'openai-compatible']
    baseUrl: NotRequired[str]
    apiKey: str
    models: NotRequired[list[DescribeModel]]


class DescribeModel(TypedDict):
    name: str
    contextWindow: NotRequired[int]
    inputPrice: NotRequired[float]
    cachedInputPrice: NotRequired[float]
    outputPrice: NotRequired[float]


class ModelProvider(TypedDict):
    providerId: str
    name: str
    kind: Literal['openai', 'anthropic', 'google', 'openai-compatible']
    baseUrl: str
    apiKey: ShownSecret
    models: list[DescribedModel]
    createdAt: str
    updatedAt: str


class DescribedModel(TypedDict):
    name: str
    contextWindow: NotRequired[int]
    inputPrice: NotRequired[float]
    cachedInputPrice: NotRequired[float]
    outputPrice: NotRequired[float]


class ModelProviderPage(TypedDict):
    modelProviders: list[ModelProvider]
    nextCursor: str | None


class UpdateModelProvider(TypedDict):
    baseUrl: NotRequired[str]
    apiKey: NotRequired[str]
    models: NotRequired[list[DescribeModel]]


class TestModelProvider(TypedDict):
    model: NotRequired[str]


class ModelTrial(TypedDict):
    ok: bool
    message: str
    durationMs: int


class CreateMcpServer(TypedDict):
    name: str
    url: str
    headers: NotRequired[dict[str, str]]


class McpServer(TypedDict):
    serverId: str
    name: str
    url: str
    headers: list[McpServerHeadersItem]
    createdAt: str


class McpServerHeadersItem(TypedDict):
    name: str
    set: Literal[True]
    last4: str


class McpServerPage(TypedDict):
    mcpServers: list[McpServer]
    nextCursor: str | None


class CreateMcpToken(TypedDict):
    name: str
    scopes: list[Literal['executions:read', 'executions:write', 'credits:read', 'workflows:read', 'workflows:write', 'webhooks:read', 'webhooks:write', 'decisions:read', 'decisions:write', 'destinations:read', 'destinations:write', 'models:read', 'models:write', 'members:admin', 'audit:read', 'keys:admin']]
    endpointIds: NotRequired[list[str]]


class McpTokenCreated(TypedDict):
    tokenId: str
    name: str
    scopes: list[Literal['executions:read', 'executions:write', 'credits:read', 'workflows:read', 'workflows:write', 'webhooks:read', 'webhooks:write', 'decisions:read', 'decisions:write', 'destinations:read', 'destinations:write', 'models:read', 'models:write', 'members:admin', 'audit:read', 'keys:admin']]
    last4: str
    createdAt: str
    revokedAt: str | None
    lastUsedAt: str | None
    endpointIds: list[str] | None
    url: str


class McpTokenPage(TypedDict):
    mcpTokens: list[McpToken]
    nextCursor: str | None


class McpToken(TypedDict):
    tokenId: str
    name: str
    scopes: list[Literal['executions:read', 'executions:write', 'credits:read', 'workflows:read', 'workflows:write', 'webhooks:read', 'webhooks:write', 'decisions:read', 'decisions:write', 'destinations:read', 'destinations:write', 'models:read', 'models:write', 'members:admin', 'audit:read', 'keys:admin']]
    last4: str
    createdAt: str
    revokedAt: str | None
    lastUsedAt: str | None
    endpointIds: list[str] | None


CallbackBody: TypeAlias = "CallbackBodyExecutionCompleted | CallbackBodyExecutionFailed | CallbackBodyExecutionStopped | CallbackBodyExecutionWaitingForInput"


class CallbackBodyExecutionCompleted(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[CallbackEffect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    timestamp: str
    type: Literal['execution.completed']
    status: Literal['completed']
    finishedAt: str


class CallbackEffect(TypedDict):
    effectId: str
    idempotencyKey: NotRequired[str]
    tool: str
    target: str
    state: Literal['confirmed', 'failed', 'uncertain', 'rehearsed']
    at: str
    truncated: NotRequired[bool]
    input: NotRequired[Any]
    askedInput: NotRequired[Any]
    approvedBy: NotRequired[By]


class CallbackBodyExecutionFailed(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[CallbackEffect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    timestamp: str
    type: Literal['execution.failed']
    status: Literal['failed']
    error: ExecutionError
    finishedAt: str


class CallbackBodyExecutionStopped(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[CallbackEffect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    timestamp: str
    type: Literal['execution.stopped']
    status: Literal['stopped']
    finishedAt: str


class CallbackBodyExecutionWaitingForInput(TypedDict):
    executionId: str
    presentedResult: PresentedResult
    outputs: list[Output]
    creditsConsumed: int
    version: int
    effects: list[CallbackEffect]
    usage: ModelUsage
    model: str
    forkOf: NotRequired[ForkOf]
    createdAt: str
    timestamp: str
    type: Literal['execution.waiting_for_input']
    status: Literal['waiting_for_input']
    question: NotRequired[Question]
    finishedAt: None


class Operations:
    """Every operation of the API."""

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: abc.Mapping[str, Any] | None = None,
        body: Any = None,
        headers: abc.Mapping[str, str | None] | None = None,
        raw: bool = False,
    ) -> Any:
        raise NotImplementedError

    def trigger_execution(
        self,
        body: Trigger,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerAccepted:
        """Start an execution."""
        return self._call(
            "POST",
            "/api/v1/agent/trigger",
            body=body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    def trigger_executions(
        self,
        body: TriggerBatch,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerBatchResult:
        """Start many executions."""
        return self._call(
            "POST",
            "/api/v1/agent/trigger/batch",
            body=body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    def list_executions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']] | None = None,
        origin: list[Literal['api', 'webhook', 'replay', 'workflow', 'schedule', 'rehearsal']] | None = None,
        workflow_id: str | None = None,
        q: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
    ) -> ExecutionPage:
        """List executions."""
        return self._call(
            "GET",
            "/api/v1/agent/trigger/list",
            query={"limit": limit, "cursor": cursor, "status": status, "origin": origin, "workflowId": workflow_id, "q": q, "createdAfter": created_after, "createdBefore": created_before},
        )

    def get_execution_status(
        self,
        execution_id: str,
        *,
        since_version: int | None = None,
        wait_seconds: int | None = None,
    ) -> ExecutionState:
        """Get the status of an execution."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/status",
            query={"sinceVersion": since_version, "waitSeconds": wait_seconds},
        )

    def get_execution_task(
        self,
        execution_id: str,
    ) -> ExecutionTask:
        """Get the task of an execution."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/task",
        )

    def get_execution_result(
        self,
        execution_id: str,
        *,
        partial: Literal['true', 'false'] | None = None,
        wait_seconds: int | None = None,
    ) -> ExecutionResult:
        """Get the result of an execution."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/result",
            query={"partial": partial, "waitSeconds": wait_seconds},
        )

    def read_execution_events(
        self,
        execution_id: str,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> EventPage:
        """Follow the events of an execution."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/events",
            query={"after": after, "limit": limit},
        )

    def get_execution_step(
        self,
        execution_id: str,
        step: str,
    ) -> ExecutionStep:
        """Get a step of an execution."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/steps/{_quoted(step)}",
        )

    def download_file(
        self,
        execution_id: str,
        output_id: str,
    ) -> bytes:
        """Download a file."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/files/{_quoted(output_id)}",
            raw=True,
        )

    def send_message(
        self,
        execution_id: str,
        body: Message,
        *,
        idempotency_key: str | None = None,
    ) -> MessageAccepted:
        """Send a message to an execution."""
        return self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/message",
            body=body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    def stop_execution(
        self,
        execution_id: str,
        body: Stop | None = None,
    ) -> Stopped:
        """Stop an execution."""
        return self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/stop",
            body={} if body is None else body,
        )

    def score_execution(
        self,
        execution_id: str,
        body: NewScore,
    ) -> Score:
        """Score an execution."""
        return self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/scores",
            body=body,
        )

    def list_scores(
        self,
        execution_id: str,
    ) -> ListScoresAnswer:
        """List the scores of an execution."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/scores",
        )

    def fork_execution(
        self,
        execution_id: str,
        body: Fork | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ForkAccepted:
        """Continue an execution from a step."""
        return self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/fork",
            body={} if body is None else body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    def create_retry(
        self,
        body: Retries,
    ) -> Retry | RetryForecast:
        """Retry many executions."""
        return self._call(
            "POST",
            "/api/v1/agent/retries",
            body=body,
        )

    def get_retry(
        self,
        retry_id: str,
    ) -> Retry:
        """Get a retry."""
        return self._call(
            "GET",
            f"/api/v1/agent/retries/{_quoted(retry_id)}",
        )

    def cancel_retry(
        self,
        retry_id: str,
    ) -> None:
        """Cancel a retry."""
        return self._call(
            "DELETE",
            f"/api/v1/agent/retries/{_quoted(retry_id)}",
        )

    def list_callback_attempts(
        self,
        execution_id: str,
    ) -> CallbackLog:
        """List callback attempts."""
        return self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/callbacks",
        )

    def redeliver_callback(
        self,
        execution_id: str,
        body: Redeliver | None = None,
    ) -> CallbackLog:
        """Redeliver a callback."""
        return self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/callbacks/redeliver",
            body={} if body is None else body,
        )

    def get_credits(
        self,
    ) -> Credits:
        """Get the balance."""
        return self._call(
            "GET",
            "/api/v1/agent/credits",
        )

    def list_decisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: list[Literal['open', 'answered', 'expired', 'withdrawn']] | None = None,
    ) -> DecisionPage:
        """List decisions."""
        return self._call(
            "GET",
            "/api/v1/decisions",
            query={"limit": limit, "cursor": cursor, "state": state},
        )

    def get_decision(
        self,
        decision_id: str,
    ) -> Decision:
        """Get a decision."""
        return self._call(
            "GET",
            f"/api/v1/decisions/{_quoted(decision_id)}",
        )

    def decide(
        self,
        decision_id: str,
        body: Decide,
    ) -> Decision:
        """Answer a decision."""
        return self._call(
            "POST",
            f"/api/v1/decisions/{_quoted(decision_id)}",
            body=body,
        )

    def get_workflow_by_external_id(
        self,
        external_id: str,
    ) -> Workflow:
        """Get a workflow by its external id."""
        return self._call(
            "GET",
            f"/api/v1/workflows/ext/{_quoted(external_id)}",
        )

    def put_workflow(
        self,
        external_id: str,
        body: CreateWorkflow,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> WorkflowApplied:
        """Create or replace a workflow by its external id."""
        return self._call(
            "PUT",
            f"/api/v1/workflows/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    def delete_workflow_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete a workflow by its external id."""
        return self._call(
            "DELETE",
            f"/api/v1/workflows/ext/{_quoted(external_id)}",
        )

    def create_workflow(
        self,
        body: CreateWorkflow,
    ) -> Workflow:
        """Create a workflow."""
        return self._call(
            "POST",
            "/api/v1/workflows",
            body=body,
        )

    def list_workflows(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> WorkflowPage:
        """List workflows."""
        return self._call(
            "GET",
            "/api/v1/workflows",
            query={"limit": limit, "cursor": cursor},
        )

    def get_workflow(
        self,
        workflow_id: str,
    ) -> Workflow:
        """Get a workflow."""
        return self._call(
            "GET",
            f"/api/v1/workflows/{_quoted(workflow_id)}",
        )

    def update_workflow(
        self,
        workflow_id: str,
        body: UpdateWorkflow,
    ) -> Workflow:
        """Update a workflow."""
        return self._call(
            "PATCH",
            f"/api/v1/workflows/{_quoted(workflow_id)}",
            body=body,
        )

    def delete_workflow(
        self,
        workflow_id: str,
    ) -> None:
        """Delete a workflow."""
        return self._call(
            "DELETE",
            f"/api/v1/workflows/{_quoted(workflow_id)}",
        )

    def run_workflow(
        self,
        workflow_id: str,
        body: RunWorkflow | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerAccepted:
        """Run a workflow."""
        return self._call(
            "POST",
            f"/api/v1/workflows/{_quoted(workflow_id)}/run",
            body={} if body is None else body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    def list_workflow_revisions(
        self,
        workflow_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> WorkflowRevisionPage:
        """List the revisions of a workflow."""
        return self._call(
            "GET",
            f"/api/v1/workflows/{_quoted(workflow_id)}/revisions",
            query={"limit": limit, "cursor": cursor},
        )

    def restore_workflow_revision(
        self,
        workflow_id: str,
        revision: str,
    ) -> Workflow:
        """Restore a revision of a workflow."""
        return self._call(
            "POST",
            f"/api/v1/workflows/{_quoted(workflow_id)}/revisions/{_quoted(revision)}/restore",
        )

    def rehearse_workflow(
        self,
        workflow_id: str,
        body: Rehearse,
    ) -> RehearsalAccepted:
        """Rehearse a workflow."""
        return self._call(
            "POST",
            f"/api/v1/workflows/{_quoted(workflow_id)}/rehearse",
            body=body,
        )

    def get_rehearsal(
        self,
        rehearsal_id: str,
    ) -> Rehearsal:
        """Get a rehearsal."""
        return self._call(
            "GET",
            f"/api/v1/rehearsals/{_quoted(rehearsal_id)}",
        )

    def get_schedule_by_external_id(
        self,
        external_id: str,
    ) -> Schedule:
        """Get a schedule by its external id."""
        return self._call(
            "GET",
            f"/api/v1/schedules/ext/{_quoted(external_id)}",
        )

    def put_schedule(
        self,
        external_id: str,
        body: CreateSchedule,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> ScheduleApplied:
        """Create or replace a schedule by its external id."""
        return self._call(
            "PUT",
            f"/api/v1/schedules/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    def delete_schedule_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete a schedule by its external id."""
        return self._call(
            "DELETE",
            f"/api/v1/schedules/ext/{_quoted(external_id)}",
        )

    def create_schedule(
        self,
        body: CreateSchedule,
    ) -> Schedule:
        """Create a schedule."""
        return self._call(
            "POST",
            "/api/v1/schedules",
            body=body,
        )

    def list_schedules(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SchedulePage:
        """List schedules."""
        return self._call(
            "GET",
            "/api/v1/schedules",
            query={"limit": limit, "cursor": cursor},
        )

    def get_schedule(
        self,
        schedule_id: str,
    ) -> Schedule:
        """Get a schedule."""
        return self._call(
            "GET",
            f"/api/v1/schedules/{_quoted(schedule_id)}",
        )

    def update_schedule(
        self,
        schedule_id: str,
        body: UpdateSchedule,
    ) -> Schedule:
        """Update a schedule."""
        return self._call(
            "PATCH",
            f"/api/v1/schedules/{_quoted(schedule_id)}",
            body=body,
        )

    def delete_schedule(
        self,
        schedule_id: str,
    ) -> None:
        """Delete a schedule."""
        return self._call(
            "DELETE",
            f"/api/v1/schedules/{_quoted(schedule_id)}",
        )

    def run_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerAccepted:
        """Run a schedule now."""
        return self._call(
            "POST",
            f"/api/v1/schedules/{_quoted(schedule_id)}/run",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    def get_endpoint_by_external_id(
        self,
        external_id: str,
    ) -> Endpoint:
        """Get an endpoint by its external id."""
        return self._call(
            "GET",
            f"/api/v1/webhooks/ext/{_quoted(external_id)}",
        )

    def put_endpoint(
        self,
        external_id: str,
        body: CreateEndpoint,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> EndpointApplied:
        """Create or replace an endpoint by its external id."""
        return self._call(
            "PUT",
            f"/api/v1/webhooks/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    def delete_endpoint_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete an endpoint by its external id."""
        return self._call(
            "DELETE",
            f"/api/v1/webhooks/ext/{_quoted(external_id)}",
        )

    def create_endpoint(
        self,
        body: CreateEndpoint,
    ) -> EndpointSaved:
        """Create an endpoint."""
        return self._call(
            "POST",
            "/api/v1/webhooks",
            body=body,
        )

    def list_endpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> EndpointPage:
        """List endpoints."""
        return self._call(
            "GET",
            "/api/v1/webhooks",
            query={"limit": limit, "cursor": cursor},
        )

    def get_endpoint(
        self,
        endpoint_id: str,
    ) -> Endpoint:
        """Get an endpoint."""
        return self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}",
        )

    def update_endpoint(
        self,
        endpoint_id: str,
        body: UpdateEndpoint,
    ) -> EndpointSaved:
        """Update an endpoint."""
        return self._call(
            "PATCH",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}",
            body=body,
        )

    def delete_endpoint(
        self,
        endpoint_id: str,
    ) -> None:
        """Delete an endpoint."""
        return self._call(
            "DELETE",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}",
        )

    def list_endpoint_revisions(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> EndpointRevisionPage:
        """List the revisions of an endpoint."""
        return self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/revisions",
            query={"limit": limit, "cursor": cursor},
        )

    def restore_endpoint_revision(
        self,
        endpoint_id: str,
        revision: str,
    ) -> EndpointSaved:
        """Restore a revision of an endpoint."""
        return self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/revisions/{_quoted(revision)}/restore",
        )

    def list_webhook_presets(
        self,
    ) -> WebhookPresets:
        """List the presets of senders."""
        return self._call(
            "GET",
            "/api/v1/webhook-presets",
        )

    def rotate_secret(
        self,
        endpoint_id: str,
        body: RotateSecret | None = None,
    ) -> EndpointSaved:
        """Rotate the secret of an endpoint."""
        return self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/rotate-secret",
            body={} if body is None else body,
        )

    def test_endpoint(
        self,
        endpoint_id: str,
        body: TestRequest | None = None,
    ) -> TestResult:
        """Test an endpoint."""
        return self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/test",
            body={} if body is None else body,
        )

    def try_webhook_draft(
        self,
        endpoint_id: str,
        body: WhatIf | None = None,
    ) -> WhatIfResult:
        """Try other rules on past requests."""
        return self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/what-if",
            body={} if body is None else body,
        )

    def get_webhook_shape(
        self,
        endpoint_id: str,
    ) -> LearnedShape:
        """Get the learned shape of payloads."""
        return self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/shape",
        )

    def search_webhook_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']] | None = None,
        duplicate: Literal['true', 'false'] | None = None,
        event_id: str | None = None,
        event_type: str | None = None,
        text: str | None = None,
        received_after: str | None = None,
        received_before: str | None = None,
        endpoint_id: list[str] | None = None,
    ) -> FoundRequestPage:
        """Search the requests of all endpoints."""
        return self._call(
            "GET",
            "/api/v1/webhook-requests",
            query={"limit": limit, "cursor": cursor, "status": status, "duplicate": duplicate, "eventId": event_id, "eventType": event_type, "text": text, "receivedAfter": received_after, "receivedBefore": received_before, "endpointId": endpoint_id},
        )

    def list_webhook_requests(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']] | None = None,
        duplicate: Literal['true', 'false'] | None = None,
        event_id: str | None = None,
        event_type: str | None = None,
        text: str | None = None,
        received_after: str | None = None,
        received_before: str | None = None,
    ) -> InboundRequestPage:
        """List the requests of an endpoint."""
        return self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/requests",
            query={"limit": limit, "cursor": cursor, "status": status, "duplicate": duplicate, "eventId": event_id, "eventType": event_type, "text": text, "receivedAfter": received_after, "receivedBefore": received_before},
        )

    def get_webhook_request(
        self,
        endpoint_id: str,
        request_id: str,
    ) -> InboundRequest:
        """Get a request."""
        return self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/requests/{_quoted(request_id)}",
        )

    def list_cases(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        endpoint_id: str | None = None,
        key: str | None = None,
        route: str | None = None,
    ) -> CasePage:
        """List cases."""
        return self._call(
            "GET",
            "/api/v1/cases",
            query={"limit": limit, "cursor": cursor, "endpointId": endpoint_id, "key": key, "route": route},
        )

    def replay_webhook_request(
        self,
        endpoint_id: str,
        request_id: str,
        body: ReplayRequest | None = None,
    ) -> ReplayAccepted:
        """Replay a request."""
        return self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/requests/{_quoted(request_id)}/replay",
            body={} if body is None else body,
        )

    def create_replay(
        self,
        body: Replays,
    ) -> Replay | ReplayForecast:
        """Replay many requests."""
        return self._call(
            "POST",
            "/api/v1/replays",
            body=body,
        )

    def get_replay(
        self,
        replay_id: str,
    ) -> Replay:
        """Get a replay."""
        return self._call(
            "GET",
            f"/api/v1/replays/{_quoted(replay_id)}",
        )

    def cancel_replay(
        self,
        replay_id: str,
    ) -> None:
        """Cancel a replay."""
        return self._call(
            "DELETE",
            f"/api/v1/replays/{_quoted(replay_id)}",
        )

    def release_held_requests(
        self,
        endpoint_id: str,
        body: ReleaseRequest | None = None,
    ) -> ReleaseAccepted | ReleaseTrial:
        """Release held requests."""
        return self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/release",
            body={} if body is None else body,
        )

    def get_quota_usage(
        self,
    ) -> QuotaUse:
        """Get the use of the quotas."""
        return self._call(
            "GET",
            "/api/v1/usage/quotas",
        )

    def get_usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        bucket: Literal['hour', 'day'] | None = None,
    ) -> Usage:
        """Get the usage of executions."""
        return self._call(
            "GET",
            "/api/v1/usage",
            query={"from": from_, "to": to, "bucket": bucket},
        )

    def get_usage_breakdown(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        bucket: Literal['hour', 'day'] | None = None,
        by: Literal['workflow', 'key', 'model'] | None = None,
    ) -> UsageBreakdown:
        """Get the usage by workflow, key or model."""
        return self._call(
            "GET",
            "/api/v1/usage/breakdown",
            query={"from": from_, "to": to, "bucket": bucket, "by": by},
        )

    def get_all_webhook_usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        bucket: Literal['hour', 'day'] | None = None,
    ) -> AllWebhookUsage:
        """Get the usage of all endpoints."""
        return self._call(
            "GET",
            "/api/v1/usage/webhooks",
            query={"from": from_, "to": to, "bucket": bucket},
        )

    def get_own_account(
        self,
    ) -> Caller:
        """Get the account of the key."""
        return self._call(
            "GET",
            "/api/v1/account",
        )

    def create_key(
        self,
        body: CreateKey,
    ) -> ApiKeyCreated:
        """Create a key."""
        return self._call(
            "POST",
            "/api/v1/keys",
            body=body,
        )

    def list_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> KeyPage:
        """List keys."""
        return self._call(
            "GET",
            "/api/v1/keys",
            query={"limit": limit, "cursor": cursor},
        )

    def revoke_key(
        self,
        key_id: str,
    ) -> None:
        """Revoke a key."""
        return self._call(
            "DELETE",
            f"/api/v1/keys/{_quoted(key_id)}",
        )

    def rotate_key(
        self,
        key_id: str,
        body: RotateKey | None = None,
    ) -> ApiKeyCreated:
        """Rotate a key."""
        return self._call(
            "POST",
            f"/api/v1/keys/{_quoted(key_id)}/rotate",
            body={} if body is None else body,
        )

    def list_audit_entries(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        action: Literal['account.created', 'account.updated', 'account.suspended', 'account.resumed', 'account.credits_granted', 'account.default_model_set', 'connection.created', 'connection.deleted', 'decision.answered', 'decision.expired', 'destination.created', 'destination.updated', 'destination.deleted', 'endpoint.created', 'endpoint.updated', 'endpoint.secret_rotated', 'endpoint.deleted', 'key.created', 'key.rotated', 'key.revoked', 'mcp_server.created', 'mcp_server.deleted', 'mcp_token.created', 'mcp_token.revoked', 'member.created', 'member.updated', 'member.deleted', 'member.signed_in', 'model_provider.created', 'model_provider.updated', 'model_provider.deleted', 'replay.created', 'replay.cancelled', 'retry.created', 'retry.cancelled', 'schedule.created', 'schedule.updated', 'schedule.deleted', 'share.created', 'share.revoked', 'workflow.created', 'workflow.updated', 'workflow.deleted'] | None = None,
        resource: str | None = None,
        by: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AuditPage:
        """Read the audit log."""
        return self._call(
            "GET",
            "/api/v1/audit",
            query={"limit": limit, "cursor": cursor, "action": action, "resource": resource, "by": by, "from": from_, "to": to},
        )

    def create_member(
        self,
        body: CreateMember,
    ) -> Member:
        """Create a member."""
        return self._call(
            "POST",
            "/api/v1/members",
            body=body,
        )

    def list_members(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> MemberPage:
        """List members."""
        return self._call(
            "GET",
            "/api/v1/members",
            query={"limit": limit, "cursor": cursor},
        )

    def update_member(
        self,
        member_id: str,
        body: UpdateMember,
    ) -> Member:
        """Update a member."""
        return self._call(
            "PATCH",
            f"/api/v1/members/{_quoted(member_id)}",
            body=body,
        )

    def delete_member(
        self,
        member_id: str,
    ) -> None:
        """Delete a member."""
        return self._call(
            "DELETE",
            f"/api/v1/members/{_quoted(member_id)}",
        )

    def list_alerts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AlertPage:
        """List what is failing."""
        return self._call(
            "GET",
            "/api/v1/alerts",
            query={"limit": limit, "cursor": cursor},
        )

    def get_destination_by_external_id(
        self,
        external_id: str,
    ) -> Destination:
        """Get a destination by its external id."""
        return self._call(
            "GET",
            f"/api/v1/destinations/ext/{_quoted(external_id)}",
        )

    def put_destination(
        self,
        external_id: str,
        body: CreateDestination,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> DestinationApplied:
        """Create or replace a destination by its external id."""
        return self._call(
            "PUT",
            f"/api/v1/destinations/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    def delete_destination_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete a destination by its external id."""
        return self._call(
            "DELETE",
            f"/api/v1/destinations/ext/{_quoted(external_id)}",
        )

    def create_destination(
        self,
        body: CreateDestination,
    ) -> Destination:
        """Create a destination."""
        return self._call(
            "POST",
            "/api/v1/destinations",
            body=body,
        )

    def list_destinations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> DestinationPage:
        """List destinations."""
        return self._call(
            "GET",
            "/api/v1/destinations",
            query={"limit": limit, "cursor": cursor},
        )

    def get_destination(
        self,
        destination_id: str,
    ) -> Destination:
        """Get a destination."""
        return self._call(
            "GET",
            f"/api/v1/destinations/{_quoted(destination_id)}",
        )

    def update_destination(
        self,
        destination_id: str,
        body: UpdateDestination,
    ) -> Destination:
        """Update a destination."""
        return self._call(
            "PATCH",
            f"/api/v1/destinations/{_quoted(destination_id)}",
            body=body,
        )

    def delete_destination(
        self,
        destination_id: str,
    ) -> None:
        """Delete a destination."""
        return self._call(
            "DELETE",
            f"/api/v1/destinations/{_quoted(destination_id)}",
        )

    def ping_destination(
        self,
        destination_id: str,
    ) -> Delivery:
        """Send a test message."""
        return self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/ping",
        )

    def enable_destination(
        self,
        destination_id: str,
    ) -> Destination:
        """Enable a destination."""
        return self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/enable",
        )

    def disable_destination(
        self,
        destination_id: str,
    ) -> Destination:
        """Disable a destination."""
        return self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/disable",
        )

    def list_deliveries(
        self,
        destination_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> DeliveryPage:
        """List deliveries."""
        return self._call(
            "GET",
            f"/api/v1/destinations/{_quoted(destination_id)}/deliveries",
            query={"limit": limit, "cursor": cursor},
        )

    def redeliver_to_destination(
        self,
        destination_id: str,
        delivery_id: str,
    ) -> Delivery:
        """Redeliver."""
        return self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/deliveries/{_quoted(delivery_id)}/redeliver",
        )

    def create_share(
        self,
        body: CreateShare,
    ) -> Share:
        """Create a share."""
        return self._call(
            "POST",
            "/api/v1/shares",
            body=body,
        )

    def list_shares(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SharePage:
        """List shares."""
        return self._call(
            "GET",
            "/api/v1/shares",
            query={"limit": limit, "cursor": cursor},
        )

    def revoke_share(
        self,
        share_id: str,
    ) -> None:
        """Revoke a share."""
        return self._call(
            "DELETE",
            f"/api/v1/shares/{_quoted(share_id)}",
        )

    def create_connection(
        self,
        body: CreateConnection,
    ) -> Connection:
        """Create a connection."""
        return self._call(
            "POST",
            "/api/v1/connections",
            body=body,
        )

    def list_connections(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ConnectionPage:
        """List connections."""
        return self._call(
            "GET",
            "/api/v1/connections",
            query={"limit": limit, "cursor": cursor},
        )

    def delete_connection(
        self,
        connection_id: str,
    ) -> None:
        """Delete a connection."""
        return self._call(
            "DELETE",
            f"/api/v1/connections/{_quoted(connection_id)}",
        )

    def list_models(
        self,
    ) -> UsableModels:
        """List the models."""
        return self._call(
            "GET",
            "/api/v1/models",
        )

    def set_default_model(
        self,
        body: SetDefaultModel,
    ) -> UsableModels:
        """Set the default model."""
        return self._call(
            "PUT",
            "/api/v1/models/default",
            body=body,
        )

    def create_model_provider(
        self,
        body: CreateModelProvider,
    ) -> ModelProvider:
        """Create a model provider."""
        return self._call(
            "POST",
            "/api/v1/model-providers",
            body=body,
        )

    def list_model_providers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ModelProviderPage:
        """List model providers."""
        return self._call(
            "GET",
            "/api/v1/model-providers",
            query={"limit": limit, "cursor": cursor},
        )

    def get_model_provider(
        self,
        provider_id: str,
    ) -> ModelProvider:
        """Get a model provider."""
        return self._call(
            "GET",
            f"/api/v1/model-providers/{_quoted(provider_id)}",
        )

    def update_model_provider(
        self,
        provider_id: str,
        body: UpdateModelProvider,
    ) -> ModelProvider:
        """Update a model provider."""
        return self._call(
            "PATCH",
            f"/api/v1/model-providers/{_quoted(provider_id)}",
            body=body,
        )

    def delete_model_provider(
        self,
        provider_id: str,
    ) -> None:
        """Delete a model provider."""
        return self._call(
            "DELETE",
            f"/api/v1/model-providers/{_quoted(provider_id)}",
        )

    def test_model_provider(
        self,
        provider_id: str,
        body: TestModelProvider | None = None,
    ) -> ModelTrial:
        """Test a model provider."""
        return self._call(
            "POST",
            f"/api/v1/model-providers/{_quoted(provider_id)}/test",
            body={} if body is None else body,
        )

    def create_mcp_server(
        self,
        body: CreateMcpServer,
    ) -> McpServer:
        """Create an MCP server."""
        return self._call(
            "POST",
            "/api/v1/mcp-servers",
            body=body,
        )

    def list_mcp_servers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> McpServerPage:
        """List MCP servers."""
        return self._call(
            "GET",
            "/api/v1/mcp-servers",
            query={"limit": limit, "cursor": cursor},
        )

    def delete_mcp_server(
        self,
        server_id: str,
    ) -> None:
        """Delete an MCP server."""
        return self._call(
            "DELETE",
            f"/api/v1/mcp-servers/{_quoted(server_id)}",
        )

    def create_mcp_token(
        self,
        body: CreateMcpToken,
    ) -> McpTokenCreated:
        """Create an MCP token."""
        return self._call(
            "POST",
            "/api/v1/mcp-tokens",
            body=body,
        )

    def list_mcp_tokens(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> McpTokenPage:
        """List MCP tokens."""
        return self._call(
            "GET",
            "/api/v1/mcp-tokens",
            query={"limit": limit, "cursor": cursor},
        )

    def revoke_mcp_token(
        self,
        token_id: str,
    ) -> None:
        """Revoke an MCP token."""
        return self._call(
            "DELETE",
            f"/api/v1/mcp-tokens/{_quoted(token_id)}",
        )


class AsyncOperations:
    """Every operation of the API, to be awaited."""

    async def _call(
        self,
        method: str,
        path: str,
        *,
        query: abc.Mapping[str, Any] | None = None,
        body: Any = None,
        headers: abc.Mapping[str, str | None] | None = None,
        raw: bool = False,
    ) -> Any:
        raise NotImplementedError

    async def trigger_execution(
        self,
        body: Trigger,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerAccepted:
        """Start an execution."""
        return await self._call(
            "POST",
            "/api/v1/agent/trigger",
            body=body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    async def trigger_executions(
        self,
        body: TriggerBatch,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerBatchResult:
        """Start many executions."""
        return await self._call(
            "POST",
            "/api/v1/agent/trigger/batch",
            body=body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    async def list_executions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[Literal['active', 'waiting_for_input', 'completed', 'failed', 'stopped']] | None = None,
        origin: list[Literal['api', 'webhook', 'replay', 'workflow', 'schedule', 'rehearsal']] | None = None,
        workflow_id: str | None = None,
        q: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
    ) -> ExecutionPage:
        """List executions."""
        return await self._call(
            "GET",
            "/api/v1/agent/trigger/list",
            query={"limit": limit, "cursor": cursor, "status": status, "origin": origin, "workflowId": workflow_id, "q": q, "createdAfter": created_after, "createdBefore": created_before},
        )

    async def get_execution_status(
        self,
        execution_id: str,
        *,
        since_version: int | None = None,
        wait_seconds: int | None = None,
    ) -> ExecutionState:
        """Get the status of an execution."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/status",
            query={"sinceVersion": since_version, "waitSeconds": wait_seconds},
        )

    async def get_execution_task(
        self,
        execution_id: str,
    ) -> ExecutionTask:
        """Get the task of an execution."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/task",
        )

    async def get_execution_result(
        self,
        execution_id: str,
        *,
        partial: Literal['true', 'false'] | None = None,
        wait_seconds: int | None = None,
    ) -> ExecutionResult:
        """Get the result of an execution."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/result",
            query={"partial": partial, "waitSeconds": wait_seconds},
        )

    async def read_execution_events(
        self,
        execution_id: str,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> EventPage:
        """Follow the events of an execution."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/events",
            query={"after": after, "limit": limit},
        )

    async def get_execution_step(
        self,
        execution_id: str,
        step: str,
    ) -> ExecutionStep:
        """Get a step of an execution."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/steps/{_quoted(step)}",
        )

    async def download_file(
        self,
        execution_id: str,
        output_id: str,
    ) -> bytes:
        """Download a file."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/files/{_quoted(output_id)}",
            raw=True,
        )

    async def send_message(
        self,
        execution_id: str,
        body: Message,
        *,
        idempotency_key: str | None = None,
    ) -> MessageAccepted:
        """Send a message to an execution."""
        return await self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/message",
            body=body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    async def stop_execution(
        self,
        execution_id: str,
        body: Stop | None = None,
    ) -> Stopped:
        """Stop an execution."""
        return await self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/stop",
            body={} if body is None else body,
        )

    async def score_execution(
        self,
        execution_id: str,
        body: NewScore,
    ) -> Score:
        """Score an execution."""
        return await self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/scores",
            body=body,
        )

    async def list_scores(
        self,
        execution_id: str,
    ) -> ListScoresAnswer:
        """List the scores of an execution."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/scores",
        )

    async def fork_execution(
        self,
        execution_id: str,
        body: Fork | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ForkAccepted:
        """Continue an execution from a step."""
        return await self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/fork",
            body={} if body is None else body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    async def create_retry(
        self,
        body: Retries,
    ) -> Retry | RetryForecast:
        """Retry many executions."""
        return await self._call(
            "POST",
            "/api/v1/agent/retries",
            body=body,
        )

    async def get_retry(
        self,
        retry_id: str,
    ) -> Retry:
        """Get a retry."""
        return await self._call(
            "GET",
            f"/api/v1/agent/retries/{_quoted(retry_id)}",
        )

    async def cancel_retry(
        self,
        retry_id: str,
    ) -> None:
        """Cancel a retry."""
        return await self._call(
            "DELETE",
            f"/api/v1/agent/retries/{_quoted(retry_id)}",
        )

    async def list_callback_attempts(
        self,
        execution_id: str,
    ) -> CallbackLog:
        """List callback attempts."""
        return await self._call(
            "GET",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/callbacks",
        )

    async def redeliver_callback(
        self,
        execution_id: str,
        body: Redeliver | None = None,
    ) -> CallbackLog:
        """Redeliver a callback."""
        return await self._call(
            "POST",
            f"/api/v1/agent/trigger/{_quoted(execution_id)}/callbacks/redeliver",
            body={} if body is None else body,
        )

    async def get_credits(
        self,
    ) -> Credits:
        """Get the balance."""
        return await self._call(
            "GET",
            "/api/v1/agent/credits",
        )

    async def list_decisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: list[Literal['open', 'answered', 'expired', 'withdrawn']] | None = None,
    ) -> DecisionPage:
        """List decisions."""
        return await self._call(
            "GET",
            "/api/v1/decisions",
            query={"limit": limit, "cursor": cursor, "state": state},
        )

    async def get_decision(
        self,
        decision_id: str,
    ) -> Decision:
        """Get a decision."""
        return await self._call(
            "GET",
            f"/api/v1/decisions/{_quoted(decision_id)}",
        )

    async def decide(
        self,
        decision_id: str,
        body: Decide,
    ) -> Decision:
        """Answer a decision."""
        return await self._call(
            "POST",
            f"/api/v1/decisions/{_quoted(decision_id)}",
            body=body,
        )

    async def get_workflow_by_external_id(
        self,
        external_id: str,
    ) -> Workflow:
        """Get a workflow by its external id."""
        return await self._call(
            "GET",
            f"/api/v1/workflows/ext/{_quoted(external_id)}",
        )

    async def put_workflow(
        self,
        external_id: str,
        body: CreateWorkflow,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> WorkflowApplied:
        """Create or replace a workflow by its external id."""
        return await self._call(
            "PUT",
            f"/api/v1/workflows/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    async def delete_workflow_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete a workflow by its external id."""
        return await self._call(
            "DELETE",
            f"/api/v1/workflows/ext/{_quoted(external_id)}",
        )

    async def create_workflow(
        self,
        body: CreateWorkflow,
    ) -> Workflow:
        """Create a workflow."""
        return await self._call(
            "POST",
            "/api/v1/workflows",
            body=body,
        )

    async def list_workflows(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> WorkflowPage:
        """List workflows."""
        return await self._call(
            "GET",
            "/api/v1/workflows",
            query={"limit": limit, "cursor": cursor},
        )

    async def get_workflow(
        self,
        workflow_id: str,
    ) -> Workflow:
        """Get a workflow."""
        return await self._call(
            "GET",
            f"/api/v1/workflows/{_quoted(workflow_id)}",
        )

    async def update_workflow(
        self,
        workflow_id: str,
        body: UpdateWorkflow,
    ) -> Workflow:
        """Update a workflow."""
        return await self._call(
            "PATCH",
            f"/api/v1/workflows/{_quoted(workflow_id)}",
            body=body,
        )

    async def delete_workflow(
        self,
        workflow_id: str,
    ) -> None:
        """Delete a workflow."""
        return await self._call(
            "DELETE",
            f"/api/v1/workflows/{_quoted(workflow_id)}",
        )

    async def run_workflow(
        self,
        workflow_id: str,
        body: RunWorkflow | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerAccepted:
        """Run a workflow."""
        return await self._call(
            "POST",
            f"/api/v1/workflows/{_quoted(workflow_id)}/run",
            body={} if body is None else body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    async def list_workflow_revisions(
        self,
        workflow_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> WorkflowRevisionPage:
        """List the revisions of a workflow."""
        return await self._call(
            "GET",
            f"/api/v1/workflows/{_quoted(workflow_id)}/revisions",
            query={"limit": limit, "cursor": cursor},
        )

    async def restore_workflow_revision(
        self,
        workflow_id: str,
        revision: str,
    ) -> Workflow:
        """Restore a revision of a workflow."""
        return await self._call(
            "POST",
            f"/api/v1/workflows/{_quoted(workflow_id)}/revisions/{_quoted(revision)}/restore",
        )

    async def rehearse_workflow(
        self,
        workflow_id: str,
        body: Rehearse,
    ) -> RehearsalAccepted:
        """Rehearse a workflow."""
        return await self._call(
            "POST",
            f"/api/v1/workflows/{_quoted(workflow_id)}/rehearse",
            body=body,
        )

    async def get_rehearsal(
        self,
        rehearsal_id: str,
    ) -> Rehearsal:
        """Get a rehearsal."""
        return await self._call(
            "GET",
            f"/api/v1/rehearsals/{_quoted(rehearsal_id)}",
        )

    async def get_schedule_by_external_id(
        self,
        external_id: str,
    ) -> Schedule:
        """Get a schedule by its external id."""
        return await self._call(
            "GET",
            f"/api/v1/schedules/ext/{_quoted(external_id)}",
        )

    async def put_schedule(
        self,
        external_id: str,
        body: CreateSchedule,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> ScheduleApplied:
        """Create or replace a schedule by its external id."""
        return await self._call(
            "PUT",
            f"/api/v1/schedules/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    async def delete_schedule_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete a schedule by its external id."""
        return await self._call(
            "DELETE",
            f"/api/v1/schedules/ext/{_quoted(external_id)}",
        )

    async def create_schedule(
        self,
        body: CreateSchedule,
    ) -> Schedule:
        """Create a schedule."""
        return await self._call(
            "POST",
            "/api/v1/schedules",
            body=body,
        )

    async def list_schedules(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SchedulePage:
        """List schedules."""
        return await self._call(
            "GET",
            "/api/v1/schedules",
            query={"limit": limit, "cursor": cursor},
        )

    async def get_schedule(
        self,
        schedule_id: str,
    ) -> Schedule:
        """Get a schedule."""
        return await self._call(
            "GET",
            f"/api/v1/schedules/{_quoted(schedule_id)}",
        )

    async def update_schedule(
        self,
        schedule_id: str,
        body: UpdateSchedule,
    ) -> Schedule:
        """Update a schedule."""
        return await self._call(
            "PATCH",
            f"/api/v1/schedules/{_quoted(schedule_id)}",
            body=body,
        )

    async def delete_schedule(
        self,
        schedule_id: str,
    ) -> None:
        """Delete a schedule."""
        return await self._call(
            "DELETE",
            f"/api/v1/schedules/{_quoted(schedule_id)}",
        )

    async def run_schedule(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> TriggerAccepted:
        """Run a schedule now."""
        return await self._call(
            "POST",
            f"/api/v1/schedules/{_quoted(schedule_id)}/run",
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )

    async def get_endpoint_by_external_id(
        self,
        external_id: str,
    ) -> Endpoint:
        """Get an endpoint by its external id."""
        return await self._call(
            "GET",
            f"/api/v1/webhooks/ext/{_quoted(external_id)}",
        )

    async def put_endpoint(
        self,
        external_id: str,
        body: CreateEndpoint,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> EndpointApplied:
        """Create or replace an endpoint by its external id."""
        return await self._call(
            "PUT",
            f"/api/v1/webhooks/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    async def delete_endpoint_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete an endpoint by its external id."""
        return await self._call(
            "DELETE",
            f"/api/v1/webhooks/ext/{_quoted(external_id)}",
        )

    async def create_endpoint(
        self,
        body: CreateEndpoint,
    ) -> EndpointSaved:
        """Create an endpoint."""
        return await self._call(
            "POST",
            "/api/v1/webhooks",
            body=body,
        )

    async def list_endpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> EndpointPage:
        """List endpoints."""
        return await self._call(
            "GET",
            "/api/v1/webhooks",
            query={"limit": limit, "cursor": cursor},
        )

    async def get_endpoint(
        self,
        endpoint_id: str,
    ) -> Endpoint:
        """Get an endpoint."""
        return await self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}",
        )

    async def update_endpoint(
        self,
        endpoint_id: str,
        body: UpdateEndpoint,
    ) -> EndpointSaved:
        """Update an endpoint."""
        return await self._call(
            "PATCH",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}",
            body=body,
        )

    async def delete_endpoint(
        self,
        endpoint_id: str,
    ) -> None:
        """Delete an endpoint."""
        return await self._call(
            "DELETE",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}",
        )

    async def list_endpoint_revisions(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> EndpointRevisionPage:
        """List the revisions of an endpoint."""
        return await self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/revisions",
            query={"limit": limit, "cursor": cursor},
        )

    async def restore_endpoint_revision(
        self,
        endpoint_id: str,
        revision: str,
    ) -> EndpointSaved:
        """Restore a revision of an endpoint."""
        return await self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/revisions/{_quoted(revision)}/restore",
        )

    async def list_webhook_presets(
        self,
    ) -> WebhookPresets:
        """List the presets of senders."""
        return await self._call(
            "GET",
            "/api/v1/webhook-presets",
        )

    async def rotate_secret(
        self,
        endpoint_id: str,
        body: RotateSecret | None = None,
    ) -> EndpointSaved:
        """Rotate the secret of an endpoint."""
        return await self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/rotate-secret",
            body={} if body is None else body,
        )

    async def test_endpoint(
        self,
        endpoint_id: str,
        body: TestRequest | None = None,
    ) -> TestResult:
        """Test an endpoint."""
        return await self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/test",
            body={} if body is None else body,
        )

    async def try_webhook_draft(
        self,
        endpoint_id: str,
        body: WhatIf | None = None,
    ) -> WhatIfResult:
        """Try other rules on past requests."""
        return await self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/what-if",
            body={} if body is None else body,
        )

    async def get_webhook_shape(
        self,
        endpoint_id: str,
    ) -> LearnedShape:
        """Get the learned shape of payloads."""
        return await self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/shape",
        )

    async def search_webhook_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']] | None = None,
        duplicate: Literal['true', 'false'] | None = None,
        event_id: str | None = None,
        event_type: str | None = None,
        text: str | None = None,
        received_after: str | None = None,
        received_before: str | None = None,
        endpoint_id: list[str] | None = None,
    ) -> FoundRequestPage:
        """Search the requests of all endpoints."""
        return await self._call(
            "GET",
            "/api/v1/webhook-requests",
            query={"limit": limit, "cursor": cursor, "status": status, "duplicate": duplicate, "eventId": event_id, "eventType": event_type, "text": text, "receivedAfter": received_after, "receivedBefore": received_before, "endpointId": endpoint_id},
        )

    async def list_webhook_requests(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: list[Literal['rejected', 'queued', 'running', 'succeeded', 'failed', 'duplicate', 'unrouted', 'superseded', 'logged']] | None = None,
        duplicate: Literal['true', 'false'] | None = None,
        event_id: str | None = None,
        event_type: str | None = None,
        text: str | None = None,
        received_after: str | None = None,
        received_before: str | None = None,
    ) -> InboundRequestPage:
        """List the requests of an endpoint."""
        return await self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/requests",
            query={"limit": limit, "cursor": cursor, "status": status, "duplicate": duplicate, "eventId": event_id, "eventType": event_type, "text": text, "receivedAfter": received_after, "receivedBefore": received_before},
        )

    async def get_webhook_request(
        self,
        endpoint_id: str,
        request_id: str,
    ) -> InboundRequest:
        """Get a request."""
        return await self._call(
            "GET",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/requests/{_quoted(request_id)}",
        )

    async def list_cases(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        endpoint_id: str | None = None,
        key: str | None = None,
        route: str | None = None,
    ) -> CasePage:
        """List cases."""
        return await self._call(
            "GET",
            "/api/v1/cases",
            query={"limit": limit, "cursor": cursor, "endpointId": endpoint_id, "key": key, "route": route},
        )

    async def replay_webhook_request(
        self,
        endpoint_id: str,
        request_id: str,
        body: ReplayRequest | None = None,
    ) -> ReplayAccepted:
        """Replay a request."""
        return await self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/requests/{_quoted(request_id)}/replay",
            body={} if body is None else body,
        )

    async def create_replay(
        self,
        body: Replays,
    ) -> Replay | ReplayForecast:
        """Replay many requests."""
        return await self._call(
            "POST",
            "/api/v1/replays",
            body=body,
        )

    async def get_replay(
        self,
        replay_id: str,
    ) -> Replay:
        """Get a replay."""
        return await self._call(
            "GET",
            f"/api/v1/replays/{_quoted(replay_id)}",
        )

    async def cancel_replay(
        self,
        replay_id: str,
    ) -> None:
        """Cancel a replay."""
        return await self._call(
            "DELETE",
            f"/api/v1/replays/{_quoted(replay_id)}",
        )

    async def release_held_requests(
        self,
        endpoint_id: str,
        body: ReleaseRequest | None = None,
    ) -> ReleaseAccepted | ReleaseTrial:
        """Release held requests."""
        return await self._call(
            "POST",
            f"/api/v1/webhooks/{_quoted(endpoint_id)}/release",
            body={} if body is None else body,
        )

    async def get_quota_usage(
        self,
    ) -> QuotaUse:
        """Get the use of the quotas."""
        return await self._call(
            "GET",
            "/api/v1/usage/quotas",
        )

    async def get_usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        bucket: Literal['hour', 'day'] | None = None,
    ) -> Usage:
        """Get the usage of executions."""
        return await self._call(
            "GET",
            "/api/v1/usage",
            query={"from": from_, "to": to, "bucket": bucket},
        )

    async def get_usage_breakdown(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        bucket: Literal['hour', 'day'] | None = None,
        by: Literal['workflow', 'key', 'model'] | None = None,
    ) -> UsageBreakdown:
        """Get the usage by workflow, key or model."""
        return await self._call(
            "GET",
            "/api/v1/usage/breakdown",
            query={"from": from_, "to": to, "bucket": bucket, "by": by},
        )

    async def get_all_webhook_usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        bucket: Literal['hour', 'day'] | None = None,
    ) -> AllWebhookUsage:
        """Get the usage of all endpoints."""
        return await self._call(
            "GET",
            "/api/v1/usage/webhooks",
            query={"from": from_, "to": to, "bucket": bucket},
        )

    async def get_own_account(
        self,
    ) -> Caller:
        """Get the account of the key."""
        return await self._call(
            "GET",
            "/api/v1/account",
        )

    async def create_key(
        self,
        body: CreateKey,
    ) -> ApiKeyCreated:
        """Create a key."""
        return await self._call(
            "POST",
            "/api/v1/keys",
            body=body,
        )

    async def list_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> KeyPage:
        """List keys."""
        return await self._call(
            "GET",
            "/api/v1/keys",
            query={"limit": limit, "cursor": cursor},
        )

    async def revoke_key(
        self,
        key_id: str,
    ) -> None:
        """Revoke a key."""
        return await self._call(
            "DELETE",
            f"/api/v1/keys/{_quoted(key_id)}",
        )

    async def rotate_key(
        self,
        key_id: str,
        body: RotateKey | None = None,
    ) -> ApiKeyCreated:
        """Rotate a key."""
        return await self._call(
            "POST",
            f"/api/v1/keys/{_quoted(key_id)}/rotate",
            body={} if body is None else body,
        )

    async def list_audit_entries(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        action: Literal['account.created', 'account.updated', 'account.suspended', 'account.resumed', 'account.credits_granted', 'account.default_model_set', 'connection.created', 'connection.deleted', 'decision.answered', 'decision.expired', 'destination.created', 'destination.updated', 'destination.deleted', 'endpoint.created', 'endpoint.updated', 'endpoint.secret_rotated', 'endpoint.deleted', 'key.created', 'key.rotated', 'key.revoked', 'mcp_server.created', 'mcp_server.deleted', 'mcp_token.created', 'mcp_token.revoked', 'member.created', 'member.updated', 'member.deleted', 'member.signed_in', 'model_provider.created', 'model_provider.updated', 'model_provider.deleted', 'replay.created', 'replay.cancelled', 'retry.created', 'retry.cancelled', 'schedule.created', 'schedule.updated', 'schedule.deleted', 'share.created', 'share.revoked', 'workflow.created', 'workflow.updated', 'workflow.deleted'] | None = None,
        resource: str | None = None,
        by: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AuditPage:
        """Read the audit log."""
        return await self._call(
            "GET",
            "/api/v1/audit",
            query={"limit": limit, "cursor": cursor, "action": action, "resource": resource, "by": by, "from": from_, "to": to},
        )

    async def create_member(
        self,
        body: CreateMember,
    ) -> Member:
        """Create a member."""
        return await self._call(
            "POST",
            "/api/v1/members",
            body=body,
        )

    async def list_members(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> MemberPage:
        """List members."""
        return await self._call(
            "GET",
            "/api/v1/members",
            query={"limit": limit, "cursor": cursor},
        )

    async def update_member(
        self,
        member_id: str,
        body: UpdateMember,
    ) -> Member:
        """Update a member."""
        return await self._call(
            "PATCH",
            f"/api/v1/members/{_quoted(member_id)}",
            body=body,
        )

    async def delete_member(
        self,
        member_id: str,
    ) -> None:
        """Delete a member."""
        return await self._call(
            "DELETE",
            f"/api/v1/members/{_quoted(member_id)}",
        )

    async def list_alerts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AlertPage:
        """List what is failing."""
        return await self._call(
            "GET",
            "/api/v1/alerts",
            query={"limit": limit, "cursor": cursor},
        )

    async def get_destination_by_external_id(
        self,
        external_id: str,
    ) -> Destination:
        """Get a destination by its external id."""
        return await self._call(
            "GET",
            f"/api/v1/destinations/ext/{_quoted(external_id)}",
        )

    async def put_destination(
        self,
        external_id: str,
        body: CreateDestination,
        *,
        dry_run: Literal['true', 'false'] | None = None,
    ) -> DestinationApplied:
        """Create or replace a destination by its external id."""
        return await self._call(
            "PUT",
            f"/api/v1/destinations/ext/{_quoted(external_id)}",
            query={"dryRun": dry_run},
            body=body,
        )

    async def delete_destination_by_external_id(
        self,
        external_id: str,
    ) -> None:
        """Delete a destination by its external id."""
        return await self._call(
            "DELETE",
            f"/api/v1/destinations/ext/{_quoted(external_id)}",
        )

    async def create_destination(
        self,
        body: CreateDestination,
    ) -> Destination:
        """Create a destination."""
        return await self._call(
            "POST",
            "/api/v1/destinations",
            body=body,
        )

    async def list_destinations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> DestinationPage:
        """List destinations."""
        return await self._call(
            "GET",
            "/api/v1/destinations",
            query={"limit": limit, "cursor": cursor},
        )

    async def get_destination(
        self,
        destination_id: str,
    ) -> Destination:
        """Get a destination."""
        return await self._call(
            "GET",
            f"/api/v1/destinations/{_quoted(destination_id)}",
        )

    async def update_destination(
        self,
        destination_id: str,
        body: UpdateDestination,
    ) -> Destination:
        """Update a destination."""
        return await self._call(
            "PATCH",
            f"/api/v1/destinations/{_quoted(destination_id)}",
            body=body,
        )

    async def delete_destination(
        self,
        destination_id: str,
    ) -> None:
        """Delete a destination."""
        return await self._call(
            "DELETE",
            f"/api/v1/destinations/{_quoted(destination_id)}",
        )

    async def ping_destination(
        self,
        destination_id: str,
    ) -> Delivery:
        """Send a test message."""
        return await self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/ping",
        )

    async def enable_destination(
        self,
        destination_id: str,
    ) -> Destination:
        """Enable a destination."""
        return await self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/enable",
        )

    async def disable_destination(
        self,
        destination_id: str,
    ) -> Destination:
        """Disable a destination."""
        return await self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/disable",
        )

    async def list_deliveries(
        self,
        destination_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> DeliveryPage:
        """List deliveries."""
        return await self._call(
            "GET",
            f"/api/v1/destinations/{_quoted(destination_id)}/deliveries",
            query={"limit": limit, "cursor": cursor},
        )

    async def redeliver_to_destination(
        self,
        destination_id: str,
        delivery_id: str,
    ) -> Delivery:
        """Redeliver."""
        return await self._call(
            "POST",
            f"/api/v1/destinations/{_quoted(destination_id)}/deliveries/{_quoted(delivery_id)}/redeliver",
        )

    async def create_share(
        self,
        body: CreateShare,
    ) -> Share:
        """Create a share."""
        return await self._call(
            "POST",
            "/api/v1/shares",
            body=body,
        )

    async def list_shares(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> SharePage:
        """List shares."""
        return await self._call(
            "GET",
            "/api/v1/shares",
            query={"limit": limit, "cursor": cursor},
        )

    async def revoke_share(
        self,
        share_id: str,
    ) -> None:
        """Revoke a share."""
        return await self._call(
            "DELETE",
            f"/api/v1/shares/{_quoted(share_id)}",
        )

    async def create_connection(
        self,
        body: CreateConnection,
    ) -> Connection:
        """Create a connection."""
        return await self._call(
            "POST",
            "/api/v1/connections",
            body=body,
        )

    async def list_connections(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ConnectionPage:
        """List connections."""
        return await self._call(
            "GET",
            "/api/v1/connections",
            query={"limit": limit, "cursor": cursor},
        )

    async def delete_connection(
        self,
        connection_id: str,
    ) -> None:
        """Delete a connection."""
        return await self._call(
            "DELETE",
            f"/api/v1/connections/{_quoted(connection_id)}",
        )

    async def list_models(
        self,
    ) -> UsableModels:
        """List the models."""
        return await self._call(
            "GET",
            "/api/v1/models",
        )

    async def set_default_model(
        self,
        body: SetDefaultModel,
    ) -> UsableModels:
        """Set the default model."""
        return await self._call(
            "PUT",
            "/api/v1/models/default",
            body=body,
        )

    async def create_model_provider(
        self,
        body: CreateModelProvider,
    ) -> ModelProvider:
        """Create a model provider."""
        return await self._call(
            "POST",
            "/api/v1/model-providers",
            body=body,
        )

    async def list_model_providers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ModelProviderPage:
        """List model providers."""
        return await self._call(
            "GET",
            "/api/v1/model-providers",
            query={"limit": limit, "cursor": cursor},
        )

    async def get_model_provider(
        self,
        provider_id: str,
    ) -> ModelProvider:
        """Get a model provider."""
        return await self._call(
            "GET",
            f"/api/v1/model-providers/{_quoted(provider_id)}",
        )

    async def update_model_provider(
        self,
        provider_id: str,
        body: UpdateModelProvider,
    ) -> ModelProvider:
        """Update a model provider."""
        return await self._call(
            "PATCH",
            f"/api/v1/model-providers/{_quoted(provider_id)}",
            body=body,
        )

    async def delete_model_provider(
        self,
        provider_id: str,
    ) -> None:
        """Delete a model provider."""
        return await self._call(
            "DELETE",
            f"/api/v1/model-providers/{_quoted(provider_id)}",
        )

    async def test_model_provider(
        self,
        provider_id: str,
        body: TestModelProvider | None = None,
    ) -> ModelTrial:
        """Test a model provider."""
        return await self._call(
            "POST",
            f"/api/v1/model-providers/{_quoted(provider_id)}/test",
            body={} if body is None else body,
        )

    async def create_mcp_server(
        self,
        body: CreateMcpServer,
    ) -> McpServer:
        """Create an MCP server."""
        return await self._call(
            "POST",
            "/api/v1/mcp-servers",
            body=body,
        )

    async def list_mcp_servers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> McpServerPage:
        """List MCP servers."""
        return await self._call(
            "GET",
            "/api/v1/mcp-servers",
            query={"limit": limit, "cursor": cursor},
        )

    async def delete_mcp_server(
        self,
        server_id: str,
    ) -> None:
        """Delete an MCP server."""
        return await self._call(
            "DELETE",
            f"/api/v1/mcp-servers/{_quoted(server_id)}",
        )

    async def create_mcp_token(
        self,
        body: CreateMcpToken,
    ) -> McpTokenCreated:
        """Create an MCP token."""
        return await self._call(
            "POST",
            "/api/v1/mcp-tokens",
            body=body,
        )

    async def list_mcp_tokens(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> McpTokenPage:
        """List MCP tokens."""
        return await self._call(
            "GET",
            "/api/v1/mcp-tokens",
            query={"limit": limit, "cursor": cursor},
        )

    async def revoke_mcp_token(
        self,
        token_id: str,
    ) -> None:
        """Revoke an MCP token."""
        return await self._call(
            "DELETE",
            f"/api/v1/mcp-tokens/{_quoted(token_id)}",
        )

# endregion

_FINAL = {"completed", "failed", "stopped"}
_LONG_POLL_SECONDS = 30
_RATE_WINDOW_SECONDS = 60.0
_LONGEST_PAUSE_SECONDS = 2.0
_BUSY = {429, 502, 503, 504}
# A longer `Retry-After` is reported to the caller instead of waited for.
_LONGEST_AFTER = 60
# What urllib raises where an answer is missing, breaks off or is no HTTP.
_BROKEN = (OSError, http.client.HTTPException)


WaitStep: TypeAlias = "float | abc.Callable[[Operations], Any]"


def wait_steps(
    execution_id: str,
    timeout_seconds: float | None,
    on_progress: abc.Callable[[ExecutionState], None] | None,
) -> abc.Generator[WaitStep, Any, ExecutionResult]:
    """Yield what waiting does next: seconds to sleep, or a call whose answer is sent back."""
    deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds

    def left() -> float:
        return math.inf if deadline is None else deadline - time.monotonic()

    def allowed(poll: abc.Callable[[Operations], Any]) -> abc.Generator[WaitStep, Any, Any]:
        # The execution is paid for, and goes on.
        while True:
            try:
                return (yield poll)
            except Problem as problem:
                if problem.status != 429:
                    raise
                pause = _RATE_WINDOW_SECONDS if problem.retry_after is None else problem.retry_after
                if pause >= left():
                    yield float(max(0, left()))
                    raise WaitTimeout(
                        execution_id, f"Polls of execution {execution_id} are limited."
                    ) from problem
                yield float(pause)

    pause = 0.1
    try:
        state = yield from allowed(lambda api: api.get_execution_status(execution_id))
        while True:
            if on_progress is not None:
                on_progress(state)
            if state["status"] in _FINAL:
                return (yield from allowed(lambda api: api.get_execution_result(execution_id)))
            if left() <= 0:
                raise WaitTimeout(execution_id, f"Execution {execution_id} is {state['status']}.")
            # A busy execution changes all the time: polling without a pause would use up the rate limit.
            yield float(max(0, min(pause, left())))
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
            seconds = max(1, int(min(_LONG_POLL_SECONDS, left())))
            version = state["version"]
            state = yield from allowed(
                lambda api: api.get_execution_status(
                    execution_id, since_version=version, wait_seconds=seconds
                )
            )
    except (Problem, ConnectionFailed) as error:
        error.execution_id = execution_id
        raise


class Prompthook(Operations):
    """A client for one account: every operation of the API, and `run`, `wait`, `stream` and `each`."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = 60,
        max_retries: int = 3,
    ) -> None:
        """Connect to `base_url`. A call that is safe to repeat is repeated up to `max_retries` times."""
        url = urllib.parse.urlsplit(base_url)
        is_loopback = url.hostname in ("localhost", "127.0.0.1", "::1")
        # The key must not cross a network in the clear.
        if url.scheme != "https" and not (url.scheme == "http" and is_loopback):
            raise ValueError(f"base_url must be an https:// URL, not {base_url!r}")
        # A key that is read from a file ends with a line break.
        self._api_key = (api_key or "").strip()
        # The error of urllib for such a header would show the key.
        if not self._api_key or any(not "!" <= letter <= "~" for letter in self._api_key):
            raise ValueError("api_key must be an API key, which begins with ph_live_")
        # The paths of operations begin at the root: a copied `/api/v1` or `/dashboard` is left out.
        self._base_url = f"{url.scheme}://{url.netloc}"
        self._timeout = timeout_seconds
        self._max_retries = max_retries

    def run(
        self,
        body: Trigger,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: abc.Callable[[ExecutionState], None] | None = None,
    ) -> ExecutionResult:
        """Start an agent and wait for its result. A failed or stopped execution has a result too.

        Every error after the start has its `execution_id`, with which `wait` continues.
        """
        accepted = self.trigger_execution(body, idempotency_key=idempotency_key)
        return self.wait(
            accepted["executionId"], timeout_seconds=timeout_seconds, on_progress=on_progress
        )

    def wait(
        self,
        execution_id: str,
        *,
        timeout_seconds: float | None = None,
        on_progress: abc.Callable[[ExecutionState], None] | None = None,
    ) -> ExecutionResult:
        """Wait until an execution finishes. Raises `WaitTimeout` after `timeout_seconds`.

        Goes on while the rate limit refuses polls. Every error has the `execution_id`.
        """
        steps = wait_steps(execution_id, timeout_seconds, on_progress)
        try:
            step = next(steps)
            while True:
                if isinstance(step, (int, float)):
                    time.sleep(step)
                    step = next(steps)
                    continue
                try:
                    answer = step(self)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            return end.value

    def stream(
        self, execution_id: str, *, after: int = 0
    ) -> abc.Generator[ExecutionEvent, None, None]:
        """Yield an execution's events until the final one. Resumes after a broken connection."""
        path = f"/api/v1/agent/trigger/{_quoted(execution_id)}/events"
        failures = 0
        while True:
            try:
                headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
                with self._open("GET", path, headers=headers) as response:
                    # 204 answers a stream that has nothing left.
                    if response.status == 204:
                        return
                    for event in _server_sent_events(response):
                        failures = 0
                        # A piece of what the model is writing is no event of the log, and has no number.
                        if event is None or "seq" not in event:
                            continue
                        after = event["seq"]
                        yield event
                        if event["type"] == "status" and event["data"].get("status") in _FINAL:
                            return
                # The service closes long streams in good order before a platform limit would cut them.
                raise ConnectionFailed("The event stream ended before the execution did.")
            except (*_BROKEN, ConnectionFailed, Problem) as error:
                failures += 1
                self._pause(error, failures, path)

    def each(
        self, list_page: abc.Callable[..., abc.Mapping[str, Any]], *args: Any, **query: Any
    ) -> abc.Iterator[Any]:
        """Yield every item of a list: `client.each(client.list_executions, status=["failed"])`."""
        cursor = None
        while True:
            page = list_page(*args, **{"limit": 100, **query, "cursor": cursor})
            yield from next(value for value in page.values() if isinstance(value, list))
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: abc.Mapping[str, Any] | None = None,
        body: Any = None,
        headers: abc.Mapping[str, str | None] | None = None,
        raw: bool = False,
    ) -> Any:
        sent = {name: value for name, value in (headers or {}).items() if value is not None}
        is_repeatable = method in ("GET", "PUT") or "Idempotency-Key" in sent
        if raw:
            sent["Accept"] = "*/*"
        pairs = _pairs(query or {})
        if pairs:
            path += "?" + urllib.parse.urlencode(pairs)
        failures = 0
        while True:
            try:
                with self._open(method, path, body=body, headers=sent) as response:
                    content = response.read()
                break
            except (*_BROKEN, Problem) as error:
                failures = failures + 1 if is_repeatable else self._max_retries + 1
                self._pause(error, failures, path)
        if raw:
            return content
        try:
            return json.loads(content) if content else None
        except ValueError as error:
            raise ConnectionFailed(f"The answer to {method} {path} is not JSON.") from error

    def _pause(self, error: Exception, failures: int, path: str) -> None:
        """Sleep before the next try. Raises for an error that would repeat, and after the last try."""
        after = error.retry_after if isinstance(error, Problem) else None
        if isinstance(error, Problem) and (error.status not in _BUSY or (after or 0) > _LONGEST_AFTER):
            raise error
        if failures > self._max_retries:
            if isinstance(error, (Problem, ConnectionFailed)):
                raise error
            reason = getattr(error, "reason", error)
            raise ConnectionFailed(f"No response from {self._base_url}{path}: {reason}.") from error
        time.sleep(_backoff(failures) if after is None else after)

    def _open(self, method: str, path: str, *, body: Any = None, headers: abc.Mapping[str, str]) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base_url + path, data=data, method=method)
        request.add_header("Authorization", f"Bearer {self._api_key}")
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            return _OPENER.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise _problem(error) from None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The service redirects no call: following one would hand the key to somebody else."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def _problem(error: urllib.error.HTTPError) -> Problem:
    try:
        body = json.loads(error.read())
    except (*_BROKEN, ValueError):
        body = {}
    after = error.headers.get("Retry-After", "")
    retry_after = float(after) if after.isascii() and after.isdigit() else None
    return Problem(error.code, body if isinstance(body, dict) else {}, retry_after)


def _pairs(query: abc.Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return pairs


def _backoff(failures: int) -> float:
    """Seconds to wait, doubling from a quarter, with jitter."""
    return min(0.25 * 2 ** (failures - 1), 8) * (0.5 + random.random() / 2)


def _server_sent_events(lines: Any) -> abc.Iterator[Any]:
    """Yield the data of each event, and None for a comment, which only keeps the connection alive."""
    data: list[str] = []
    for line in lines:
        text = line.decode().rstrip("\r\n")
        if text.startswith("data:"):
            data.append(text[5:].removeprefix(" "))
        elif text.startswith(":"):
            yield None
        elif text == "" and data:
            yield json.loads("\n".join(data))
            data = []
