import * as z from "zod";
import { effect, RESULT_BY_STATUS, resultFields } from "./execution.ts";
import { listOf, oneOf, open, timestamp } from "./fields.ts";

/** The context under which a callback's secret is sealed and opened. */
export const CALLBACK_SECRET_CONTEXT = "callback";

export const callbackAttempt = open({
  attempt: z.int().describe("The number of the attempt for this event, from 1."),
  event: z.string().describe("The type of the event, such as `execution.completed`."),
  webhookId: z.string().describe("The id of the event, sent as `webhook-id`."),
  at: timestamp.describe("When the attempt was made."),
  url: z.string().describe("The address of the receiver."),
  status: z.int().nullable().describe("The status code of the response; null if there was none."),
  durationMs: z.int().describe("The duration of the attempt, in milliseconds."),
  error: z.string().optional().describe("A description of the error."),
  nextAttemptAt: timestamp.optional().describe("When the next attempt is made."),
});
export type CallbackAttempt = z.infer<typeof callbackAttempt>;

/** The response of GET /trigger/:id/callbacks. */
export const callbackLog = open({
  attempts: listOf(callbackAttempt).describe("The attempts, oldest first."),
  state: oneOf("none", "pending", "delivered", "failed").describe(
    "`pending` until every delivery has ended, then how the last one ended.",
  ),
}).meta({ id: "CallbackLog" });
export type CallbackLog = z.infer<typeof callbackLog>;

/**
 * A message of the callbacks queue: ids only; the consumer asks who owes the delivery for the rest. That is
 * the session of an execution, or the account, for what it sends to a destination.
 */
const owedBySession = open({
  v: z.literal(1),
  accountId: z.string(),
  executionId: z.uuid(),
  deliveryId: z.string(),
  attempt: z.int().min(1),
});
const owedByAccount = owedBySession
  .omit({ executionId: true })
  .extend({ destinationId: z.string(), messageId: z.string() });
/** What an endpoint, or for null the account, owes to a subscription to its events. */
const owedToSubscription = owedBySession
  .omit({ executionId: true })
  .extend({ subscriptionId: z.string(), endpointId: z.string().nullable() });
export const deliveryMessage = z.union([owedBySession, owedByAccount, owedToSubscription]);
export type DeliveryMessage = z.infer<typeof deliveryMessage>;
/** What the account owes to a destination. */
export type OwedAddress = Pick<z.infer<typeof owedByAccount>, "destinationId" | "messageId">;

/** Which attempt of which delivery; the first is 1. */
export type Attempted = [deliveryId: string, attempt: number];

/** One delivery to attempt. */
export interface DeliveryOrder {
  /** The same for every attempt of one event. */
  webhookId: string;
  url: string;
  /** Encrypted; null when callbacks are not signed. */
  sealedSecret: string | null;
  /** A secret that signs as well. */
  previousSecret?: string;
  /** What it is sealed for, if not a callback. */
  context?: string;
  /** Headers beside those of the signature. */
  headers?: Record<string, string>;
  body: string;
  /** `host[:port]` names of the service itself, which it never calls. */
  serviceHosts: string[];
}

/** The result of one attempt. `status` is null if there was no response. */
export interface DeliveryReport {
  at: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  /** The wait that the receiver requested, in milliseconds. */
  retryAfterMs: number | null;
}

/** A body is stored when its event occurs, and sent as it is: bodies of earlier versions have no key. */
const callbackEffect = effect.partial({ idempotencyKey: true }).meta({
  id: "CallbackEffect",
  description:
    "A change that the execution made outside, or may have made. Events of a service that did not yet report `idempotencyKey` lack it.",
});

const callbackFields = resultFields.extend({
  effects: listOf(callbackEffect).describe("All changes that it made, or may have made, outside."),
  timestamp: timestamp.describe("When the event occurred."),
});
const eventType = <Type extends string>(type: `execution.${Type}`) =>
  z.literal(type).describe("The type of the event.");

/** The body of a callback: the result with the type and the time of the event. */
export const callbackBody = z
  .discriminatedUnion("type", [
    callbackFields.extend({
      type: eventType("execution.completed"),
      ...RESULT_BY_STATUS.completed,
    }),
    callbackFields.extend({ type: eventType("execution.failed"), ...RESULT_BY_STATUS.failed }),
    callbackFields.extend({ type: eventType("execution.stopped"), ...RESULT_BY_STATUS.stopped }),
    callbackFields.extend({
      type: eventType("execution.waiting_for_input"),
      ...RESULT_BY_STATUS.waiting_for_input,
    }),
  ])
  .meta({ id: "CallbackBody" });
