import * as z from "zod";
import { type CaseInput, type EvalCase, evalCase } from "../expectation.ts";

/** The cases of each domain. */
export type CasesByDomain = Record<string, readonly CaseInput[]>;

/** A case with its domain. */
export interface PlacedCase extends EvalCase {
  domain: string;
}

const ADDRESS = /\bhttps?:\/\/[\w.-]+\.example[^\s"'<>()]*/g;

/**
 * Returns the cases of all domains. Throws on the first malformed one: a prompt with an address at which
 * nothing is, an expectation that checks nothing, an id that is taken.
 */
export function placeCases(
  byDomain: CasesByDomain,
  hasPage: (url: string) => boolean,
): PlacedCase[] {
  const placed = Object.entries(byDomain).flatMap(([domain, cases]) =>
    cases.map((each): PlacedCase => {
      const parsed = evalCase.safeParse(each);
      if (!parsed.success) {
        throw new Error(`Case ${each.id}: ${z.prettifyError(parsed.error)}`);
      }
      return { ...parsed.data, domain };
    }),
  );
  const ids = new Set<string>();
  for (const one of placed) {
    if (ids.has(one.id)) throw new Error(`Two Cases have the id ${one.id}.`);
    ids.add(one.id);
    checkAddresses(one, hasPage);
  }
  return placed;
}

function checkAddresses(
  { id, prompt, messages, dead }: PlacedCase,
  hasPage: (url: string) => boolean,
): void {
  const named = [prompt, ...messages].flatMap((text) => text.match(ADDRESS) ?? []);
  const missing = named.map((url) => url.replace(/[.,;:!?]+$/, "")).filter((url) => !hasPage(url));
  if (missing.length > 0 !== dead) {
    throw new Error(
      dead
        ? `Case ${id}: all of its addresses exist.`
        : `Case ${id}: nothing is at ${missing.join(", ")}.`,
    );
  }
}
