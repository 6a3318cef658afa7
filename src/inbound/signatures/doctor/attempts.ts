import type { Material } from "../covered.ts";
import { partsOf } from "../template.ts";
import { otherAddresses } from "./addresses.ts";
import { otherBodies } from "./bodies.ts";
import type { OtherKey } from "./secrets.ts";
import type { SentDigest } from "./sent.ts";
import type { OtherTemplate } from "./templates.ts";

/** What may have been signed; `note` is null for what came in. */
export interface OtherMaterial {
  material: Material;
  note: string | null;
}

/** One way in which the signature may have come about. */
export interface Attempt {
  key: OtherKey;
  template: OtherTemplate;
  other: OtherMaterial;
}

/** An attempt that made a digest which was sent. */
export interface Match extends Attempt {
  digest: SentDigest;
}

/** The ways worth trying: single differences first, then pairs of those that come together. */
export function* attempts(
  keys: OtherKey[],
  templates: OtherTemplate[],
  material: Material,
): Generator<Attempt> {
  const [key, template] = [keys[0], templates[0]];
  if (key === undefined || template === undefined) return;
  const asSent = { material, note: null };
  const needsUrl = partsOf(template.template).includes("url");
  const addresses = otherAddresses(material.url).map(({ url, note }) => ({
    material: { ...material, url },
    note,
  }));

  yield { key, template, other: asSent };
  for (const other of keys.slice(1)) yield { key: other, template, other: asSent };
  if (needsUrl) for (const other of addresses) yield { key, template, other };
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

/** Bodies that may have been signed, the empty one among them. */
function bodyVariants(material: Material): OtherMaterial[] {
  const body = material.bodies.at(-1);
  if (body === undefined) return [];
  const written = otherBodies(body).map(({ bytes, as }) => ({
    material: { ...material, bodies: [bytes] },
    note: `The sender signs the body ${as}, and sends other bytes: it has to sign exactly what it sends.`,
  }));
  const isGet = material.method === "GET";
  const empty = {
    material: { ...material, method: "POST", bodies: [new Uint8Array()] },
    note: isGet
      ? "The sender signs an empty body, which covers nothing of a GET: sign its query, without the ?, or set a template with {url}."
      : "The sender signs an empty body: it has to sign what it sends.",
  };
  return [...written, empty];
}
