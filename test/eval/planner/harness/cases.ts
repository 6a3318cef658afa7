import * as z from "zod";
import { type CaseInput, type EvalCase, evalCase } from "../expectation.ts";

/** The halves of the evaluation: the open one may be looked at, the closed one is only counted. */
export const HALVES = ["open", "closed"] as const;
export type Half = (typeof HALVES)[number];

/** The cases of each domain. */
export type CasesByDomain = Record<string, readonly CaseInput[]>;

/** A case with its place in the evaluation. */
export interface PlacedCase extends EvalCase {
  half: Half;
  domain: string;
}

const ADDRESS = /\bhttps?:\/\/[\w.-]+\.example[^\s"'<>()]*/g;

/**
 * Returns the cases of a half. Throws on the first malformed one: a prompt with an address at which
 * nothing is, an expectation that checks nothing, an id that is taken.
 */
export function placeCases(
  half: Half,
  byDomain: CasesByDomain,
  hasPage: (url: string) => boolean,
): PlacedCase[] {
  const placed = Object.entries(byDomain).flatMap(([domain, cases]) =>
    cases.map((each): PlacedCase => {
      const parsed = evalCase.safeParse(each);
      if (!parsed.success) {
        throw new Error(`${half} case ${each.id}: ${z.prettifyError(parsed.error)}`);
      }
      return { ...parsed.data, half, domain };
    }),
  );
  const ids = new Set<string>();
  for (const one of placed) {
    if (ids.has(one.id)) throw new Error(`Two ${half} cases have the id ${one.id}.`);
    ids.add(one.id);
    checkAddresses(one, hasPage);
  }
  return placed;
}

function checkAddresses(
  { id, half, prompt, messages, dead }: PlacedCase,
  hasPage: (url: string) => boolean,
): void {
  const named = [prompt, ...messages].flatMap((text) => text.match(ADDRESS) ?? []);
  const missing = named.map((url) => url.replace(/[.,;:!?]+$/, "")).filter((url) => !hasPage(url));
  if (missing.length > 0 !== dead) {
    throw new Error(
      dead
        ? `${half} case ${id}: all of its addresses exist.`
        : `${half} case ${id}: nothing is at ${missing.join(", ")}.`,
    );
  }
}

/** Throws unless both halves have as many cases of each kind in each domain. */
export function checkSplit(cases: readonly PlacedCase[]): void {
  const places = Map.groupBy(cases, ({ domain, kind }) => `${domain}/${kind}`);
  for (const [place, ofPlace] of places) {
    const open = ofPlace.filter(({ half }) => half === "open").length;
    if (open * 2 !== ofPlace.length) {
      throw new Error(`${place}: ${open} open cases and ${ofPlace.length - open} closed ones.`);
    }
  }
}
