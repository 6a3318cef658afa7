import { describe, expect, it } from "vitest";
import { mappingFaults } from "../../../../src/intake/mapping/faults.ts";
import { inputOf, mappingOf } from "../../../support/mapping.ts";

describe("saving a mapping", () => {
  it("finds no fault in a valid mapping", async () => {
    const mapping = mappingOf({
      fields: [
        { to: "a", from: "x.y[0].z" },
        { to: "b", default: "d" },
        { to: "c", transforms: [{ type: "jsonata", expression: "$sum($payload.n)" }] },
        { to: "d", from: "t", transforms: [{ type: "replace", search: "\\s+", pattern: true }] },
      ],
    });
    expect(await mappingFaults(mapping, null)).toEqual([]);
    expect(await mappingFaults(mapping, [inputOf("other")])).toEqual([]);
  });

  it("accepts headers and the query as sources, but no header with a credential", async () => {
    const fields = [
      { to: "a", in: "header", from: "X-Event" },
      { to: "b", in: "query", from: "a..b" },
      { to: "c", in: "header", from: "X Event" },
      { to: "d", in: "header", from: "Authorization" },
    ] as const;
    expect(await mappingFaults(mappingOf({ fields: [...fields] }), null)).toMatchObject([
      { path: "mapping.fields[2].from", rule: "header" },
      { path: "mapping.fields[3].from", rule: "header" },
    ]);
  });

  it("reports every invalid setting with its path", async () => {
    const mapping = mappingOf({
      fields: [
        { to: "a", from: "x..y" },
        { to: "b" },
        {
          to: "c",
          from: "x",
          transforms: [
            { type: "trim" },
            { type: "unit", from: "kg", to: "furlong" },
            { type: "unit", from: "minor", to: "major", currency: "ZZZ" },
            { type: "timestamp", timeZone: "Nowhere" },
            { type: "replace", search: "(a)\\1", pattern: true },
            { type: "template", template: "{{a[x]}}" },
            { type: "jsonata", expression: "$sum(" },
            { type: "jsonata", expression: "$eval('1')" },
          ],
        },
      ],
    });
    expect((await mappingFaults(mapping, null)).map(({ path, rule }) => [path, rule])).toEqual([
      ["mapping.fields[0].from", "path"],
      ["mapping.fields[1]", "source"],
      ["mapping.fields[2].transforms[1]", "unit"],
      ["mapping.fields[2].transforms[2]", "unit"],
      ["mapping.fields[2].transforms[3]", "timestamp"],
      ["mapping.fields[2].transforms[4]", "replace"],
      ["mapping.fields[2].transforms[5]", "template"],
      ["mapping.fields[2].transforms[6]", "jsonata"],
      ["mapping.fields[2].transforms[7]", "jsonata"],
    ]);
  });

  it("finds defaults of the wrong type", async () => {
    const mapping = mappingOf({
      fields: [
        { to: "n", from: "x", default: "many" },
        { to: "m", from: "x", default: "12" },
      ],
    });
    const inputs = [inputOf("n", "number"), inputOf("m", "number")];
    expect(await mappingFaults(mapping, inputs)).toEqual([
      {
        path: "mapping.fields[0].default",
        rule: "type",
        message: 'must be a number; got the string "many"',
      },
    ]);
  });
});
