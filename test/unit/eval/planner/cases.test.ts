import { describe, expect, test } from "vitest";
import { CLOSED } from "../../../eval/planner/closed.ts";
import type { CaseInput } from "../../../eval/planner/expectation.ts";
import { checkSplit, type Half, placeCases } from "../../../eval/planner/harness/cases.ts";
import { DESK } from "../../../eval/planner/harness/server.ts";
import { OPEN } from "../../../eval/planner/open.ts";
import { SITES } from "../../../eval/planner/sites/all.ts";
import { value } from "../../../eval/planner/wants.ts";

const PAGE = "http://museum.example/visit";

/** The pages of all sites. */
const PAGES = new Set(
  SITES.flatMap(({ host, pages }) => Object.keys(pages).map((path) => `http://${host}${path}`)),
);

const hasPage = (url: string): boolean =>
  new URL(url).host === DESK || PAGES.has(new URL(url).href);

function place(cases: readonly CaseInput[], half: Half = "open") {
  return placeCases(half, { museum: cases }, (url) => url === PAGE);
}

function caseOf(changes: Partial<CaseInput> = {}): CaseInput {
  return { id: "one", kind: "lookup", prompt: `Look at ${PAGE}.`, want: value(1), ...changes };
}

test("the evaluation's cases are split evenly", () => {
  const all = [placeCases("open", OPEN, hasPage), placeCases("closed", CLOSED, hasPage)];
  expect(() => checkSplit(all.flat())).not.toThrow();
});

describe("a case is refused", () => {
  test("with an address at which nothing is, unless that is its point", () => {
    const prompt = "Look at http://museum.example/gone.";
    expect(() => place([caseOf({ prompt })])).toThrow("nothing is at http://museum.example/gone");
    expect(place([caseOf({ prompt, dead: true })])).toHaveLength(1);
    expect(() => place([caseOf({ dead: true })])).toThrow("all of its addresses exist");
  });

  test("with the id of another one of its half", () => {
    expect(() => place([caseOf(), caseOf()])).toThrow("id one");
  });

  test("with a malformed expectation, which is named", () => {
    expect(() => place([caseOf({ want: value(Number.NaN) })])).toThrow("open case one");
  });

  test("without a case of its kind in the other half", () => {
    expect(() => checkSplit([...place([caseOf()]), ...place([caseOf()], "closed")])).not.toThrow();
    expect(() => checkSplit(place([caseOf()]))).toThrow("museum/lookup");
  });
});
