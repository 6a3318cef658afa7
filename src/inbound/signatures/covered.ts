import type { SignatureScheme } from "../../contract/inbound/signature.ts";
import { sha256Hex } from "../../lib/hex.ts";
import { fillTemplate, partsOf } from "./template.ts";

/** What a signature can cover of a request. */
export interface Material {
  method: string;
  url: URL;
  contentType: string | null;
  /** One byte string, or two where the body was compressed: some senders sign before they compress. */
  bodies: Uint8Array[];
}

/** The query parameter in which Twilio sends the hash of a body that is no form. */
export const BODY_HASH = "bodySHA256";

const encoder = new TextEncoder();

/** The byte strings that a scheme may have signed, from the likeliest on; none if it covers no payload. */
export async function* signedMessages(
  { template }: Pick<SignatureScheme, "template">,
  values: { id: string; timestamp: string },
  material: Material,
): AsyncGenerator<Uint8Array> {
  const parts = partsOf(template);
  const hasUrl = parts.includes("url");
  const urls = hasUrl ? addressesOf(material.url) : [""];
  for (const body of hasUrl ? material.bodies : payloadsOf(material)) {
    const sortedParams = parts.includes("sortedParams") ? await paramsOf(material, body) : "";
    if (sortedParams === null) continue;
    for (const url of urls) {
      yield fillTemplate(template, { ...values, body, url, sortedParams });
    }
  }
}

/**
 * What carries the payload. A GET carries it in its query: a signature over the empty body alone would
 * fit any query.
 */
function payloadsOf({ method, url, bodies }: Material): Uint8Array[] {
  const isInQuery = method === "GET" && url.search.length > 1;
  return isInQuery ? [encoder.encode(url.search.slice(1))] : bodies;
}

/** The address as it was called, and with the standard port: proxies add and remove it. */
function addressesOf(url: URL): string[] {
  const plain = new URL(url);
  plain.hash = "";
  const rest = plain.href.slice(plain.origin.length);
  const port = url.protocol === "https:" ? 443 : 80;
  const other =
    url.port === ""
      ? `${url.protocol}//${url.hostname}:${port}${rest}`
      : `${url.protocol}//${url.hostname}${rest}`;
  return [plain.href, other];
}

/**
 * A form's fields by name, name and value joined, repeated values once. Any other body adds nothing: it
 * is covered by its hash in the address, else not at all, which is null.
 */
async function paramsOf({ url, contentType }: Material, body: Uint8Array): Promise<string | null> {
  const hash = url.searchParams.get(BODY_HASH);
  if (hash !== null) return hash.toLowerCase() === (await sha256Hex(body)) ? "" : null;
  if (body.length === 0) return "";
  return isForm(contentType) ? sortedParams(new TextDecoder().decode(body)) : null;
}

/** Whether a body of this type is a form that is signed by its fields. */
export function isForm(contentType: string | null): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? "");
}

function sortedParams(form: string): string {
  const fields = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(form)) {
    fields.set(name, (fields.get(name) ?? new Set()).add(value));
  }
  return [...fields.keys()]
    .sort()
    .map((name) =>
      [...(fields.get(name) ?? [])]
        .sort()
        .map((value) => name + value)
        .join(""),
    )
    .join("");
}
