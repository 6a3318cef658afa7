import { isObject } from "../../../../lib/json-values.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { Page } from "../view/pages.ts";

const MAX_FIELDS = 50;

/** A single object of data, told field by field: its text is no prose to take sentences from. */
export function toldRecord({ source }: Page): string | null {
  const value = source.json();
  if (value === undefined || !isObject(value) || Object.keys(value).length === 0) return null;
  const fields = Object.entries(value).slice(0, MAX_FIELDS);
  return fields.map(([name, field]) => `${name}: ${cellText(field ?? null)}`).join(", ");
}
