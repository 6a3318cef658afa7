import { nameIn, type Schema } from "../openapi.ts";

/** Where fields are shown: which schemas there are, and whose values they are. */
export interface Place {
  schemas: ReadonlyMap<string, Schema>;
  /** Whether a reader fills them in; else they come in an answer. */
  isInput: boolean;
  /** The schemas around it, so that one which holds itself ends in a link. */
  within: readonly string[];
}

/**
 * Whether a schema that is named here opens here, as those do which a reader fills in; else a link
 * leads to it: answers have many schemas in common.
 */
export function opensHere(name: string, { schemas, isInput, within }: Place): boolean {
  return isInput && schemas.has(name) && !within.includes(name);
}

/** What there is to open of a value: itself or, where that is done in place, what it refers to. */
export function opened(schema: Schema, place: Place): { inner: Schema; place: Place } | null {
  const target = referredBy(schema);
  if (target === null) return { inner: schema, place };
  const name = nameIn(target);
  const inner = place.schemas.get(name);
  if (inner === undefined || !opensHere(name, place)) return null;
  return { inner, place: { ...place, within: [...place.within, name] } };
}

/** What there is to say of a value: its own words or, without any, those of the schema it refers to. */
export function wordsFor(schema: Schema, { schemas }: Place): string {
  const target = ownReference(schema);
  const words = target === null ? undefined : schemas.get(nameIn(target))?.description;
  return schema.description ?? words ?? "";
}

/** What a value, or each item of it, refers to; null for one that is described right here. */
function referredBy(schema: Schema): string | null {
  return schema.items === undefined ? ownReference(schema) : referredBy(schema.items);
}

/** What a value refers to, which may be null instead. */
function ownReference(schema: Schema): string | null {
  if (schema.$ref !== undefined) return schema.$ref;
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return only !== undefined && others.length === 0 ? referredBy(only) : null;
}

/** Every schema that these lead to, by any way. */
export function reachable(
  roots: readonly Schema[],
  schemas: ReadonlyMap<string, Schema>,
): Set<string> {
  const names = new Set<string>();
  const open = [...roots];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    open.push(...partsOf(schema));
    if (schema.$ref === undefined) continue;
    const name = nameIn(schema.$ref);
    const target = schemas.get(name);
    if (target === undefined || names.has(name)) continue;
    names.add(name);
    open.push(target);
  }
  return names;
}

/** The schemas that hold themselves, at any depth. */
export function recursive(schemas: ReadonlyMap<string, Schema>): Set<string> {
  const holdItself = [...schemas].filter(([name, schema]) =>
    reachable(partsOf(schema), schemas).has(name),
  );
  return new Set(holdItself.map(([name]) => name));
}

function partsOf(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  return [
    ...Object.values(properties),
    ...anyOf,
    ...oneOf,
    ...(items ? [items] : []),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
}
