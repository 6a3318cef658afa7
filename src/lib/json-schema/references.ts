import { unescapedOrNull } from "../encoding.ts";
import type { Json, JsonObject } from "../json-values.ts";

/** The base of a schema without an `$id`; no reference can name it, since `.invalid` is reserved. */
const NO_BASE = "https://schema.invalid/";

/** The schemas of a document by their addresses (JSON Schema 2020-12, section 8.2). */
export class References {
  /** The address of the resource that each schema belongs to. */
  readonly #bases = new Map<JsonObject, string>();
  /** Schemas by absolute address, with an anchor as the fragment. */
  readonly #targets = new Map<string, JsonObject>();
  #root: string | null = null;

  /** Adds a schema that stands in the resource `base`. Returns the address of its own resource. */
  add(schema: JsonObject, base: string = NO_BASE): string {
    const { $id, $anchor, $dynamicAnchor } = schema;
    const own = typeof $id === "string" ? (addressOf($id, base)?.resource ?? base) : base;
    this.#bases.set(schema, own);
    if (typeof $id === "string" || this.#root === null) this.#put(own, schema);
    this.#root ??= own;
    if (typeof $anchor === "string") this.#put(`${own}#${$anchor}`, schema);
    if (typeof $dynamicAnchor === "string") this.#put(`${own}#${$dynamicAnchor}`, schema);
    return own;
  }

  knows(schema: JsonObject): boolean {
    return this.#bases.has(schema);
  }

  /** Returns the address of the resource that a schema belongs to; the root's for one that is unknown. */
  baseOf(schema: JsonObject): string {
    return this.#bases.get(schema) ?? this.#root ?? NO_BASE;
  }

  /** Returns the target of a reference in a schema; undefined outside the document. */
  resolve(schema: JsonObject, reference: string): Json | undefined {
    const address = addressOf(reference, this.baseOf(schema));
    if (address === null) return undefined;
    const { resource, fragment } = address;
    if (fragment !== "" && !fragment.startsWith("/")) {
      return this.#targets.get(`${resource}#${fragment}`);
    }
    return pointed(this.#targets.get(resource), fragment);
  }

  /** The first schema of an address keeps it. */
  #put(address: string, schema: JsonObject): void {
    if (!this.#targets.has(address)) this.#targets.set(address, schema);
  }
}

/** Resolves a URI reference (RFC 3986, section 5) and takes its fragment off. */
function addressOf(reference: string, base: string): { resource: string; fragment: string } | null {
  const url = URL.parse(reference, base);
  if (url === null) return null;
  const escaped = url.hash.slice(1);
  // RFC 6901, section 6. A malformed fragment stays as it is.
  const fragment = unescapedOrNull(escaped) ?? escaped;
  url.hash = "";
  return { resource: url.href, fragment };
}

/** Follows a JSON Pointer (RFC 6901). */
function pointed(from: Json | undefined, pointer: string): Json | undefined {
  let place = from;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, name))
      return undefined;
    place = Array.isArray(place) ? place[Number(name)] : place[name];
  }
  return place;
}
