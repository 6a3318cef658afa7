import { describe, expect, test } from "vitest";
import { readOn, type TablePage } from "../support/reading.ts";

const SHOP: TablePage = {
  title: "Products",
  columns: ["Product", "Category", "Price", "Stock", "Rating", "Added"],
  rows: [
    ["Red Lamp", "Home", "$25.00", "4", "4.1", "2026-01-04"],
    ["Blue Mug", "Kitchen", "$7.50", "12", "4.5", "2025-11-02"],
    ["Steel Pan", "Kitchen", "$32.00", "0", "4.8", "2026-02-01"],
    ["Wool Rug", "Home", "$120.00", "2", "4.6", "2025-06-01"],
  ],
};
const AT = "http://page.test/";

describe("a reading is accepted only if", () => {
  test.for([
    ["a word has no meaning on the page", `Which products are vegan? ${AT}`, "vegan"],
    ["a noun is not of the page", `List the umbrellas on ${AT}`, "umbrellas"],
    ["a verb governs no column", `Which products were recalled? ${AT}`, "recalled"],
  ] as const)("every word is explained: not where %s", ([, prompt, word]) => {
    const { says, words } = readOn(SHOP, prompt);
    expect(says).toEqual([]);
    expect(words).toContain(word);
  });

  test.for([
    `Which products are in Home or recycled? ${AT}`,
    `average price by ${AT}`,
    `Which products are not? ${AT}`,
    `price per rating of the products on ${AT}`,
    `each ${AT}`,
    `How many products of each ${AT}`,
    `Which products are only sold? ${AT}`,
  ])("or, not, by, per and each have an effect: %s", (prompt) => {
    expect(readOn(SHOP, prompt).says).toEqual([]);
  });

  test("a word that equals a cell is a condition", () => {
    expect(readOn(SHOP, `How many Home products are on ${AT}?`).says).toEqual([
      "count the products where Category is Home",
    ]);
  });

  test.for([
    `List the products in Home that are in Kitchen and cost less than 30, ${AT} and are in Home`,
    `products that cost less than 10 and more than 50 ${AT}`,
  ])("no row would need two values at once: %s", (prompt) => {
    expect(readOn(SHOP, prompt).says).toEqual([]);
  });

  test("more than one row may be counted", () => {
    expect(readOn(SHOP, `How many Red Lamp are on ${AT}?`).says).toEqual([]);
  });

  test("a figure is of a column that a word names", () => {
    expect(readOn(SHOP, `What is the average? ${AT}`).says).toEqual([]);
    expect(readOn(SHOP, `What is the average rating? ${AT}`).says).toEqual([
      "compute the average of Rating",
    ]);
  });

  test("years have an average, but no sum", () => {
    const rows = [
      ["Night Bus", "1998"],
      ["Red Sea", "2004"],
    ];
    const films = { title: "Films", columns: ["Film", "Year"], rows };
    const average = readOn(films, `What is the average year of the films? ${AT}`);
    expect(average.says).toEqual(["compute the average of Year"]);
    expect(readOn(films, `What is the sum of the years of the films? ${AT}`).says).toEqual([]);
  });

  test("a figure is of more than one row that is named", () => {
    expect(readOn(SHOP, `What is the average price of the Red Lamp? ${AT}`).says).toEqual([]);
  });

  test("a question for one value has one", () => {
    expect(readOn(SHOP, `What is the price of the Kitchen product? ${AT}`).refused).toMatch(
      "several rows",
    );
    expect(readOn(SHOP, `What is the price of the Blue Mug? ${AT}`).says).toEqual([
      "list the Price of the products where Product is Blue Mug",
    ]);
  });

  test("a question for a number of things is no question for a value", () => {
    expect(readOn(SHOP, `How many products cost more than 20? ${AT}`).says).toEqual([
      "count the products where Price is more than 20",
    ]);
    expect(readOn(SHOP, `How many categories are there? ${AT}`).says).toEqual([
      "count the different values of Category",
    ]);
  });

  test("an order names its column", () => {
    expect(readOn(SHOP, `Sort the products on ${AT}`).says).toEqual([]);
  });

  test("yes or no is asked of one row that is there", () => {
    expect(readOn(SHOP, `Is the Green Lamp in stock? ${AT}`).says).toEqual([]);
    expect(readOn(SHOP, `Is the Steel Pan in stock? ${AT}`).says).toEqual([
      "check whether there are products where Product is Steel Pan and Stock is more than 0",
    ]);
  });

  test("readings that come to the same are one, others are asked", () => {
    const paged = { ...SHOP, next: [["Oak Chair", "Home", "$90.00", "1", "4.0", "2026-03-01"]] };
    expect(readOn(paged, `What is the lowest price? ${AT}`).says).toHaveLength(1);
    const asked = readOn(paged, `What is the highest rating and the average rating? ${AT}`);
    expect(asked.says).toEqual([]);
    const { choices } = readOn(paged, `What is the average rating? ${AT}`);
    expect(choices).toEqual([
      'compute the average of Rating in "Products" of all pages',
      'compute the average of Rating in "Products" of the first page',
    ]);
  });

  test("nothing is planned of a prompt with a part that cannot be done", () => {
    const { says, refused } = readOn(
      SHOP,
      `Mail the products on ${AT} to ann@example.org and book a table for two.`,
    );
    expect(says).toEqual([]);
    expect(refused).toMatch("cannot");
  });

  test("what a law refuses is not read in a far-fetched way", () => {
    expect(readOn(SHOP, `What is the average price of the Red Lamp? ${AT}`).says).toEqual([]);
  });

  test("a verb of the lexicon does not hide a cell of the same word", () => {
    expect(readOn(SHOP, `How many products are in Home? ${AT}`).says).toEqual([
      "count the products where Category is Home",
    ]);
  });
});

describe("a refusal", () => {
  test("suggests the known word that is meant", () => {
    const { refused, says } = readOn(SHOP, `What is the avrage price? ${AT}`);
    expect(says).toEqual([]);
    expect(refused).toBe('Did you mean: "What is the average price"?');
  });
});
