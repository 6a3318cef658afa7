import * as z from "zod";
import type { Authorized } from "../../contract/account.ts";
import { json, jsonObject } from "../../contract/json.ts";
import type { Settings } from "../../env.ts";

/** A request of the extension, and on whose behalf. */
export interface EventsCall {
  env: CloudflareEnv;
  settings: Settings;
  caller: Authorized;
  /** The address of the service. */
  origin: string;
}

/**
 * Where the sources of the extension differ, and what is served here.
 *
 * | What | Sources | Here |
 * | --- | --- | --- |
 * | Announcement | Design sketch of the working group (2026-02-19) and OpenAI's guide (2026-10-02): `capabilities.events`. SEP-3415 (created 2026-10-05, Final): the extension `io.modelcontextprotocol/events`. AI SDK 2.0.99 (2026-11-13) looks at `capabilities.events` | Both |
 * | Unknown event, forbidden, limit, unsupported, callback | Design sketch, AI SDK: -32011 to -32015 | -32011 to -32015 |
 * | `webhook-id` of an event | Design sketch, OpenAI, AI SDK and TanStack: the `eventId`, and AI SDK refuses another. SEP-3415's text after TanStack's draft `2ec39b9` (discussion TanStack/ai 2038): an id of the message | The `eventId` |
 * | Unsubscribing what is gone | Design sketch: -32011 | An empty result, so that a repeat is safe |
 * | Cursor in the body of event N | Design sketch: up to N once all before it are acknowledged | Up to what was acknowledged before N |
 * | Order | Design sketch: each event retried by itself | One at a time, in order of arrival |
 * | `ttlMs: null` (no expiry) | Design sketch: may be granted | The longest time, 7 days |
 * | `gap` and `terminated` | Design sketch: sent. OpenAI: not understood | Not sent; a subscription expires |
 * | Delivery modes | Design sketch: poll, push, webhook. OpenAI and AI SDK: webhook | Poll and webhook; webhook alone for the account's events |
 * | Retries | OpenAI: none after 410 and 413 | 5 tries in 15 minutes, none after 410 and 413 |
 */
export const ERRORS = {
  invalidParams: -32_602,
  notFound: -32_011,
  forbidden: -32_012,
  exhausted: -32_013,
  unsupported: -32_014,
  callback: -32_015,
} as const;

/** An error of the protocol. */
export class EventsError extends Error {
  readonly code: number;
  readonly data: Record<string, string | number> | undefined;

  constructor(kind: keyof typeof ERRORS, message: string, data?: Record<string, string | number>) {
    super(message);
    this.name = "EventsError";
    this.code = ERRORS[kind];
    this.data = data;
  }
}

const wanted = {
  name: z.string().min(1).max(1_500),
  arguments: jsonObject.default({}),
};
const cursor = z.string().max(100).nullish();
const maxAgeMs = z.int().min(0).nullish();

/** The params of each method. What they do not know is left to newer clients. */
export const PARAMS = {
  list: z.looseObject({ cursor }).default({}),
  poll: z.looseObject({ ...wanted, cursor, maxAgeMs, maxEvents: z.int().min(1).nullish() }),
  subscribe: z.looseObject({
    ...wanted,
    cursor,
    maxAgeMs,
    ttlMs: z.int().min(1).nullish(),
    delivery: z.looseObject({
      mode: z.string().default("webhook"),
      url: z.string().min(1).max(2_048),
      secret: z.string().max(200),
    }),
  }),
  unsubscribe: z.looseObject({
    ...wanted,
    delivery: z.looseObject({ url: z.string().min(1).max(2_048) }),
  }),
};

/** An event that can be subscribed to. */
const eventDefinition = z.object({
  name: z.string(),
  description: z.string(),
  delivery: z.array(z.enum(["webhook", "poll"])),
  inputSchema: jsonObject,
  payloadSchema: json,
});
export type EventDefinition = z.infer<typeof eventDefinition>;
