import type { Frame } from "../parse/frame.ts";
import { type Column, columnsOfConcept, type TableFacts } from "../parse/table.ts";
import { looksLikeNames } from "./laws.ts";

/** Fills what the question word asks for and checks that every verb governs something. */
export function completed(given: Frame, facts: TableFacts): Frame | string {
  const frame = { ...given, wants: [...new Set(given.wants)], figures: [...given.figures] };
  const involved = (): Column[] => [
    ...frame.wants,
    ...frame.filters.flatMap(({ columns }) => columns),
    ...frame.figures.flatMap(({ column }) => column ?? []),
    ...frame.group,
    ...frame.orders.map(({ column }) => column),
    ...(frame.extreme?.column ? [frame.extreme.column] : []),
  ];
  for (const figure of frame.figures) {
    if (figure.column !== null) continue;
    const wanted = frame.wants.filter(({ kind }) => kind === "number");
    if (wanted.length !== 1 || !wanted[0]) continue;
    figure.column = wanted[0];
    frame.wants = frame.wants.filter((column) => column !== wanted[0]);
  }
  const answersValue = ["who", "where", "when", "howmuch", "what", "how", "howmany"].includes(
    frame.ask ?? "",
  );
  const namesKey =
    (frame.ask === "which" || frame.ask === "who") &&
    frame.wants.length === 0 &&
    facts.key !== null;
  const key = namesKey && facts.key !== null ? [facts.key] : [];
  for (const verb of frame.verbs) {
    if (key.some((column) => verb.columns.includes(column))) continue;
    if (involved().some((column) => verb.columns.includes(column))) continue;
    const free = verb.columns.filter(
      (column) => !involved().includes(column) && fitsAsk(column, frame.ask),
    );
    const own =
      frame.ask === "who" || frame.ask === "which"
        ? free.filter((column) => column === facts.key)
        : free;
    const chosen = own.length > 0 ? own : free;
    if (!answersValue) return `"${verb.text}" has no part in it`;
    if (chosen.length !== 1 || !chosen[0]) {
      if (
        frame.ask === "who" &&
        frame.wants.length === 0 &&
        facts.key &&
        verb.columns.includes(facts.key)
      )
        continue;
      return `"${verb.text}" may be said of ${chosen.length === 0 ? "no column" : chosen.map(({ name }) => name).join(" or ")}`;
    }
    if (frame.figures.some(({ column }) => column === null)) {
      for (const figure of frame.figures) figure.column ??= chosen[0];
    } else frame.wants.push(chosen[0]);
  }
  return wantedByAsk(frame, facts);
}

function fitsAsk(column: Column, ask: Frame["ask"]): boolean {
  if (ask === "howmuch" || ask === "howmany") return column.kind === "number";
  if (ask === "who" || ask === "where" || ask === "which") return column.kind === "text";
  return true;
}

const CONCEPTS_OF_ASK: Partial<Record<string, string[]>> = {
  who: ["person", "maker"],
  where: ["place", "room"],
  when: ["date", "time", "year"],
  howmuch: ["price", "amount"],
};

function wantedByAsk(frame: Frame, facts: TableFacts): Frame | string {
  const concepts = CONCEPTS_OF_ASK[frame.ask ?? ""];
  if (concepts === undefined || frame.wants.length > 0 || frame.figures.length > 0) return frame;
  if (frame.ask === "howmuch" && frame.extreme?.figure) return frame;
  const used = new Set(frame.filters.flatMap(({ columns }) => columns));
  const { key } = facts;
  if (
    frame.ask === "who" &&
    key !== null &&
    (columnsOfConcept(facts, "person").includes(key) || looksLikeNames(key, facts))
  )
    return frame;
  for (const concept of concepts) {
    const found = columnsOfConcept(facts, concept).filter((column) => !used.has(column));
    if (found.length === 1 && found[0]) return { ...frame, wants: [found[0]] };
    if (found.length > 1)
      return `"${frame.ask}" may be ${found.map(({ name }) => name).join(" or ")}`;
  }
  return `nothing answers "${frame.ask === "howmuch" ? "how much" : frame.ask}"`;
}
