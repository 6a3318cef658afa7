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
import { type NamedPreset, presetNamed } from "./presets.ts";
import { partsOf } from "./signed-message.ts";

/** All presets, by the names of their senders. */
export const CATALOG: readonly SenderName[] = [...PRESETS, ...KEY_PRESETS, ...TOKEN_PRESETS].sort(
  (a, b) => compare(presetNamed(a).sender.name, presetNamed(b).sender.name),
);

function compare(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one === other) return 0;
  return one < other ? -1 : 1;
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
    verifies: verifiedText(named),
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

const HASH = { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };
const KEY = {
  ed25519: "Ed25519",
  "ecdsa-p256-sha256": "ECDSA P-256",
  "rsa-sha256": "RSA",
  "rsa-sha512": "RSA",
  "rsa-sha1": "RSA (SHA-1)",
};

/** Says what a preset verifies. */
function verifiedText(named: NamedPreset): string {
  if (named.method === "token") return tokenText(named.sender.token);
  const { scheme } = named.sender;
  if (scheme.algorithm === "jwt")
    return scheme.in === "body" ? SIGNED_CLAIMS : jwtText(scheme.bodyClaim);
  if ("form" in scheme && scheme.form === "jwt") return jwtText(scheme.bodyClaim);
  const covered = coveredText(scheme.template);
  const { algorithm } = scheme;
  return isHash(algorithm)
    ? `HMAC-${HASH[algorithm]} of ${covered}`
    : `${KEY[algorithm]} signature of ${covered}`;
}

function isHash(algorithm: keyof typeof HASH | keyof typeof KEY): algorithm is keyof typeof HASH {
  return algorithm in HASH;
}

const SIGNED_CLAIMS = "a JSON Web Token in the body, whose claims become the payload";

function jwtText(bodyClaim: string | undefined): string {
  return bodyClaim === undefined
    ? "a JSON Web Token, which does not cover the body"
    : "a JSON Web Token with the SHA-256 of the body";
}

type Token = Extract<NamedPreset, { method: "token" }>["sender"]["token"];

function tokenText(token: Token): string {
  switch (token.in) {
    case "basic":
      return "a user name and a password (Basic authentication)";
    case "header":
      return `a token in the header ${token.name}`;
    case "query":
      return `a token in the query, as ${token.name}`;
    case "body":
      return `a token in the body, at ${token.name}`;
  }
}

const PART: Record<string, string> = {
  id: "the id",
  timestamp: "the time",
  body: "the body",
  url: "the URL",
  method: "the method",
  sortedParams: "the fields of the form",
  path: "the path",
  sortedUrl: "the URL and the fields of the form",
  headers: "the headers that it lists",
  headerNames: "the list of its headers",
  audience: "the webhook’s id",
  crc32: "the CRC-32 of the body",
};

function coveredText(template: string): string {
  const parts = partsOf(template).map((part) => PART[part] ?? "fields of the body");
  const [last = "", ...others] = [...new Set(parts)].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
}

/** Names places of a request, the first one first. */
export function placesText(places: readonly FieldPlace[]): string {
  return places
    .map(({ in: where, path }) => (where === "header" ? path : `body: ${path}`))
    .join(", ");
}
