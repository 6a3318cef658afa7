import { isObject, type Json } from "../json-values.ts";

/** An error in a JSON Schema. `path` leads to it from the schema's root, as `.properties.age.type`. */
export class SchemaFault extends Error {
  readonly path: string;
  readonly rule: string;

  constructor(path: string, rule: string, message: string) {
    super(message);
    this.name = "SchemaFault";
    this.path = path;
    this.rule = rule;
  }
}

/** Narrows the value of a keyword; throws a `SchemaFault` for another type, as the others do. */
export function numberOf(value: Json): number {
  if (typeof value === "number") return value;
  throw new SchemaFault("", "schema", "must be a number");
}

export function textOf(value: Json): string {
  if (typeof value === "string") return value;
  throw new SchemaFault("", "schema", "must be a string");
}

export function listOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  throw new SchemaFault("", "schema", "must be an array");
}

export function membersOf(value: Json): [string, Json][] {
  if (isObject(value)) return Object.entries(value);
  throw new SchemaFault("", "schema", "must be an object");
}
