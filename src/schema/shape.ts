import type { Json } from "../contract/json.ts";
import { isObject } from "../lib/json-values.ts";
import { SchemaFault } from "./schema-fault.ts";

/** What keywords hold, narrowed to their type. They throw a `SchemaFault` for another one. */
export function numberOf(held: Json): number {
  if (typeof held === "number") return held;
  throw new SchemaFault("", "schema", "must hold a number");
}

export function textOf(held: Json): string {
  if (typeof held === "string") return held;
  throw new SchemaFault("", "schema", "must hold a text");
}

export function listOf(held: Json): Json[] {
  if (Array.isArray(held)) return held;
  throw new SchemaFault("", "schema", "must hold a list");
}

export function mapOf(held: Json): [string, Json][] {
  if (isObject(held)) return Object.entries(held);
  throw new SchemaFault("", "schema", "must hold an object");
}
