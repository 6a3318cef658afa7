import * as z from "zod";
import { listOf, oneOf, open } from "../fields.ts";
import { jsonObject } from "../json.ts";
import { KEY_PRESETS, PRESETS, place, TOKEN_PRESETS } from "./signature.ts";

const places = listOf(place);

/** A preset as the API lists it. */
export const webhookPreset = open({
  preset: oneOf(...PRESETS, ...KEY_PRESETS, ...TOKEN_PRESETS).describe("The preset."),
  name: z.string().describe("The name of the sender."),
  about: z.string().describe("What it sends."),
  method: oneOf("hmac", "signature", "token").describe("The setting of `auth` that takes it."),
  auth: jsonObject.describe("The `auth` of an endpoint for this sender, without its secrets."),
  eventId: places.describe("Where the event's id is, tried in order; empty if there is none."),
  eventType: places.describe("Where the event's type is, tried in order."),
  split: open({ path: z.string().describe("The path of the list.") })
    .nullable()
    .describe("The `split` of an endpoint for this sender if it batches events, or null."),
  replayProtection: z.string().describe("How old a request may be, unless the endpoint says."),
  handshake: z.string().nullable().describe("How the sender checks the address, or null."),
  limits: z.string().nullable().describe("What its requests cannot prove, or do not say."),
  documentation: z.string().describe("The sender's documentation of its webhooks."),
  sample: open({
    headers: z.record(z.string(), z.string()).describe("Headers of the event."),
    body: jsonObject.describe("The payload, with `{{id}}` and, in epoch seconds, `{{now}}`."),
    form: z.boolean().describe("Whether the payload is sent as a form."),
  }).describe("A request of this sender, without its signature."),
}).meta({ id: "WebhookPreset" });
export type WebhookPreset = z.infer<typeof webhookPreset>;

export const webhookPresets = open({
  presets: listOf(webhookPreset).describe("All presets."),
  nextCursor: z.null().describe("Always null: the list has one page."),
}).meta({ id: "WebhookPresets" });

/** Returns what fills the placeholders of a sample: an event id, and the time `now` in epoch milliseconds. */
export function sampleFiller(id: string, now: number): (text: string) => string {
  const seconds = String(Math.floor(now / 1_000));
  return (text) => text.replaceAll("{{id}}", id).replaceAll("{{now}}", seconds);
}

/** Returns a new id for the event of a sample. */
export const freshEventId = (): string => `test-${crypto.randomUUID().slice(0, 8)}`;
