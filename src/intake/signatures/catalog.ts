import { DEFAULT_TOLERANCE_SECONDS } from "../../contract/webhooks/endpoint.ts";
import type { WebhookPreset } from "../../contract/webhooks/presets.ts";
import {
  type FieldPlace,
  KEY_PRESETS,
  PRESETS,
  type SenderName,
  TOKEN_PRESETS,
} from "../../contract/webhooks/signature.ts";
import { HOUR, MINUTE, needsKey, type ReplayRule, windowOf } from "./presets/preset.ts";
import { type NamedPreset, presetNamed, presetOf } from "./presets.ts";

/** All presets, by the names of their senders. */
export const CATALOG: readonly SenderName[] = [...PRESETS, ...KEY_PRESETS, ...TOKEN_PRESETS].sort(
  (a, b) => nameOf(a).localeCompare(nameOf(b), "en"),
);

function nameOf(preset: SenderName): string {
  return presetOf(preset).name.toLowerCase();
}

/** Returns a preset as the API lists it. */
export function listedPreset(preset: SenderName): WebhookPreset {
  const named = presetNamed(preset);
  const { name, about, eventId = [], eventType, split, limits = null, docs, sample } = named.sender;
  const settings = settingsOf(named);
  return {
    preset,
    name,
    about,
    method: named.method,
    auth: { [named.method]: { preset, ...settings } },
    eventId: [...eventId],
    eventType: [...eventType],
    split: split === undefined ? null : { path: split },
    replayProtection: replayText(named.sender.replay),
    handshake: named.sender.handshakes?.map(({ about: one }) => one).join("; ") ?? null,
    limits,
    documentation: docs,
    sample: {
      headers: { ...sample.headers },
      body: sample.body,
      form: sample.isForm ?? false,
    },
  };
}

/** Says by which time, and for how long, the requests of a sender are accepted. */
function replayText(rule: ReplayRule): string {
  const { time } = rule;
  if (time === "none") return "not checked: retries repeat the first request";
  const within = `within ${timeText(windowOf(rule, DEFAULT_TOLERANCE_SECONDS))}`;
  return time === "signed" ? `the signed time, ${within}` : `${placesText([time])}, ${within}`;
}

function timeText(seconds: number): string {
  if (seconds % HOUR === 0) return `${seconds / HOUR} h`;
  return seconds % MINUTE === 0 ? `${seconds / MINUTE} min` : `${seconds} s`;
}

/** Returns the settings that the preset needs, with placeholders. */
function settingsOf(named: NamedPreset): Record<string, string> {
  if (named.method !== "signature") return {};
  const { audience } = named.sender;
  return {
    ...(needsKey(named.sender) && { publicKey: "…" }),
    ...(audience !== undefined && { audience: "…" }),
  };
}

/** Names places of a request, the first one first. */
export function placesText(places: readonly FieldPlace[]): string {
  return places
    .map(({ in: where, path }) => (where === "header" ? path : `body: ${path}`))
    .join(", ");
}
