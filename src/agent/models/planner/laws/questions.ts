import { type Column, columnsOfConcept, type TableFacts } from "../parse/facts.ts";
import type { Frame } from "../parse/frame.ts";

const ONE_VALUE = /^(?:who|where|when|howmuch|what|how|howmany)$/;

/** Fills what the question word asks for and checks that every verb governs something. */
export function completed(given: Frame, facts: TableFacts): Frame | string {
  const { key } = facts;
  const { ask } = given;
  let frame: Frame = { ...given, wants: [...new Set(given.wants)] };
  const numeric = frame.wants.filter(({ kind }) => kind === "number");
  const [only, second] = numeric;
  if (
    frame.figures.some(({ column }) => column === null) &&
    only !== undefined &&
    second === undefined
  ) {
    frame = withFigureOf(
      frame,
      only,
      frame.wants.filter((column) => column !== only),
    );
  }
  // "Are all bills paid": the column that names the rows stands for them.
  const [named, another] = frame.wants;
  const asksTruth = /^(?:every|exists|yesno)$/.test(ask ?? "");
  if (asksTruth && named !== undefined && named === key && another === undefined)
    frame = { ...frame, wants: [], rows: frame.rows + 1 };
  // "How long are they together": what is asked of one row is added up.
  if (ask === "how" && frame.together) frame = { ...frame, ask: "howmuch" };
  const namesKey = (ask === "which" || ask === "who") && frame.wants.length === 0 && key !== null;

  for (const verb of frame.verbs) {
    const involved = involvedIn(frame);
    const governs = [...involved, ...(namesKey ? [key] : [])].some((column) =>
      verb.columns.includes(column),
    );
    if (governs) continue;
    const free = verb.columns.filter(
      (column) => !involved.includes(column) && fitsAsk(column, ask),
    );
    const [chosen, other] = free;
    if (!ONE_VALUE.test(ask ?? "")) return `"${verb.text}" has no part in it`;
    if (chosen === undefined || other !== undefined) {
      const names = free.map(({ name }) => name).join(" or ");
      return names === "" ? `"${verb.text}" fits no column` : `"${verb.text}" may mean ${names}`;
    }
    const isFigure = frame.figures.some(({ column }) => column === null);
    frame = isFigure
      ? withFigureOf(frame, chosen, frame.wants)
      : { ...frame, wants: [...frame.wants, chosen] };
  }
  return wantedByAsk(frame, facts);
}

function withFigureOf(frame: Frame, column: Column, wants: Column[]): Frame {
  return {
    ...frame,
    wants,
    figures: frame.figures.map((one) => ({ ...one, column: one.column ?? column })),
  };
}

function involvedIn({ wants, filters, figures, group, orders, extreme }: Frame): Column[] {
  return [
    ...wants,
    ...filters.flatMap(({ columns }) => columns),
    ...figures.flatMap(({ column }) => column ?? []),
    ...group,
    ...orders.map(({ column }) => column),
    ...(extreme?.column ? [extreme.column] : []),
  ];
}

function fitsAsk({ kind }: Column, ask: Frame["ask"]): boolean {
  if (ask === "howmuch" || ask === "howmany") return kind === "number";
  return ask === "who" || ask === "where" || ask === "which" ? kind === "text" : true;
}

/** The concepts of the columns that answer a question word, the likeliest first. */
export const CONCEPTS_OF_ASK: Partial<Record<string, string[]>> = {
  who: ["person", "maker"],
  where: ["place", "room"],
  when: ["date", "departs", "time", "year"],
  howmuch: ["price", "amount"],
};

function wantedByAsk(frame: Frame, facts: TableFacts): Frame | string {
  const { ask, wants, figures, filters, extreme } = frame;
  const { key } = facts;
  const concepts = CONCEPTS_OF_ASK[ask ?? ""];
  const isFull = wants.length > 0 || figures.length > 0 || (ask === "howmuch" && extreme?.figure);
  if (concepts === undefined || isFull) return frame;
  const isPerson = key !== null && columnsOfConcept(facts, "person").includes(key);
  if (ask === "who" && isPerson) return frame;
  const used = filters.flatMap(({ columns }) => columns);
  for (const concept of concepts) {
    const [found, other] = columnsOfConcept(facts, concept).filter(
      (column) => !used.includes(column),
    );
    if (found !== undefined && other !== undefined)
      return `"${ask}" may be ${found.name} or ${other.name}`;
    if (found !== undefined) return { ...frame, wants: [found] };
  }
  // The rows themselves do something: "who has conceded the fewest goals" of a table of clubs.
  if (ask === "who" && key?.unique && (extreme !== null || frame.verbs.length > 0)) return frame;
  return `nothing answers "${ask === "howmuch" ? "how much" : ask}"`;
}
