import type { Json } from "../../../../contract/json.ts";
import { recordOf } from "../view/facts.ts";
import type { Page } from "../view/pages.ts";
import type { Part } from "./parts.ts";
import type { Material } from "./schema.ts";

/** The data of all pieces: one piece as it is, several under their labels. */
export function dataOf(parts: Part[]): Json | undefined {
  const known = parts.filter((part) => part.data !== undefined);
  if (known.length <= 1) return known[0]?.data;
  const out: Record<string, Json> = {};
  for (const part of known) {
    let label = part.label;
    for (let copy = 2; Object.hasOwn(out, label); copy++) label = `${part.label} ${copy}`;
    out[label] = part.data ?? null;
  }
  return out;
}

/** What the pieces and their pages have to fill a schema with. */
export function materialOf(parts: Part[], pages: Page[], summary: string): Material {
  const first = pages[0];
  const facts: Record<string, Json> =
    pages.length === 1 && first !== undefined && first.source.json() === undefined
      ? recordOf(first)
      : {};
  const labelled = Object.fromEntries(
    parts.flatMap((part) => (part.data === undefined ? [] : [[part.label, part.data]])),
  );
  const figures = Object.assign(
    {},
    ...parts.map((part) => (part.records.length === 1 ? part.records[0] : {})),
  );
  const data = dataOf(parts);
  const rows = Array.isArray(data) ? data.length : undefined;
  const tabular = parts.find((part) => part.records.length > 0);
  return {
    data,
    records: tabular?.records ?? [],
    named: {
      ...facts,
      ...(rows === undefined ? {} : { count: rows }),
      ...labelled,
      ...figures,
      answer: summary,
      result: summary,
      text: summary,
    },
  };
}
