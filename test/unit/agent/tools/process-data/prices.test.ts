import { describe, expect, it, test } from "vitest";
import { extractPrices, pricesIn } from "../../../../../src/agent/tools/process-data/prices.ts";
import type { Source } from "../../../../../src/agent/tools/process-data/source.ts";
import { jsonData, page, plain, rowsSource } from "./sources.ts";

function rowsFrom(source: Source): unknown[] {
  return extractPrices(source).table.rows;
}

describe("pricesIn", () => {
  test.each([
    ["$5", [[5, "USD"]]],
    ["only $1,234.56 today", [[1_234.56, "USD"]]],
    ["1.234,56 €", [[1_234.56, "EUR"]]],
    ["1 234,56 €", [[1_234.56, "EUR"]]],
    ["€ 1 234,56", [[1_234.56, "EUR"]]],
    ["1\u00a0234 €", [[1_234, "EUR"]]],
    ["12 500 kr, 12 500 SEK", [[12_500, "SEK"]]],
    ["£9.99 each", [[9.99, "GBP"]]],
    ["¥1,000", [[1_000, "JPY"]]],
    ["USD 20", [[20, "USD"]]],
    ["20 USD", [[20, "USD"]]],
    ["$10 CAD", [[10, "CAD"]]],
    ["HK$ 88", [[88, "HKD"]]],
    ["$1.5M raised", [[1_500_000, "USD"]]],
    ["€2 billion", [[2_000_000_000, "EUR"]]],
    [
      "was $10, now $5",
      [
        [10, "USD"],
        [5, "USD"],
      ],
    ],
    [
      "$10-$20",
      [
        [10, "USD"],
        [20, "USD"],
      ],
    ],
    ["$5 100 pieces", [[5, "USD"]]],
    ["$.99", [[0.99, "USD"]]],
    ["It costs $5.", [[5, "USD"]]],
    ["($5)", [[5, "USD"]]],
    ["2 x €3.50", [[3.5, "EUR"]]],
  ])("reads the prices of %j", (text, prices) => {
    expect(pricesIn(text).map(({ price, currency }) => [price, currency])).toEqual(prices);
  });

  test.each([
    "5",
    "5 kg",
    "12 %",
    "version 1.2.3",
    "USDA 5",
    "20 USDT",
    "$",
    "$ABC",
    "US 5",
    "$1.2.3",
  ])("reads none in %j", (text) => {
    expect(pricesIn(text)).toEqual([]);
  });

  test.each(["1", "$", "1 ", "123 ", "1,", "$1,", "1.", "USD ", "$1 ", "€"])(
    "takes linear time on a long run of %j",
    (part) => {
      const started = performance.now();
      pricesIn(part.repeat(300_000));
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );
});

describe("extractPrices from text", () => {
  test.each([
    ["- Blue mug: $4.50", [["Blue mug", 4.5, "USD"]]],
    ["1. Blue mug — €4,50", [["Blue mug", 4.5, "EUR"]]],
    ["$4.50 – Blue mug", [["Blue mug", 4.5, "USD"]]],
    ["[Blue mug](https://x.org/mug) (£4.50)", [["Blue mug", 4.5, "GBP"]]],
    [
      "Basic $5, Pro $10 and Team $20",
      [
        ["Basic", 5, "USD"],
        ["Pro", 10, "USD"],
        ["and Team", 20, "USD"],
      ],
    ],
    ["### Blue mug\n\n$4.50", [["Blue mug", 4.5, "USD"]]],
    ["## Mugs\n\nBlue mug\n\n$4.50", [["Mugs – Blue mug", 4.5, "USD"]]],
    ["# The shop\n\nBlue mug\n\nPrice: $4.50", [["Blue mug", 4.5, "USD"]]],
    ["$4.50", [["", 4.5, "USD"]]],
  ])("names the item of each price in %j", (text, rows) => {
    expect(rowsFrom(plain(text))).toEqual(rows);
  });

  it("gives each card of a page its own name", () => {
    const text =
      "### [Mug](https://x.org/1)\n\n£5.00\n\nIn stock\n\n### [Hat](https://x.org/2)\n\n£9.00\n\nIn stock";
    expect(rowsFrom(plain(text))).toEqual([
      ["Mug", 5, "GBP"],
      ["Hat", 9, "GBP"],
    ]);
  });

  it("keeps the name for a second price of the same item", () => {
    expect(rowsFrom(plain("### Mug\n\nWas $9\n\nNow $5"))).toEqual([
      ["Mug", 9, "USD"],
      ["Mug", 5, "USD"],
    ]);
  });

  it("does not carry the name of a priced item over to the next one", () => {
    expect(rowsFrom(plain("## Mug\n\n$5\n\nHat\n\n$9"))).toEqual([
      ["Mug", 5, "USD"],
      ["Hat", 9, "USD"],
    ]);
  });

  it("shortens a long context to its end", () => {
    const [[text]] = rowsFrom(plain(`${"word ".repeat(1_000)}the mug $5`)) as [[string]];
    expect(text).toHaveLength(200);
    expect(text).toMatch(/^….*the mug$/);
  });
});

describe("extractPrices from tables", () => {
  it("names prices by the item's column, else by the first words of the row", () => {
    expect(rowsFrom(rowsSource(["SKU", "Name", "Price"], [["A1", "Mug", "$5"]]))).toEqual([
      ["Mug", 5, "USD"],
    ]);
    expect(rowsFrom(rowsSource(["#", "Thing", "Price"], [["1", "Mug", "$5"]]))).toEqual([
      ["Mug", 5, "USD"],
    ]);
  });

  it("tells several prices of a row apart by their columns", () => {
    const source = rowsSource(["Plan", "Monthly", "Yearly"], [["Pro", "$5", "$50"]]);
    expect(rowsFrom(source)).toEqual([
      ["Pro (Monthly)", 5, "USD"],
      ["Pro (Yearly)", 50, "USD"],
    ]);
  });

  it("takes bare numbers under a price's name, with the currency that the table names", () => {
    expect(rowsFrom(rowsSource(["Item", "Price (EUR)", "Qty"], [["Mug", "5,50", "3"]]))).toEqual([
      ["Mug", 5.5, "EUR"],
    ]);
    expect(rowsFrom(jsonData([{ name: "Mug", price: 5, currency: "gbp" }]))).toEqual([
      ["Mug", 5, "GBP"],
    ]);
    expect(rowsFrom(jsonData({ items: [{ name: "Mug", price: 5 }] }))).toEqual([["Mug", 5, null]]);
  });

  it("takes no bare numbers under names that only look alike", () => {
    const source = rowsSource(["Item", "Coffee", "price_id", "Total"], [["Mug", "3", "17", "9"]]);
    expect(rowsFrom(source)).toEqual([]);
  });

  it("does not count a page's table twice when its text repeats it", () => {
    const source = page({
      text: "Coffee $2\n\n| Item | Price |\n| --- | --- |\n| Mug | $5 |",
      tables: [{ caption: null, columns: ["Item", "Price"], rows: [["Mug", "$5"]] }],
    });
    expect(rowsFrom(source)).toEqual([
      ["Mug", 5, "USD"],
      ["Coffee", 2, "USD"],
    ]);
  });
});
