import type { Cause } from "../../../contract/webhooks/advice.ts";
import type { Material } from "../signed-message.ts";
import { isForm, partsOf } from "../signed-message.ts";
import { otherBodies } from "./body-variants.ts";
import type { Finding, OtherKey } from "./keys.ts";
import type { SentDigest } from "./sent-headers.ts";
import { type OtherTemplate, otherUnits } from "./templates.ts";

/** Parts of a request that may have been signed; `finding` is null for those received. */
interface OtherMaterial {
  material: Material;
  finding: Finding | null;
}

/** What a key tells, if it is the one that was used. */
export interface Findable {
  finding: Finding | null;
}

/** One way in which the sender may have signed. */
export interface Trial<Key extends Findable = OtherKey> {
  key: Key;
  template: OtherTemplate;
  other: OtherMaterial;
  /** How the key is used: in an HMAC, or in a plain hash of the message. */
  hash: "hmac" | "swapped" | "message" | "key_message" | "message_key";
}

/** A trial that produced a digest of the request. */
export interface Match<Key extends Findable = OtherKey> extends Trial<Key> {
  digest: SentDigest;
}

export const HASHES = ["swapped", "message", "key_message", "message_key"] as const;
/** Templates and keys that are combined with other differences: the likeliest ones come first. */
const COMBINED = 8;
const COMBINED_KEYS = 14;
/** The keys before those of guessed names. */
const LIKELY_KEYS = 28;

/**
 * Yields the trials: single differences first, then pairs that occur together. `hashes` are the wrong
 * uses of a key.
 */
export function* trials<Key extends Findable>(
  keys: Key[],
  templates: OtherTemplate[],
  material: Material,
  headers: Headers,
  hashes: readonly Trial["hash"][],
): Generator<Trial<Key>> {
  const [key, template] = [keys[0], templates[0]];
  if (key === undefined || template === undefined) return;
  const asSent: OtherMaterial = { material, finding: null };
  const hash = "hmac";
  const urls = otherUrls(material.url, headers).map(({ url, ...finding }) => ({
    material: { ...material, url },
    finding,
  }));
  const signsUrl = ({ template }: OtherTemplate) => partsOf(template).includes("url");

  yield { key, template, other: asSent, hash };
  for (const other of keys.slice(1, LIKELY_KEYS))
    yield { key: other, template, other: asSent, hash };
  if (signsUrl(template)) for (const other of urls) yield { key, template, other, hash };
  for (const other of otherUnits(template)) yield { key, template: other, other: asSent, hash };
  for (const other of templates.slice(1)) yield { key, template: other, other: asSent, hash };
  const bodies = bodyVariants(material);
  for (const other of bodies) yield { key, template, other, hash };
  for (const hash of hashes) yield { key, template, other: asSent, hash };

  for (const other of templates.slice(1, COMBINED)) {
    for (const otherKey of keys.slice(1, COMBINED_KEYS))
      yield { key: otherKey, template: other, other: asSent, hash };
    for (const unit of otherUnits(other)) yield { key, template: unit, other: asSent, hash };
    if (signsUrl(other)) for (const url of urls) yield { key, template: other, other: url, hash };
  }
  for (const other of templates.slice(1, 4)) {
    for (const body of bodies) yield { key, template: other, other: body, hash };
  }
  for (const otherKey of keys.slice(1, 4)) {
    for (const body of bodies) yield { key: otherKey, template, other: body, hash };
  }
  for (const other of keys.slice(LIKELY_KEYS)) yield { key: other, template, other: asSent, hash };
}

/** Returns the bodies that may have been signed, including the empty one. */
function bodyVariants(material: Material): OtherMaterial[] {
  const body = material.bodies.at(-1);
  if (body === undefined) return [];
  const written = otherBodies(body, isForm(material.contentType)).map(({ bytes, as, cause }) => ({
    material: { ...material, bodies: [bytes] },
    finding: signedBody(as, cause),
  }));
  const isGet = material.method === "GET";
  const empty: OtherMaterial = {
    material: { ...material, method: "POST", bodies: [new Uint8Array()] },
    finding: {
      cause: "body_missing",
      text: isGet
        ? "The sender signs an empty body, which covers nothing of a GET. Sign its query without the ?, or set a template with {url}."
        : "The sender signs an empty body. Sign the body that is sent.",
    },
  };
  return [empty, ...written];
}

/** Describes a signed body that is not the one that was sent. */
export function signedBody(as: string, cause: Cause): Finding {
  return {
    cause,
    text: `The sender signs the body ${as} but sends other bytes. Sign exactly the bytes that are sent.`,
  };
}

/** A URL that may have been signed instead of the called one. */
interface OtherUrl extends Finding {
  url: URL;
}

/** Returns the URL as proxies and settings may change it; verification accepts either port already. */
export function otherUrls(url: URL, headers: Headers): OtherUrl[] {
  const other = new URL(url);
  const port = url.port === "" ? "" : `:${url.port}`;
  const protocol = url.protocol === "https:" ? "http" : "https";
  const path = url.pathname.endsWith("/") ? url.pathname.replace(/\/+$/, "") : `${url.pathname}/`;
  const exactly = "Give it exactly the URL that it calls.";
  const candidates: [href: string, text: string][] = [
    [
      `${protocol}://${url.hostname}${port}${url.pathname}${url.search}`,
      `The sender signs the URL with ${protocol}://. ${exactly}`,
    ],
    [
      `${url.origin}${path}${url.search}`,
      `The sender signs the URL ${path.endsWith("/") ? "with" : "without"} a slash at its end. ${exactly}`,
    ],
    [
      `${url.origin}${url.pathname}`,
      "The sender signs the URL without its query. Remove the query from the URL that it calls.",
    ],
    [
      `${protocol}://${url.hostname}${port}${path}${url.search}`,
      `The sender signs the URL with ${protocol}:// and ${path.endsWith("/") ? "with" : "without"} a slash at its end. ${exactly}`,
    ],
  ];
  return [
    ...candidates.flatMap(([href, text]) =>
      URL.canParse(href) && href !== other.href
        ? { url: new URL(href), cause: "url" as const, text }
        : [],
    ),
    ...otherHosts(url, headers),
  ];
}

const HOST_HEADERS = ["x-forwarded-host", "x-original-host", "x-host", "forwarded"];

/** Returns the URL at the hosts that a tunnel or a proxy replaced. */
function otherHosts(url: URL, headers: Headers): OtherUrl[] {
  const named = HOST_HEADERS.flatMap((name) => {
    const text = headers.get(name) ?? "";
    const host = name === "forwarded" ? /host="?([^";,]+)/i.exec(text)?.[1] : text.split(",")[0];
    return host?.trim() || [];
  });
  const hosts = [...new Set([...named, `www.${url.host}`, url.host.replace(/^www\./, "")])];
  return hosts.flatMap((host) =>
    ["https", "http"].flatMap((protocol) => {
      const href = `${protocol}://${host}${url.pathname}${url.search}`;
      if (!URL.canParse(href) || new URL(href).host === url.host) return [];
      const text = `The sender signs the URL at ${new URL(href).host}, but the request arrives at ${url.host}: a tunnel or a proxy changes the host. Have it keep the host, or give the sender the URL of this endpoint.`;
      return { url: new URL(href), cause: "url_host" as const, text };
    }),
  );
}
