import type { Json } from "../../../contract/json.ts";
import type { Cause } from "../../../contract/webhooks/advice.ts";
import { canonicalJson, nearestJson } from "../../../lib/json-values.ts";
import { parseExactJson } from "../../../lib/strict-json.ts";
import { type Material, partsOf, signedMessages } from "../signed-message.ts";
import type { Finding } from "./finding.ts";
import type { OtherKey } from "./keys.ts";
import type { SentDigest } from "./sent-headers.ts";
import type { OtherTemplate } from "./templates.ts";

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
  const urls = urlsLike(material);
  const urlsOf = ({ template }: OtherTemplate) => (partsOf(template).includes("url") ? urls : []);
  const bodies = bodiesLike(material);

  yield plain;
  for (const key of keys.slice(1, LIKELY_KEYS)) yield { ...plain, key };
  for (const other of urlsOf(template)) yield { ...plain, other };
  for (const template of templates.slice(1)) yield { ...plain, template };
  for (const other of bodies) yield { ...plain, other };
  if (isSwappable) yield { ...plain, isSwapped: true };

  for (const template of templates.slice(1, COMBINED)) {
    for (const key of keys.slice(1, COMBINED_KEYS)) yield { ...plain, template, key };
    for (const other of urlsOf(template)) yield { ...plain, template, other };
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
  const written = otherBodies(body).map(({ bytes, finding }) => ({
    material: { ...material, bodies: [bytes] },
    finding,
  }));
  const text =
    material.method === "GET"
      ? "The sender signs an empty body, which covers nothing of a GET. Sign its query without the ?, or set a template with {url}."
      : "The sender signs an empty body. Sign the body that is sent.";
  const empty = { ...material, method: "POST", bodies: [new Uint8Array()] };
  return [{ material: empty, finding: { cause: "body_missing", text } }, ...written];
}

/** Returns the URLs as proxies and settings may change them; verification accepts either port already. */
function urlsLike(material: Material): OtherMaterial[] {
  const { url } = material;
  const { protocol, pathname } = url;
  const other = protocol === "https:" ? "http:" : "https:";
  const changes = [
    [`with ${other}//`, { protocol: other }],
    pathname.endsWith("/")
      ? ["without a slash at its end", { pathname: pathname.replace(/\/+$/, "") }]
      : ["with a slash at its end", { pathname: `${pathname}/` }],
    ["without its query", { search: "" }],
  ] as const;
  return changes.flatMap(([how, parts]) => {
    const changed = Object.assign(new URL(url), parts);
    if (changed.href === url.href) return [];
    const text = `The sender signs the URL ${how}. Give it exactly the URL that it calls.`;
    return { material: { ...material, url: changed }, finding: { cause: "url", text } };
  });
}

/** Larger bodies have no variants. */
const MAX_REWRITTEN = 256 * 1024;

/** A body that may have been signed instead of the received one. */
interface OtherBody {
  bytes: Uint8Array;
  finding: Finding;
}

/** A text and what it is: "the body …". */
type Written = [as: string, text: string];

/** Returns the body as it may have been before a library or a proxy rewrote it. */
function otherBodies(body: Uint8Array): OtherBody[] {
  if (body.length === 0 || body.length > MAX_REWRITTEN) return [];
  const text = textOf(body);
  if (text === null) return [];
  const json = parseExactJson(body);
  const seen = new Set([text]);
  const changed = (cause: Cause, written: Written[]) =>
    written.flatMap(([as, other]): OtherBody[] => {
      if (seen.has(other)) return [];
      seen.add(other);
      const found = `The sender signs the body ${as} but sends other bytes. Sign exactly the bytes that are sent.`;
      return [{ bytes: new TextEncoder().encode(other), finding: { cause, text: found } }];
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

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
