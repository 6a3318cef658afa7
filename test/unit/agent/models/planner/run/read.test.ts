import { describe, expect, it } from "vitest";
import type { Material } from "../../../../../../src/agent/models/planner/program.ts";
import type { Json } from "../../../../../../src/contract/json.ts";
import { outcomeOf, pageSource, partOf, play, queryOf, reading } from "./play.ts";

/** Reads a source and returns what it gave, or why it gave nothing. */
async function read(source: Parameters<typeof reading>[0][number], inputs = {}): Promise<Json> {
  const told = (materials: Material[]): Json =>
    materials.map(({ pages, further }) => ({
      titles: pages.map(({ title, url }) => title || url),
      further,
    }));
  const reader = reading([source], (materials) => ({
    parts: [partOf({ kind: "literal", text: "read", data: told(materials) })],
  }));
  return outcomeOf(await play("Read it.", reader, { inputs }));
}

const LIST = "http://shop.test/list";
const ALL = [{ titles: ["List 1", "List 2", "List 3"], further: false }];

describe("the pages of a list", () => {
  it.each([
    ["are all read if the prompt says nothing", { kind: "unsaid" }, ALL],
    ["are all read", { kind: "all" }, ALL],
    ["are left out", { kind: "this" }, [{ titles: ["List 1"], further: false }]],
    [
      "are read up to a number",
      { kind: "first", count: 2 },
      [{ titles: ["List 1", "List 2"], further: false }],
    ],
    ["are read one by one", { kind: "page", number: 3 }, [{ titles: ["List 3"], further: false }]],
  ] as const)("%s", async (_, paging, expected) => {
    expect(await read(pageSource(LIST, { paging }))).toEqual(expected);
  });

  it.each([
    [{ kind: "first", count: 4 }, "has only 3 of 4 pages"],
    [{ kind: "page", number: 9 }, "There is no page 9"],
  ] as const)("are missed by their numbers: %j", async (paging, message) => {
    expect(await read(pageSource(LIST, { paging }))).toContain(message);
  });

  it("must be mentioned if each of their links is opened", async () => {
    const hops = [{ which: "each", words: "3" } as const];
    expect(await read(pageSource(LIST, { hops }))).toContain("does not say whether they count");
    expect(await read(pageSource(LIST, { hops, paging: { kind: "this" } }))).toMatchObject([
      { titles: ["List 3"] },
    ]);
  });
});

describe("a hop", () => {
  it("opens the link of these words", async () => {
    const source = pageSource("http://shop.test/", { hops: [{ which: "one", words: "contact" }] });
    expect(await read(source)).toMatchObject([{ titles: ["Contact us"] }]);
  });

  it("opens each link of these words, or of the content", async () => {
    const each = pageSource("http://market.test/", { hops: [{ which: "each", words: "" }] });
    expect(await read(each)).toMatchObject([{ titles: ["Oak Desk", "Pine Shelf", "Elm Stool"] }]);
  });

  it("names the links of the page if it has none of these words, or several", async () => {
    const one = (words: string) =>
      pageSource("http://shop.test/", { hops: [{ which: "one", words }] });
    expect(await read(one("careers"))).toContain('There is no link "careers"');
    expect(await read(one("docs"))).toContain('There is no link "docs"');
  });
});

describe("data of the trigger", () => {
  it("is read as JSON", async () => {
    const reader = reading([{ kind: "input", id: "s1" }], (materials) => ({
      parts: [partOf({ kind: "list", query: queryOf(materials, "table", []) })],
    }));
    const inputs = { orders: [{ id: "A1" }, { id: "A2" }] };
    expect(outcomeOf(await play("List the orders.", reader, { inputs }))).toEqual(["A1", "A2"]);
  });
});

describe("code of the prompt", () => {
  it("gets the inputs; its value is the answer, its error the reason of a failure", async () => {
    const run = (code: string) =>
      play(
        "Run it.",
        reading([{ kind: "code", id: "s1", code }], () => ({
          parts: [partOf({ kind: "page", what: "json", sourceIds: ["s1"] })],
        })),
        { inputs: { n: 4 } },
      );
    expect(outcomeOf(await run("return { half: input.n / 2 }"))).toEqual({ half: 2 });
    expect(outcomeOf(await run("return input.m.n"))).toContain("The code failed:");
  });
});
