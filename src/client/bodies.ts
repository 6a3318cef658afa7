import type * as z from "zod";
import type { createConnectionBody } from "../contract/connections.ts";
import type { decideBody } from "../contract/decisions.ts";
import type { createDestinationBody, updateDestinationBody } from "../contract/destinations.ts";
import type { rehearseBody, replaysBody, retriesBody } from "../contract/jobs.ts";
import type { createKeyBody, rotateKeyBody } from "../contract/keys.ts";
import type { createMcpServerBody } from "../contract/mcp.ts";
import type { createMemberBody, updateMemberBody } from "../contract/members.ts";
import type { createModelProviderBody, updateModelProviderBody } from "../contract/models.ts";
import type { createScheduleBody, updateScheduleBody } from "../contract/schedule.ts";
import type { scoreBody } from "../contract/scores.ts";
import type {
  forkBody,
  messageBody,
  redeliverBody,
  stopBody,
  triggerBody,
} from "../contract/trigger.ts";
import type {
  createEndpointBody,
  rotateSecretBody,
  updateEndpointBody,
} from "../contract/webhooks/endpoint.ts";
import type { replayBody, testBody } from "../contract/webhooks/log.ts";
import type { releaseBody, whatIfBody } from "../contract/webhooks/trials.ts";
import type { createWorkflowBody, updateWorkflowBody } from "../contract/workflow.ts";

/** The bodies of requests, as callers write them. */

export type CreateKeyBody = z.input<typeof createKeyBody>;
export type RotateKeyBody = z.input<typeof rotateKeyBody>;
export type CreateMemberBody = z.input<typeof createMemberBody>;
export type UpdateMemberBody = z.input<typeof updateMemberBody>;
export type CreateMcpServerBody = z.input<typeof createMcpServerBody>;
export type CreateDestinationBody = z.input<typeof createDestinationBody>;
export type UpdateDestinationBody = z.input<typeof updateDestinationBody>;
export type CreateConnectionBody = z.input<typeof createConnectionBody>;
export type CreateModelProviderBody = z.input<typeof createModelProviderBody>;
export type UpdateModelProviderBody = z.input<typeof updateModelProviderBody>;
export type CreateScheduleBody = z.input<typeof createScheduleBody>;
export type UpdateScheduleBody = z.input<typeof updateScheduleBody>;
export type DecideBody = z.input<typeof decideBody>;
export type CreateWorkflowBody = z.input<typeof createWorkflowBody>;
export type UpdateWorkflowBody = z.input<typeof updateWorkflowBody>;
export type CreateEndpointBody = z.input<typeof createEndpointBody>;
export type UpdateEndpointBody = z.input<typeof updateEndpointBody>;
export type RotateSecretBody = z.input<typeof rotateSecretBody>;
export type TestBody = z.input<typeof testBody>;
export type ReplayBody = z.input<typeof replayBody>;
export type WhatIfBody = z.input<typeof whatIfBody>;
export type ReleaseBody = z.input<typeof releaseBody>;
export type TriggerBody = z.input<typeof triggerBody>;
export type MessageBody = z.input<typeof messageBody>;
export type RehearseBody = z.input<typeof rehearseBody>;
export type ForkBody = z.input<typeof forkBody>;
export type ReplaysBody = Omit<z.input<typeof replaysBody>, "dryRun">;
export type RetriesBody = Omit<z.input<typeof retriesBody>, "dryRun">;
export type ScoreBody = z.input<typeof scoreBody>;
export type StopBody = z.input<typeof stopBody>;
export type RedeliverBody = z.input<typeof redeliverBody>;
