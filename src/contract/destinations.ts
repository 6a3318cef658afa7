import * as z from "zod";
import { ALERT_TYPES } from "./alerts.ts";
import { callbackAttempt } from "./callbacks.ts";
import {
  changing,
  closed,
  listOf,
  oneOf,
  open,
  secretHeaders,
  shownHeaders,
  shownSecret,
  textUpTo,
  timestamp,
} from "./fields.ts";
import { jsonObject } from "./json.ts";
import { memberEmail } from "./keys.ts";
import { label } from "./operators.ts";
import { type IdentityBody, identity, identityBody, revision, storedIdentity } from "./revision.ts";
import { callbackSecret } from "./trigger.ts";

/** Destinations that one account may have. */
export const MAX_DESTINATIONS = 20;
/** Deliveries of one destination that wait at the same time; one more disables it. */
export const MAX_PENDING_DELIVERIES = 10_000;
/** The days for which a delivery that has ended is kept. */
export const DELIVERY_DAYS = 30;

export const FORMATS = ["standard", "slack", "teams", "email", "cloudevents", "otlp"] as const;

export const EVENT_TYPES = [
  "execution.completed",
  "execution.failed",
  "execution.stopped",
  "execution.waiting_for_input",
  "decision.requested",
  "decision.decided",
  "decision.expired",
  "endpoint.recovered",
  ...ALERT_TYPES,
  "usage.daily",
  "config.changed",
  "destination.disabled",
] as const;
const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;

const url = textUpTo(2_048)
  .meta({ format: "uri" })
  .describe("The address; for `otlp` without `/v1/traces`.");
const email = memberEmail.describe("The recipient, for the format `email`.");
const format = oneOf(...FORMATS).describe(
  "`standard`: Standard Webhooks. `slack`, `teams`: their incoming webhooks. `cloudevents`: CloudEvents 1.0, structured. `otlp`: traces.",
);
const events = listOf(eventType, EVENT_TYPES.length).describe("What to send; none for `otlp`.");
const payload = oneOf("thin", "full").describe("`thin`: ids and a link. `full`: the record too.");
const content = z.boolean().describe("Whether traces include arguments and results of calls.");
const secret = callbackSecret.describe("Signs `standard` and `cloudevents` as callbacks are.");

const settings = {
  url,
  email,
  events,
  payload,
  secret,
  headers: secretHeaders,
  content,
  ...identityBody,
};

/** The body of POST /destinations. */
export const createDestinationBody = closed({
  name: label,
  format,
  ...settings,
  url: url.optional(),
  email: email.optional(),
  events: events.default([]),
  payload: payload.default("thin"),
  secret: secret.optional(),
  headers: secretHeaders.default({}),
  content: content.default(false),
}).meta({ id: "CreateDestination" });
export type CreateDestination = z.infer<typeof createDestinationBody>;

/** The body of PATCH /destinations/:destinationId. The format stays. */
export const updateDestinationBody = changing({
  name: label,
  ...settings,
  secret: secret.nullable(),
}).meta({ id: "UpdateDestination" });

/** A destination as the API shows it. */
export const destinationRecord = open({
  destinationId: z.string().describe("The id of the destination."),
  name: label,
  format,
  url: z.string().nullable().describe("The address; the end of Slack's and Teams' is masked."),
  email: z.string().nullable().describe("The recipient of the format `email`."),
  events: listOf(z.string()).describe("The types of events that are sent."),
  payload,
  secret: shownSecret.nullable(),
  headers: shownHeaders,
  content,
  revision,
  ...identity,
  status: oneOf("enabled", "disabled").describe("What waits for a disabled one is dropped."),
  disabledReason: z.string().exactOptional().describe("Why it is disabled."),
  failingSince: timestamp.nullable().describe("Since when no attempt succeeded, or null."),
  createdAt: timestamp.describe("When it was created."),
  updatedAt: timestamp.describe("When it was last changed."),
}).meta({ id: "Destination" });
export type DestinationRecord = z.infer<typeof destinationRecord>;

/** A destination as the account stores it. Times are epoch milliseconds. */
export const storedDestination = z.looseObject({
  ...destinationRecord.omit({ failingSince: true, createdAt: true, updatedAt: true }).shape,
  // What older code stored has none of these.
  revision: z.int().default(1),
  ...storedIdentity.shape,
  /** Sealed for `destinationContext`; null for none. */
  sealedSecret: z.string().nullable(),
  /** The header record as JSON, sealed like the secret; null for none. */
  sealedHeaders: z.string().nullable(),
  /** The service's own address, for links. */
  origin: z.string(),
  /** What failed since the last success. */
  failing: open({ since: z.int(), lastAt: z.int(), attempts: z.int() }).nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type StoredDestination = z.infer<typeof storedDestination>;
type Fields = typeof storedDestination.shape;
type Changeable = Exclude<
  keyof Fields,
  "destinationId" | "createdAt" | "revision" | keyof IdentityBody
>;
export type DestinationChange = { [Name in Changeable]?: z.infer<Fields[Name]> } & IdentityBody;
/** A destination after a change, why it was not changed, or null if there is none. */
export type ChangeDestinationReply = DestinationRecord | "taken" | "outdated" | null;

/** Returns the context under which the secrets of a destination are sealed. */
export function destinationContext(accountId: string, destinationId: string): string {
  return `destination:${accountId}:${destinationId}`;
}

/** A delivery to a destination. */
export const deliveryRecord = open({
  deliveryId: z.string().describe("The id of the delivery."),
  type: z.string().describe("The type of its event, or `ping`."),
  at: timestamp.describe("When the event occurred."),
  state: oneOf("pending", "delivered", "failed").describe("What became of it."),
  attempts: listOf(callbackAttempt).describe("The attempts, oldest first."),
}).meta({ id: "Delivery" });
export type DeliveryRecord = z.infer<typeof deliveryRecord>;

/** A message for people: what is shown of an event in chats and mails. */
const notice = open({
  title: z.string(),
  /** Short facts, each with its name. */
  facts: listOf(z.tuple([z.string(), z.string()])),
  /** Text that is shown as it is, such as a call. */
  text: z.string().optional(),
  /** Links, absolute or from `/`. */
  links: listOf(open({ label: z.string(), url: z.string() })),
});
export type Notice = z.infer<typeof notice>;

/** What a destination is sent. The key makes a repeat the same message; the receiver sees it in the id. */
export const destinationMessage = open({
  key: z.string(),
  type: z.string(),
  /** Epoch milliseconds. */
  at: z.int(),
  data: jsonObject,
  /** The path of the page that shows it. */
  page: z.string(),
  /** The record for `full`; absent where it is read when it is sent. */
  full: jsonObject.optional(),
  /** What people read; absent where it follows from the type and the data. */
  notice: notice.optional(),
  /** The service's own address, for a recipient that is no destination. */
  origin: z.string().optional(),
});
export type DestinationMessage = z.infer<typeof destinationMessage>;

/** A recipient of a message: a destination, whatever events it takes, or an address without one. */
export type Recipient = { destinationId: string } | { email: string };

type Address = "destinationId" | "format" | "url" | "email" | "origin";
type Delivered = "payload" | "content" | "sealedSecret" | "sealedHeaders";

/** What one attempt of the account's deliveries needs: the message, and where and how it is sent. */
export interface DestinationOrder {
  kind: "destination";
  accountId: string;
  webhookId: string;
  message: DestinationMessage;
  to: Pick<StoredDestination, Address | Delivered>;
}

export type AddDestinationReply =
  | { kind: "added"; record: DestinationRecord }
  | { kind: "taken" }
  | { kind: "full"; limit: number };

/** Deliveries of a destination, newest first, after the id of one. */
export interface DeliveryQuery {
  limit: number;
  after: string | null;
}

/** One event, for those who emit it. */
export type EventData = Omit<DestinationMessage, "type" | "origin">;
