import { Buffer } from "node:buffer";
import { REDACTED } from "./redaction.ts";

/** A shorter text would be found in texts that do not have the secret. */
const SHORTEST = 6;
/** A part of a secret at the end of a cut text is hidden from this length on. */
const SHORTEST_PART = 4;

/** Hides secrets in texts and bytes, in every form that it knows. */
export interface SecretScrubber {
  text(text: string): string;
  /** `isCut`: the bytes end where a limit cut them, maybe within a secret. */
  bytes(bytes: Uint8Array, isCut: boolean): Uint8Array;
}

/**
 * Returns a scrubber of these secrets: as they are, reversed, in base64 and base64url at any place of a longer
 * text, in hex, percent-encoded, and as escapes of JSON and HTML. A secret such as `Bearer abc` is hidden
 * with its parts, and Basic credentials with what they encode. It cannot know every other encoding.
 */
export function scrubberOf(secrets: readonly string[]): SecretScrubber {
  const plain = [...new Set(secrets.flatMap(partsOf))].filter(({ length }) => length >= SHORTEST);
  const forms = [...new Set(plain.flatMap(formsOf))].filter(({ length }) => length >= SHORTEST);
  if (forms.length === 0) return { text: (text) => text, bytes: (bytes) => bytes };
  // The longest first: a form can be a part of another.
  forms.sort((a, b) => b.length - a.length);
  const inText = patternOf(forms);
  const encoded = forms.map((form) => Buffer.from(form, "utf8").toString("latin1"));
  const inBytes = patternOf(encoded);
  return {
    text: (text) => text.replace(inText, REDACTED),
    bytes(bytes, isCut) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
      const scrubbed = text.replace(inBytes, REDACTED);
      const whole = isCut ? withoutPart(scrubbed, encoded) : scrubbed;
      return whole === text ? bytes : new Uint8Array(Buffer.from(whole, "latin1"));
    },
  };
}

/** Services change the case of what they echo. */
function patternOf(forms: readonly string[]): RegExp {
  return new RegExp(forms.map(escaped).join("|"), "gi");
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Removes the beginning of a form from the end of a text. */
function withoutPart(text: string, forms: readonly string[]): string {
  const lower = text.toLowerCase();
  let most = 0;
  for (const form of forms) {
    const start = form.toLowerCase();
    for (let length = Math.min(start.length - 1, lower.length); length > most; length -= 1) {
      if (length < SHORTEST_PART) break;
      if (lower.endsWith(start.slice(0, length))) most = length;
    }
  }
  return most === 0 ? text : text.slice(0, -most) + REDACTED;
}

/** Returns a header's value, its credential without the scheme, and what Basic credentials encode. */
function partsOf(value: string): string[] {
  const trimmed = value.trim();
  const credential = /^[\w-]+\s+(\S.*)$/.exec(trimmed)?.[1];
  if (credential === undefined) return [trimmed];
  const parts = [trimmed, credential];
  if (!/^basic\s/i.test(trimmed)) return parts;
  const pair = Buffer.from(credential, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon === -1 ? parts : [...parts, pair, pair.slice(colon + 1)];
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const reversed = [...secret].reverse().join("");
  const hex = bytes.toString("hex");
  const pairs: string[] = hex.match(/../g) ?? [];
  const units = Array.from(secret, (character) => character.charCodeAt(0));
  const all = [...base64Of(bytes), ...base64Of(Buffer.from(reversed, "utf8"))];
  return [
    secret,
    reversed,
    hex,
    Buffer.from(reversed, "utf8").toString("hex"),
    pairs.join(" "),
    pairs.join(":"),
    ...all,
    ...all.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    encodeURIComponent(secret),
    encodeURI(secret),
    encodeURIComponent(secret).replaceAll("%20", "+"),
    pairs.map((pair) => `%${pair}`).join(""),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join(""),
    units.map((unit) => `&#${unit};`).join(""),
    units.map((unit) => `&#x${unit.toString(16)};`).join(""),
  ];
}

/** Returns the base64 digits that depend on the bytes alone, for each place at which they can begin. */
function base64Of(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([new Uint8Array(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // A digit has 6 bits: the first and the last may have some of the neighbours'.
    const start = Math.ceil((before * 8) / 6);
    return text.slice(start, Math.floor(((before + bytes.length) * 8) / 6));
  });
}
