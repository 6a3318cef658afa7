import type { SignatureScheme } from "../../../contract/inbound/signature.ts";
import type { OpenSecret } from "../../types.ts";
import { secretBytes } from "../hmac.ts";
import { presetOf, RECOGNIZED } from "../presets.ts";
import type { Material } from "../signed-message.ts";
import { partsOf } from "../signed-message.ts";
import { otherBodies } from "./body-variants.ts";
import type { SentDigest } from "./sent-headers.ts";
import { type SentValue, sentIds, sentTimestamps } from "./sent-headers.ts";

/** Parts of a request that may have been signed; `note` is null for those received. */
interface OtherMaterial {
  material: Material;
  note: string | null;
}

/** One way in which the sender may have signed. */
export interface Attempt {
  key: OtherKey;
  template: OtherTemplate;
  other: OtherMaterial;
}

/** An attempt that produced a digest of the request. */
export interface Match extends Attempt {
  digest: SentDigest;
}

/** Yields the attempts: single differences first, then pairs that occur together. */
export function* attempts(
  keys: OtherKey[],
  templates: OtherTemplate[],
  material: Material,
): Generator<Attempt> {
  const [key, template] = [keys[0], templates[0]];
  if (key === undefined || template === undefined) return;
  const asSent = { material, note: null };
  const needsUrl = partsOf(template.template).includes("url");
  const urls = otherUrls(material.url).map(({ url, note }) => ({
    material: { ...material, url },
    note,
  }));

  yield { key, template, other: asSent };
  for (const other of keys.slice(1)) yield { key: other, template, other: asSent };
  if (needsUrl) for (const other of urls) yield { key, template, other };
  for (const other of templates.slice(1)) yield { key, template: other, other: asSent };
  const bodies = bodyVariants(material);
  for (const other of bodies) yield { key, template, other };

  for (const otherKey of keys.slice(1)) {
    for (const other of templates.slice(1, 8))
      yield { key: otherKey, template: other, other: asSent };
  }
  for (const other of templates.slice(1, 4)) {
    for (const body of bodies) yield { key, template: other, other: body };
  }
}

/** Returns the bodies that may have been signed, including the empty one. */
function bodyVariants(material: Material): OtherMaterial[] {
  const body = material.bodies.at(-1);
  if (body === undefined) return [];
  const written = otherBodies(body).map(({ bytes, as }) => ({
    material: { ...material, bodies: [bytes] },
    note: `The sender signs the body ${as} but sends other bytes. Sign exactly the bytes that are sent.`,
  }));
  const isGet = material.method === "GET";
  const empty = {
    material: { ...material, method: "POST", bodies: [new Uint8Array()] },
    note: isGet
      ? "The sender signs an empty body, which covers nothing of a GET. Sign its query without the ?, or set a template with {url}."
      : "The sender signs an empty body. Sign the body that is sent.",
  };
  return [...written, empty];
}

type SecretEncoding = SignatureScheme["secretEncoding"];

/** A key that may have been used; `note` says what to change, and is null for the configured one. */
export interface OtherKey {
  bytes: Uint8Array;
  note: string | null;
}

const WHSEC = "whsec_";

/** Returns the configured key, then the keys that a sender may have derived from the same secrets. */
export function keysOf(
  { current, previous }: OpenSecret,
  encoding: SecretEncoding,
  now: number,
): OtherKey[] {
  const isOver = previous !== null && now >= previous.validUntil;
  const notePrevious = isOver
    ? "The sender uses the previous secret, which is no longer valid. Give it the current one."
    : null;
  return distinct([
    { bytes: secretBytes(current, encoding), note: null },
    { bytes: previous && secretBytes(previous.value, encoding), note: notePrevious },
    ...otherEncodings(current, encoding),
    ...otherTexts(current, encoding),
  ]);
}

function otherEncodings(text: string, configured: SecretEncoding): Candidate[] {
  const bare = text.startsWith(WHSEC) ? text.slice(WHSEC.length) : text;
  const reading = (encoding: "utf8" | "base64" | "hex" | "whsec"): Candidate => ({
    bytes: secretBytes(text, encoding),
    note: `The sender ${READ[encoding]}, but secretEncoding is "${configured}". ${adviceFor(encoding, configured)}`,
  });
  return [
    reading("utf8"),
    reading("whsec"),
    reading("base64"),
    reading("hex"),
    {
      bytes: secretBytes(bare, "utf8"),
      note: `The sender uses the secret without its ${WHSEC} as plain text. Save it without the prefix, with secretEncoding "utf8".`,
    },
  ];
}

const READ: Record<SecretEncoding, string> = {
  utf8: "uses the text of the secret without decoding it",
  base64: "decodes the secret from base64",
  hex: "decodes the secret from hex",
  whsec: `decodes the part after ${WHSEC} from base64`,
};

function adviceFor(encoding: SecretEncoding, configured: SecretEncoding): string {
  if (encoding === "base64" && configured === "whsec")
    return `Save the secret with the prefix ${WHSEC}.`;
  return `Set secretEncoding to "${encoding}".`;
}

/** Returns keys of texts with or without characters that copying easily adds or loses. */
function otherTexts(text: string, encoding: SecretEncoding): Candidate[] {
  const unquoted = /^\s*(["'])(.*)\1\s*$/s.exec(text)?.[2];
  return [
    {
      bytes: secretBytes(text.trim(), encoding),
      note: "The sender's secret has no white space around it. Save it without.",
    },
    {
      bytes: unquoted === undefined ? null : secretBytes(unquoted, encoding),
      note: "The sender's secret has no quotes around it. Save it without.",
    },
    {
      bytes: secretBytes(`${text}\n`, encoding),
      note: "The sender's secret ends with a line break. Remove it at the sender.",
    },
    {
      bytes: secretBytes(`"${text}"`, encoding),
      note: "The sender's secret has quotes around it. Remove them at the sender.",
    },
  ];
}

interface Candidate {
  bytes: Uint8Array | null;
  note: string | null;
}

/** Keeps the first of equal keys. */
function distinct(candidates: Candidate[]): OtherKey[] {
  const seen = new Set<string>();
  return candidates.flatMap(({ bytes, note }) => {
    const name = bytes === null ? "" : bytes.join();
    if (bytes === null || seen.has(name)) return [];
    seen.add(name);
    return { bytes, note };
  });
}

/** A template with values from the request. */
export interface OtherTemplate {
  template: string;
  timestamp: SentValue | null;
  id: SentValue | null;
}

const COMMON = [
  "{timestamp}{body}",
  "{timestamp}:{body}",
  "{timestamp}\n{body}",
  "{body}{timestamp}",
  "{body}.{timestamp}",
  "{id}.{body}",
  "{url}.{body}",
  "{timestamp}{url}{body}",
  "{url}{timestamp}{body}",
  "{url}",
];

/** Returns the configured template, then those of the presets and common ones that the request can fill. */
export function templatesOf(scheme: SignatureScheme, headers: Headers): OtherTemplate[] {
  const presets = RECOGNIZED.map((name) => presetOf(name).scheme)
    // A sender whose header is there is the likeliest.
    .sort((a, b) => Number(headers.has(b.header)) - Number(headers.has(a.header)))
    .map(({ template }) => template);
  const templates = [...new Set([scheme.template, ...presets, ...COMMON])];
  const timestamps = sentTimestamps(scheme, headers);
  const ids = sentIds(scheme, headers);
  return templates.flatMap((template) => {
    const parts = partsOf(template);
    const chosen = (part: string, sent: SentValue[]): (SentValue | null)[] =>
      parts.includes(part) ? sent : [null];
    return chosen("timestamp", timestamps).flatMap((timestamp) =>
      chosen("id", ids).map((id) => ({ template, timestamp, id })),
    );
  });
}

/** Says what to change for a template that matched; null for the configured one. */
export function templateNote(
  scheme: SignatureScheme,
  { template, timestamp, id }: OtherTemplate,
): string | null {
  const sources = [
    ["timestamp", timestamp, scheme.timestampHeader] as const,
    ["id", id, scheme.idHeader] as const,
  ].flatMap(([part, sent, configured]) =>
    sent === null || sent.header === (configured ?? pairOf(scheme))
      ? []
      : [[part, sent.header] as const],
  );
  const from = sources.map(([part, header]) => `{${part}} from ${header}`).join(" and ");
  if (template === scheme.template) {
    return from === "" ? null : `The sender signs ${from}. Configure that header.`;
  }
  return `The sender signs ${show(template)}${from && `, with ${from}`}, but ${show(scheme.template)} is configured. ${templateAdvice(scheme, template)}`;
}

const pairOf = ({ header, timestampPair }: SignatureScheme): string =>
  `${header} (${timestampPair}=)`;

const show = (template: string): string => template.replaceAll("\n", "\\n");

function templateAdvice(scheme: SignatureScheme, template: string): string {
  const parts = partsOf(template);
  const timed = partsOf(scheme.template).includes("timestamp");
  if (!parts.includes("body") && !parts.includes("sortedParams")) {
    return "That does not cover the body, so it cannot be accepted. Ask the sender to sign the body.";
  }
  if (timed && !parts.includes("timestamp")) {
    return `It leaves the timestamp unsigned. Set template to "${show(template)}".`;
  }
  return `Set template to "${show(template)}".`;
}

/** A URL that may have been signed instead of the called one. */
interface OtherUrl {
  url: URL;
  note: string;
}

/** Returns the URL as proxies and settings may change it; verification accepts either port already. */
function otherUrls(url: URL): OtherUrl[] {
  const other = new URL(url);
  const port = url.port === "" ? "" : `:${url.port}`;
  const protocol = url.protocol === "https:" ? "http" : "https";
  const path = url.pathname.endsWith("/") ? url.pathname.replace(/\/+$/, "") : `${url.pathname}/`;
  const candidates: [href: string, note: string][] = [
    [
      `${protocol}://${url.hostname}${port}${url.pathname}${url.search}`,
      `The sender signs the URL with ${protocol}://. Give it exactly the URL that it calls.`,
    ],
    [
      `${url.origin}${path}${url.search}`,
      `The sender signs the URL ${path.endsWith("/") ? "with" : "without"} a slash at its end. Give it exactly the URL that it calls.`,
    ],
    [
      `${url.origin}${url.pathname}`,
      "The sender signs the URL without its query. Remove the query from the URL that it calls.",
    ],
    [
      `${protocol}://${url.hostname}${port}${path}${url.search}`,
      `The sender signs the URL with ${protocol}:// and ${path.endsWith("/") ? "with" : "without"} a slash at its end. Give it exactly the URL that it calls.`,
    ],
  ];
  return candidates.flatMap(([href, note]) =>
    URL.canParse(href) && href !== other.href ? { url: new URL(href), note } : [],
  );
}
