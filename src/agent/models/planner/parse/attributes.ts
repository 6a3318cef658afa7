import { comparisonAt, type Of, readComparison } from "./comparisons.ts";
import type { Cursor } from "./cursor.ts";
import { isOp } from "./items.ts";
import { addFilter, compare, isTimeColumn, measureAt, readValues } from "./predicates.ts";
import type { Column } from "./table.ts";

/** Reads an adjective by its degree: a base form asks, a comparative filters, a superlative picks. */
export function adjective(cursor: Cursor, item: Of<"adjective">): boolean {
  const { frame } = cursor;
  const { columns, more, degree } = item;
  const next = cursor.peek(1);
  if (degree !== "comparative") {
    const from = item.lead.includes("from");
    const opposite = next?.type === "adjective" && next.lead.includes("to") && next.more !== more;
    if (isOp(next, "first") || (from && opposite)) {
      const chosen = cursor.pick(columns);
      if (chosen === undefined) return false;
      frame.orders.push({ column: chosen, descending: more });
      cursor.at += 2;
      return true;
    }
  }
  if (degree === "superlative") {
    // "who has been here longest": an adverb needs a verb that governs its column.
    const isAttribute =
      next?.type === "row" ||
      next?.type === "column" ||
      next?.type === "value" ||
      next?.type === "flag" ||
      next?.type === "state";
    const isSaid =
      item.lead.some((word) => ["is", "are", "was", "were", "'s", "the"].includes(word)) ||
      cursor.at === 0 ||
      cursor.peek(-1)?.type !== "op";
    const governed = frame.verbs.some((verb) => columns.some((own) => verb.columns.includes(own)));
    if (!isAttribute && !governed && (!isSaid || item.lead.includes("been"))) return false;
    const chosen = cursor.pick(columns);
    if (chosen === undefined || frame.extreme !== null) return false;
    frame.extreme = {
      column: chosen,
      descending: more,
      figure: false,
      alone: false,
      word: "adjective",
    };
    cursor.at += 1;
    const unit = cursor.peek();
    if (unit?.type === "column" && unit.columns.includes(chosen)) cursor.at += 1;
    return true;
  }
  if (degree === "comparative") return comparative(cursor, item);
  // "how tall": a value is asked for; a base form sets no limit.
  if (frame.ask !== "how" || frame.wants.length > 0) return false;
  const chosen = cursor.pick(columns);
  if (chosen === undefined) return false;
  frame.wants.push(chosen);
  cursor.at += 1;
  return true;
}

function comparative(cursor: Cursor, item: Of<"adjective">): boolean {
  const { columns, more } = item;
  cursor.at += 1;
  if (cursor.isOp("than")) cursor.at += 1;
  else if (!item.lead.includes("no") && !cursor.negated) return comparesTwo(cursor, columns, more);
  const measure = measureAt(cursor, 0);
  const chosen = cursor.pick(columns);
  if (chosen === undefined) return false;
  if (measure !== null) {
    if (measure.tail !== null) return false;
    cursor.at += measure.length;
    return compare(cursor, item, chosen, more ? "gt" : "lt", measure);
  }
  // "cheaper than the Blue Mug": the value of that row.
  const { key, rows } = cursor.facts;
  const other = cursor.peek();
  const place =
    other?.type === "value"
      ? other.at.find((candidate) => candidate.column === key && !candidate.partial)
      : undefined;
  if (place === undefined || key === null) return false;
  const match = rows.filter(
    (cells) => String(cells[key.index]).trim().toLowerCase() === place.value.trim().toLowerCase(),
  );
  const bound = match[0]?.[chosen.index];
  if (match.length !== 1 || (typeof bound !== "string" && typeof bound !== "number")) return false;
  cursor.at += 1;
  return addFilter(cursor, item, [{ column: chosen, test: more ? "gt" : "lt", value: bound }]);
}

/** "Who is older, Ann or Ben?": the extreme of two rows that are named. */
export function comparesTwo(cursor: Cursor, columns: readonly Column[], more: boolean): boolean {
  const { frame } = cursor;
  const chosen = cursor.pick(columns);
  if (chosen === undefined || frame.extreme !== null) return false;
  frame.extreme = {
    column: chosen,
    descending: more,
    figure: false,
    alone: false,
    word: "adjective",
  };
  frame.ofTwo = true;
  return true;
}

/** Reads a light verb, which governs a comparison or a value, or must govern a column. */
export function verb(cursor: Cursor, item: Of<"verb">): boolean {
  const { frame } = cursor;
  const [concept] = item.concepts;
  cursor.at += 1;
  cursor.saidNext = true;
  const next = cursor.peek();
  // "paid by card": the verb only ties a value to its rows.
  if (concept === "link") {
    return next?.type === "value" || (next?.type === "row" && !/^(?:by|under)$/i.test(item.text));
  }
  if (concept === "any") return true;
  frame.verbs.push(item);
  const comparison = comparisonAt(cursor, 0);
  if (comparison !== null) {
    const measure = measureAt(cursor, comparison === "number" ? 0 : 1);
    const following = cursor.peek((measure?.length ?? 0) + (comparison === "number" ? 0 : 1));
    const hasColumn =
      following?.type === "column" && following.columns.some(({ kind }) => kind === "number");
    if (hasColumn) return true;
    const numeric = item.columns.filter(
      (own) => own.kind === "number" || own.kind === "date" || isTimeColumn(cursor, own),
    );
    const fitting =
      typeof measure?.value === "string"
        ? numeric.filter((own) =>
            measure.unit === "time" ? isTimeColumn(cursor, own) : own.kind === "date",
          )
        : numeric.filter(({ kind }) => kind !== "text");
    if (fitting.length === 0) return true;
    return readComparison(cursor, item, fitting);
  }
  if (next?.type === "value" && next.at.some((place) => item.columns.includes(place.column))) {
    return readValues(cursor, item.columns);
  }
  return true;
}
