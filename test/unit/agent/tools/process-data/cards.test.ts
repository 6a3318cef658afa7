import { describe, expect, it } from "vitest";
import { extractCards } from "../../../../../src/agent/tools/process-data/cards.ts";
import { plain } from "./sources.ts";

const cards = (...lines: string[]) => extractCards(plain(lines.join("\n")));

describe("extractCards", () => {
  it("takes repeated headings with their facts, and the days of a span apart", () => {
    const { table } = cards(
      "## Light",
      "12 March 2026 to 30 August 2026",
      "Ticket: €14",
      "## Clay",
      "3 June 2026 to 18 October 2026",
      "Ticket: €11",
    );
    expect(table).toEqual({
      columns: ["name", "from", "to", "Ticket"],
      rows: [
        ["Light", "12 March 2026", "30 August 2026", "€14"],
        ["Clay", "3 June 2026", "18 October 2026", "€11"],
      ],
    });
  });

  it("takes items and paragraphs that begin with a link, with what they say of themselves", () => {
    const mug = "[Mug](https://x.org/mug) $7.50 in stock, 4.5 stars";
    const lamp = "[Lamp](https://x.org/lamp) $25.00 sold out, 4 stars";
    const rows = [
      ["Mug", "$7.50", "4.5", "in stock"],
      ["Lamp", "$25.00", "4", "sold out"],
    ];
    const links = ["https://x.org/mug", "https://x.org/lamp"];
    for (const bullet of ["- ", ""]) {
      const { table, ...others } = cards(bullet + mug, bullet + lamp);
      expect(table).toEqual({ columns: ["name", "price", "rating", "availability"], rows });
      expect(others.links).toEqual(links);
    }
  });

  it("leaves the rest of the page out of the last one", () => {
    const { table } = cards("## Mug", "$7.50", "## Lamp", "$25.00", "Since: 1999");
    expect(table.columns).toEqual(["name", "price"]);
  });

  it("takes definitions only if they are all of one kind", () => {
    const terms = ["- Opens", "  2026-01-02", "- Seats", "  62", "- Fee", "  $5"];
    expect(cards(...terms).table.rows).toEqual([]);
    expect(cards("- Soup", "  $5", "- Pie", "  $8").table.rows).toEqual([
      ["Soup", "$5"],
      ["Pie", "$8"],
    ]);
  });

  it("says that it reads no more than 20,000 lines", () => {
    expect(cards(...Array<string>(20_001).fill("a")).cut).toBe(true);
  });
});
