export type { Credits, TriggerAccepted } from "../contract/account.ts";
export type { AlertRecord } from "../contract/alerts.ts";
export type { CallbackAttempt, CallbackLog } from "../contract/callbacks.ts";
export type { DecisionRecord } from "../contract/decisions.ts";
export type { DeliveryRecord, DestinationRecord } from "../contract/destinations.ts";
export type { EventType, ExecutionEvent } from "../contract/events.ts";
export type {
  Effect,
  ExecutionResult,
  ExecutionRow,
  ExecutionState,
  ExecutionStatus,
  FinalStatus,
  Origin,
  Question,
  StatusDetail,
} from "../contract/execution.ts";
export type { Json, JsonObject } from "../contract/json.ts";
export type { ApiKeyRecord, Scope } from "../contract/keys.ts";
export type { McpServerRecord } from "../contract/mcp.ts";
export type { ModelProviderRecord, UsableModel } from "../contract/models.ts";
export type { NodeType, Output, Table } from "../contract/outputs.ts";
export type { ProblemCode, Violation } from "../contract/problem.ts";
export type { ScheduleRecord } from "../contract/schedule.ts";
export type { MessageAccepted } from "../contract/session.ts";
export type { ShareRecord } from "../contract/shares.ts";
export type { CaseRecord } from "../contract/webhooks/case.ts";
export type { EndpointRecord } from "../contract/webhooks/endpoint.ts";
export type { LogEntry, ReplayAccepted, RequestStatus } from "../contract/webhooks/log.ts";
export type { WhatIfResult } from "../contract/webhooks/trials.ts";
export { isFinal } from "../contract/words.ts";
export type { WorkflowInput, WorkflowRecord } from "../contract/workflow.ts";
export type * from "./bodies.ts";
export {
  type Callback,
  CallbackError,
  type CallbackFault,
  type VerifyCallbackOptions,
  verifyCallback,
} from "./callback.ts";
export {
  ConnectionError,
  PrompthookError,
  UnexpectedResponseError,
  WaitTimeoutError,
} from "./error.ts";
export type { Executions, ListExecutions, ResultOf, ResultSchema, RunBody } from "./executions.ts";
export type { Keys, McpServers, Schedules, Workflows } from "./prompthook.ts";
export { Prompthook, type PrompthookOptions } from "./prompthook.ts";
export type { Page, PageQuery } from "./resource.ts";
export type { StreamOptions } from "./stream.ts";
export type { CallOptions, ClientRuntime, Fetch, RepeatableOptions } from "./transport.ts";
export type { WaitOptions } from "./wait.ts";
export type { ListCases, ListRequests, Webhooks } from "./webhooks.ts";
