import type { Json } from "../../../contract/json.ts";
import type { Cause } from "../../../contract/webhooks/advice.ts";
import { textOrNull } from "../../../lib/encoding.ts";
import { canonicalJson, nearestJson } from "../../../lib/json-values.ts";
import { parseExactJson } from "../../../lib/strict-json.ts";
import { presetOf, RECOGNIZED } from "../presets.ts";
import { signedHeaderText, type TextScheme } from "../signature-headers.ts";
import {
  isField,
  isTimed,
  type Material,
  partsOf,
  type SignedHeaderText,
  signedMessages,
  type TimedScheme,
} from "../signed-message.ts";
import type { Finding } from "./finding.ts";
import type { OtherKey } from "./keys.ts";
import {
  IN_ITEMS,
  type SentDigest,
  type SentValue,
  sentIds,
  sentTimestamps,
} from "./sent-headers.ts";

/** A template with values from the request. */
export interface OtherTemplate {
  template: string;
  timestamp: SentValue | null;
  id: SentValue | null;
  /** The headers that the request says it signs, by the scheme of the template. */
  signed: SignedHeaderText | null;
}

const COMMON = [
  ...["", ":", "\n", "|", "_", "-", " "].map((separator) => `{timestamp}${separator}{body}`),
  "{body}{timestamp}",
  "{body}.{timestamp}",
  "{id}.{body}",
  "{id}{body}",
  "{timestamp}.{id}.{body}",
  "{url}{body}",
  "{body}{url}",
  "{url}.{body}",
  "{timestamp}{url}{body}",
  "{method}{url}{body}",
  "{url}",
  "{timestamp}",
];

/** Returns the configured template, then those of the presets and common ones that the request can fill. */
export function templatesOf(scheme: TextScheme, headers: Headers): OtherTemplate[] {
  const presets = RECOGNIZED.map((name) => presetOf(name).scheme)
    // A sender whose header is there is the likeliest.
    .sort((a, b) => Number(headers.has(b.header)) - Number(headers.has(a.header)))
    .map((preset) => [preset.template, signedHeaderText(preset, headers)] as const)
    .filter(([, signed]) => signed?.names !== "");
  const own = [scheme.template, signedHeaderText(scheme, headers)] as const;
  const common = COMMON.map((template) => [template, null] as const);
  const templates = new Map([own]);
  for (const [template, signed] of [...presets, ...common]) {
    if (!templates.has(template)) templates.set(template, signed);
  }
  const timestamps = sentTimestamps(scheme, headers);
  const ids = sentIds(scheme, headers);
  return [...templates].flatMap(([template, signed]) => {
    const parts = partsOf(template);
    const chosen = (part: string, sent: SentValue[]): (SentValue | null)[] =>
      parts.includes(part) ? sent : [null];
    return chosen("timestamp", timestamps).flatMap((timestamp) =>
      chosen("id", ids).map((id) => ({ template, timestamp, id, signed })),
    );
  });
}

/** Says what differs of a template that matched; null for the configured one. */
export function templateFinding(
  scheme: TextScheme,
  { template, timestamp, id }: OtherTemplate,
): Finding | null {
  const sources = [
    ["timestamp", timestamp, scheme.timestampHeader] as const,
    ["id", id, scheme.idHeader] as const,
  ].flatMap(([part, sent, configured]) =>
    sent === null || placeOf(sent) === (configured ?? pairOf(scheme))
      ? []
      : [[part, placeOf(sent)] as const],
  );
  const from = sources.map(([part, place]) => `{${part}} from ${place}`).join(" and ");
  if (template === scheme.template) {
    if (from === "") return null;
    return { cause: "signed_values", text: `The sender signs ${from}. Configure that header.` };
  }
  const text = `The sender signs ${show(template)}${from && `, with ${from}`}, but ${show(scheme.template)} is configured. ${templateAdvice(scheme, template)}`;
  return { cause: coversBody(template) ? "template" : "body_unsigned", text };
}

const placeOf = ({ header, pair }: SentValue): string =>
  pair === null ? header : `${header} (${pair === IN_ITEMS ? "a number" : `${pair}=`})`;

const pairOf = ({ header, form, timestampPair }: TextScheme): string =>
  placeOf({ text: "", header, pair: form === "items" ? IN_ITEMS : timestampPair });

const show = (template: string): string => template.replaceAll("\n", "\\n");

const BODY_PARTS = ["body", "sortedParams", "sortedUrl"];

function coversBody(template: string): boolean {
  return partsOf(template).some((part) => BODY_PARTS.includes(part) || isField(part));
}

/** Whether a signed time protects the requests of a scheme from replays, but not those of another. */
export function losesTime(before: TimedScheme, after: TimedScheme): boolean {
  return isTimed(before) && !isTimed(after);
}

function templateAdvice(scheme: TextScheme, template: string): string {
  if (!coversBody(template)) {
    return "That does not cover the body, so it cannot be accepted. Ask the sender to sign the body.";
  }
  if (losesTime(scheme, { template })) {
    return `Without a signed time anyone could replay the request: have the sender sign ${show(scheme.template)}.`;
  }
  return `Set template to "${show(template)}".`;
}

/** Parts of a request that may have been signed; `finding` is null for those received. */
interface OtherMaterial {
  material: Material;
  finding: Finding | null;
}

/** One way in which the sender may have signed. */
export interface Trial {
  key: OtherKey;
  template: OtherTemplate;
  other: OtherMaterial;
  /** Whether the key is the text of the signature, and the text its key. */
  isSwapped: boolean;
}

/** A trial that produced a digest of the request. */
export interface Match extends Trial {
  digest: SentDigest;
}

/** Returns the sent signature that a trial produces over a message, or null. */
export type Test = (
  trial: Trial,
  message: Uint8Array,
) => SentDigest | null | Promise<SentDigest | null>;

/** Signatures and bytes that one diagnosis may test: any unauthenticated caller can cause it. */
const MAX_SIGNED = 500;
const MAX_SIGNED_BYTES = 8 * 1_048_576;

/**
 * Returns the first trial that produces a signature of the request, or null. `perMessage` is the number
 * of HMACs that a test costs.
 */
export async function findMatch(
  candidates: Iterable<Trial>,
  perMessage: number,
  test: Test,
): Promise<Match | null> {
  let [signed, bytes] = [0, 0];
  for (const trial of candidates) {
    const { template, other } = trial;
    const values = {
      timestamp: template.timestamp?.text ?? "",
      id: template.id?.text ?? "",
      signed: template.signed,
    };
    for await (const message of signedMessages(template, values, other.material)) {
      signed += perMessage;
      bytes += perMessage * message.length;
      if (signed > MAX_SIGNED || bytes > MAX_SIGNED_BYTES) return null;
      const digest = await test(trial, message);
      if (digest !== null) return { ...trial, digest };
    }
  }
  return null;
}

/** Templates and keys that are combined with other differences: the likeliest ones come first. */
const COMBINED = 8;
const COMBINED_KEYS = 14;
/** The keys before those of guessed names. */
const LIKELY_KEYS = 30;

/** Yields the trials: single differences first, then pairs that occur together. */
export function* trials(
  keys: OtherKey[],
  templates: OtherTemplate[],
  material: Material,
  isSwappable: boolean,
): Generator<Trial> {
  const [key, template] = [keys[0], templates[0]];
  if (key === undefined || template === undefined) return;
  const other: OtherMaterial = { material, finding: null };
  const plain: Trial = { key, template, other, isSwapped: false };
  const bodies = bodiesLike(material);

  yield plain;
  for (const key of keys.slice(1, LIKELY_KEYS)) yield { ...plain, key };
  for (const template of templates.slice(1)) yield { ...plain, template };
  for (const other of bodies) yield { ...plain, other };
  if (isSwappable) yield { ...plain, isSwapped: true };

  for (const template of templates.slice(1, COMBINED)) {
    for (const key of keys.slice(1, COMBINED_KEYS)) yield { ...plain, template, key };
  }
  for (const template of templates.slice(1, 3)) {
    for (const other of bodies) yield { ...plain, template, other };
  }
  for (const key of keys.slice(1, 3)) {
    for (const other of bodies) yield { ...plain, key, other };
  }
  for (const key of keys.slice(LIKELY_KEYS)) yield { ...plain, key };
}

/** Returns the bodies that may have been signed, including the empty one. */
function bodiesLike(material: Material): OtherMaterial[] {
  const body = material.bodies.at(-1);
  if (body === undefined) return [];
  const text =
    material.method === "GET"
      ? "The sender signs an empty body, which covers nothing of a GET. Sign its query without the ?, or set a template with {url}."
      : "The sender signs an empty body. Sign the body that is sent.";
  const empty = { ...material, method: "POST", bodies: [new Uint8Array()] };
  return [
    { material: empty, finding: { cause: "body_missing", text } },
    ...otherBodies(material, body),
  ];
}

/** Larger bodies have no variants. */
const MAX_REWRITTEN = 256 * 1024;

/** A text and what it is: "the body …". */
type Written = [as: string, text: string];

/** Returns the body as it may have been before a library or a proxy rewrote it. */
function otherBodies(material: Material, body: Uint8Array): OtherMaterial[] {
  if (body.length === 0 || body.length > MAX_REWRITTEN) return [];
  const text = textOrNull(body);
  if (text === null) return [];
  const json = parseExactJson(body);
  const seen = new Set([text]);
  const changed = (cause: Cause, written: Written[]) =>
    written.flatMap(([as, other]): OtherMaterial[] => {
      if (seen.has(other)) return [];
      seen.add(other);
      const found = `The sender signs the body ${as} but sends other bytes. Sign exactly the bytes that are sent.`;
      const bodies = [new TextEncoder().encode(other)];
      return [{ material: { ...material, bodies }, finding: { cause, text: found } }];
    });
  return [
    ...changed("body_line_breaks", lineEndings(text)),
    ...changed("body_json", json.ok ? serialised(nearestJson(json.value)) : []),
  ];
}

function lineEndings(text: string): Written[] {
  const lines = text.replaceAll("\r\n", "\n");
  return [
    ["without the line break at its end", text.trimEnd()],
    ["with a line break at its end", `${text}\n`],
    ["with CRLF at its end", `${text}\r\n`],
    ["with LF line breaks", lines],
    ["with CRLF line breaks", lines.replaceAll("\n", "\r\n")],
  ];
}

function serialised(value: Json): Written[] {
  const compact = JSON.stringify(value);
  const spaced = onOneLine(value);
  return [
    ["as compact JSON", compact],
    ["as compact JSON with sorted names", canonicalJson(value)],
    ["as JSON indented by 2", JSON.stringify(value, null, 2)],
    ["as compact JSON with slashes as \\/", compact.replaceAll("/", "\\/")],
    ["as PHP writes JSON: \\/ and \\uXXXX", ascii(compact).replaceAll("/", "\\/")],
    ['as Python writes JSON: ", " and ": ", and \\uXXXX', ascii(spaced)],
    ['as JSON with ", " and ": "', spaced],
  ];
}

/** Writes JSON on one line, with a space after each comma and colon. A text in JSON has no line break. */
const onOneLine = (value: Json): string =>
  JSON.stringify(value, null, 1).replace(/,\n */g, ", ").replace(/\n */g, "");

/** Escapes all but ASCII. */
const ascii = (json: string): string =>
  json.replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
