import { expect, test } from "vitest";
import { type Run, run } from "./support/run.ts";

const PRODUCTS = "http://shop.test/products";

function after(prompt: string, text: string, step = 1): Promise<Run> {
  return run(prompt, { messages: [{ afterStep: step, text }] });
}

const names = (done: Run): unknown[] =>
  Array.isArray(done.finish.data)
    ? done.finish.data.map((row) =>
        row !== null && typeof row === "object" && !Array.isArray(row)
          ? Object.values(row)[0]
          : row,
      )
    : [];

test("adds a second page", async () => {
  const { finish } = await after(
    "Get the e-mails from http://shop.test/contact",
    "also get the e-mails from http://shop.test/",
  );
  expect(finish.data).toEqual(["hello@shop.test", "info@shop.test", "sales@shop.test"]);
});

test("adds an address that is only named", async () => {
  const { finish } = await after("Sum the prices on http://a.test/", "add http://b.test/ too");
  expect(finish.data).toBe(14.5);
});

test("adds another want", async () => {
  const { finish } = await after(
    "Get the title of http://shop.test/contact",
    "and the phone number as well",
  );
  expect(finish.data).toEqual({ title: "Contact us", phones: ["+49 30 1234567"] });
});

test("sorts by another column instead", async () => {
  const done = await after(
    `List the products on ${PRODUCTS} sorted by price`,
    "sort by rating instead, highest first",
  );
  expect(names(done)[0]).toBe("Steel Pan");
});

test("keeps only the first rows", async () => {
  const done = await after(`List the products on ${PRODUCTS} sorted by price`, "only the first 3");
  expect(names(done)).toEqual(["Blue Mug", "Red Lamp", "Steel Pan"]);
});

test("changes the form", async () => {
  const { finish } = await after(
    "Get the emails from http://shop.test/contact",
    "actually make it JSON",
  );
  expect(finish.summary).toBe('["hello@shop.test"]');
});

test("gives the total when asked for it", async () => {
  const { finish } = await after(`List the prices on ${PRODUCTS}`, "and the total?", 3);
  expect(finish.summary).toContain("$274.40");
});

test("leaves out a page that is taken back", async () => {
  const { finish } = await after(
    "Sum the prices on http://a.test/ and http://b.test/",
    "skip http://b.test/",
  );
  expect(finish.data).toBe(7);
});

test("stops paging where it is told to", async () => {
  const { finish } = await after(
    "Go through all pages of http://shop.test/list and sum the amounts",
    "stop looking at page 3",
  );
  expect(finish.data).toBe(10);
});

test("replaces what was wanted", async () => {
  const { finish } = await after(
    "Get the emails from http://shop.test/contact",
    "actually, get the headings instead",
  );
  expect(finish.data).toEqual(["Contact"]);
});

test("narrows the rows down", async () => {
  const done = await after(`List the products on ${PRODUCTS}`, "only those in stock please");
  expect(names(done)).toEqual(["Blue Mug", "Green Chair", "Steel Pan"]);
});

test("opens no page twice", async () => {
  const { opened } = await after(`List the products on ${PRODUCTS}`, "sort them by rating", 2);
  expect(opened).toEqual([PRODUCTS]);
});

test("uses another page instead", async () => {
  const { finish } = await after("Get the title of http://a.test/", "use http://b.test/ instead");
  expect(finish.data).toBe("Shop B");
});

test("gives rows instead of their number when a table is asked for", async () => {
  const done = await after(
    `How many products are on ${PRODUCTS}?`,
    "as a table with name and price, cheapest first",
    3,
  );
  expect(names(done)[0]).toBe("Blue Mug");
  expect(done.outputs.at(-1)).toMatchObject({ type: "table" });
});

test("says that a condition added later was not understood", async () => {
  const { finish } = await after(`List the products on ${PRODUCTS}`, "only those that dogs like");
  expect(finish.status).toBe("failed");
  expect(finish.summary).toContain("dogs");
});

test("keeps what was done when a follow-up cannot be", async () => {
  const { finish } = await after(
    "Get the headings of http://blog.test/",
    "also translate them into French",
  );
  expect(finish.data).toEqual(["The Blog", "First post", "Second post"]);
  expect(finish.summary).toContain("cannot translate");
});

test("answers the last of two texts to be said", async () => {
  const { finish } = await after("Say hello", "Say goodbye");
  expect(finish).toMatchObject({ status: "completed", summary: "goodbye" });
});
