import type { Json } from "../contract/json.ts";
import type { Run } from "./run.ts";

/** A text that two values share exactly when JSON Schema calls them equal. */
export function canonical(value: Json, run: Run | null): string {
  run?.spend(1);
  if (typeof value === "string") {
    run?.spend(value.length / 16);
    return JSON.stringify(value);
  }
  if (typeof value === "number") return String(value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, run)).join()}]`;
  const names = Object.keys(value).sort();
  const members = names.map(
    (name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null, run)}`,
  );
  return `{${members.join()}}`;
}
