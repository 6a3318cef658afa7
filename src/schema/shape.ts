import type { Json, JsonObject } from "../contract/json.ts";
import { SchemaFault } from "./schema-fault.ts";

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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
