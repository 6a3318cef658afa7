import * as z from "zod";

const timestamp = z.iso.datetime({ precision: 3 });

/** What a callback's secret is sealed for: the same words open it. */
export const CALLBACK_SECRET_CONTEXT = "callback";

export const CALLBACK_STATES = ["none", "pending", "delivered", "failed"] as const;

export const callbackAttempt = z.object({
  attempt: z.int(),
  event: z.string(),
  webhookId: z.string(),
  at: timestamp,
  url: z.string(),
  status: z.int().nullable(),
  durationMs: z.int(),
  error: z.string().optional(),
  nextAttemptAt: timestamp.optional(),
});
export type CallbackAttempt = z.infer<typeof callbackAttempt>;

/** The answer of GET /trigger/:id/callbacks. */
export const callbackLog = z
  .object({ attempts: z.array(callbackAttempt), state: z.enum(CALLBACK_STATES) })
  .meta({ id: "CallbackLog" });
export type CallbackLog = z.infer<typeof callbackLog>;

/** A message of the callbacks queue: ids only, the body is read from the session. */
export const deliveryMessage = z.object({
  v: z.literal(1),
  executionId: z.uuid(),
  deliveryId: z.string(),
  attempt: z.int().min(1),
});
export type DeliveryMessage = z.infer<typeof deliveryMessage>;

/** What one attempt needs; `null` to the consumer means that there is nothing to deliver. */
export interface DeliveryOrder {
  /** The same for every attempt of one event. */
  webhookId: string;
  url: string;
  /** Encrypted; null when callbacks are not signed. */
  sealedSecret: string | null;
  body: string;
  /** `host[:port]` names of the service itself, which it never calls. */
  serviceHosts: string[];
}

/** How one attempt went. `status` is null when no answer came. */
export interface DeliveryReport {
  at: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  /** How long the receiver asked to wait, in milliseconds. */
  retryAfterMs: number | null;
}
