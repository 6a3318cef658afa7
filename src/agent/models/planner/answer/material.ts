import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { sureRecordOf } from "../view/facts.ts";
import type { Page } from "../view/pages.ts";
import type { Part } from "./parts.ts";

type Values = Record<string, Json>;

/** What there is to fill a caller's schema with. */
export interface Material {
  /** The answer as it would be without a schema. */
  data: Json | undefined;
  records: Values[];
  /** Single values that were found, by name: figures, a title, the fields of a row. */
  found: Values;
  /** What the page says of itself, by label, where it is one page about one thing. */
  facts: Values;
  /** How many rows were found, where the answer is rows. */
  rows: number | null;
  /** What the pieces are called: "links", "title". */
  labels: string[];
  /** The answer in sentences. */
  summary: string;
}

/** The data of all pieces: one piece as it is, several under their labels. */
export function dataOf(parts: readonly Part[]): Json | undefined {
  const known = parts.filter((part) => part.data !== undefined);
  if (known.length <= 1) return known[0]?.data;
  const out: Values = {};
  for (const part of known) {
    let label = part.label;
    for (let copy = 2; Object.hasOwn(out, label); copy++) label = `${part.label} ${copy}`;
    out[label] = part.data ?? null;
  }
  return out;
}

/** The values of several records under their names; of one that differs none can be taken. */
function together(records: readonly Values[]): Values {
  const out: Values = {};
  const differing = new Set<string>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      if (Object.hasOwn(out, name) && JSON.stringify(out[name]) !== JSON.stringify(value))
        differing.add(name);
      out[name] = value;
    }
  }
  return Object.fromEntries(Object.entries(out).filter(([name]) => !differing.has(name)));
}

/** The row that was picked of many, or a figure of them: what else the page says is not about it. */
function ofRows({ callId, leftover }: Part): boolean {
  return callId !== null && /^(?:table|json|cards|prices|section)$/.test(leftover?.kind ?? "");
}

function factsOf(parts: readonly Part[], pages: readonly Page[]): Values {
  const [page, ...others] = pages;
  if (page === undefined || others.length > 0 || page.source.json() !== undefined) return {};
  return parts.some(ofRows) ? {} : sureRecordOf(page);
}

/** What the pieces and their pages have to fill a schema with. */
export function materialOf(
  parts: readonly Part[],
  pages: readonly Page[],
  summary: string,
): Material {
  const labelled = parts.flatMap((part) =>
    part.data === undefined ? [] : [{ [part.label]: part.data }],
  );
  const records = parts.flatMap((part) => (part.records.length === 1 ? part.records : []));
  const data = dataOf(parts);
  return {
    data,
    records: parts.find((part) => part.records.length > 0)?.records ?? [],
    // The fields of what was found come before the names of the pieces.
    found: { ...together(labelled), ...together(records) },
    facts: factsOf(parts, pages),
    rows: Array.isArray(data) ? data.length : null,
    labels: parts.map(({ label }) => label),
    summary,
  };
}

/** What a reply that needed nothing to be read has to fill a schema with: of a sum, its value. */
export function replied({ text, data }: { text: string; data?: Json }): Material {
  const value = /^[\d\s.,+\-*/×÷x^()%]+ = (-?[\d.]+(?:e[+-]?\d+)?)$/i.exec(text)?.[1];
  const answer = data ?? (value === undefined ? text : Number(value));
  const found = isObject(answer) ? answer : {};
  const records = isObject(answer) ? [answer] : [];
  return { data: answer, records, found, facts: {}, rows: null, labels: [], summary: text };
}
