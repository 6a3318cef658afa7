import { DEFAULT_TOLERANCE_SECONDS, type StoredAuth } from "../../contract/webhooks/endpoint.ts";
import {
  type FieldPlace,
  KEY_PRESETS,
  type KeyPresetName,
  PRESETS,
  type PresetName,
  type SenderName,
  TOKEN_PRESETS,
  type TokenPresetName,
  type WebhookPreset,
} from "../../contract/webhooks/signature.ts";
import {
  type HmacPreset,
  HOUR,
  type KeyPreset,
  MINUTE,
  needsKey,
  type ReplayRule,
  type TokenPreset,
  windowOf,
} from "./presets/preset.ts";
import * as senders from "./presets/senders.ts";

type Presets = Record<PresetName, HmacPreset> &
  Record<KeyPresetName, KeyPreset> &
  Record<TokenPresetName, TokenPreset>;

const SENDERS: Presets = senders;

/** Returns the preset of a sender. */
export function presetOf<Name extends SenderName>(name: Name): Presets[Name] {
  return SENDERS[name];
}

/** Header names that many senders share. */
const SHARED = ["Authorization", "X-Hub-Signature"];

/** The presets that a signature can be recognized by: the header is their own and holds a digest. */
export const RECOGNIZED: readonly PresetName[] = PRESETS.filter((name) => {
  const { scheme } = presetOf(name);
  return scheme.in !== "body" && scheme.form !== "jwt" && !SHARED.includes(scheme.header);
});

/** A preset with its name and the method that it sets. */
export type NamedPreset =
  | { method: "hmac"; preset: PresetName; sender: HmacPreset }
  | { method: "signature"; preset: KeyPresetName; sender: KeyPreset }
  | { method: "token"; preset: TokenPresetName; sender: TokenPreset };

/** Returns the preset of this name, whatever it verifies. */
export function presetNamed(name: SenderName): NamedPreset {
  if (isOf(KEY_PRESETS, name)) return { method: "signature", preset: name, sender: presetOf(name) };
  if (isOf(TOKEN_PRESETS, name)) return { method: "token", preset: name, sender: presetOf(name) };
  return { method: "hmac", preset: name, sender: presetOf(name) };
}

const isOf = <Name extends SenderName>(names: readonly Name[], name: SenderName): name is Name =>
  names.some((one) => one === name);

/** Returns the authentication with the current schemes of its presets: a stored copy may be older. */
export function withPresets(auth: StoredAuth): StoredAuth {
  const { hmac, signature } = auth;
  return {
    ...auth,
    hmac: hmac?.preset ? { ...hmac, scheme: presetOf(hmac.preset).scheme } : hmac,
    ...(signature?.preset && {
      signature: { ...signature, scheme: presetOf(signature.preset).scheme },
    }),
  };
}

/** Returns the sender that an endpoint's authentication names, or null. */
export function senderOf({
  hmac,
  signature,
  token,
}: Pick<StoredAuth, "hmac" | "signature" | "token">): HmacPreset | KeyPreset | TokenPreset | null {
  const name = hmac?.preset ?? signature?.preset ?? token?.preset ?? null;
  return name && presetOf(name);
}

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
  const { name, eventId = [], eventType, split, limits = null, docs, sample } = named.sender;
  const settings = settingsOf(named);
  return {
    preset,
    name,
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
