import { describe, expect, it } from "vitest";
import { extractFacts } from "../../../../../src/agent/tools/process-data/facts.ts";
import type { Source } from "../../../../../src/agent/tools/process-data/source.ts";
import { records } from "../../../../../src/agent/tools/source-content.ts";
import { page, plain } from "./sources.ts";

const factsOf = (source: Source) => records(extractFacts(source).table)[0];

describe("extractFacts", () => {
  it("takes properties, definitions and sentences of a label, under the page's heading", () => {
    const properties = { caption: null, columns: ["Price", "$199"], rows: [["Wood", "Oak"]] };
    const text = [
      "# Desk",
      "- Weight",
      "  31 kg",
      "Sold since 1987 by Jane St. Roe. Phone: +47 22 33 44 55.",
      "## Care",
      "Oil it once a year.",
    ].join("\n");
    const headings = [{ level: 1, text: "Desk" }];
    expect(factsOf(page({ text, headings, tables: [properties] }))).toEqual({
      title: "Desk",
      Price: "$199",
      Wood: "Oak",
      Weight: "31 kg",
      Phone: "+47 22 33 44 55",
      Care: "Oil it once a year",
    });
  });

  it("takes a price and a telephone number without a label if there is only one", () => {
    const one = "Only $7.50, or call +1 555 010 2030.";
    expect(factsOf(plain(one))).toEqual({ price: "$7.50", phone: "+1 555 010 2030" });
    expect(factsOf(plain(`${one} Also $9.00, or +1 555 010 2031.`))).toBeUndefined();
  });

  it("leaves out a label of several values, which are of several things", () => {
    expect(factsOf(plain("- Price: $5\n- Price: $6\n- Size: L"))).toEqual({ Size: "L" });
  });
});
