import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../../src/contract/json.ts";
import { type Run, run } from "./support/run.ts";
import type { Site } from "./support/site.ts";

const goods = [
  ["Lamp", 12.5, 4],
  ["Chair", 80, 1],
  ["Table", 150.25, 2],
  ["Mug", 5, 30],
].map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);

const SITE: Site = {
  "http://acme.test/": {
    body: '<title>Acme</title><h1>Acme</h1><h2>News</h2><p><a href="/goods">Goods</a> <a href="/firm">Firm</a> a@acme.test, b@acme.test</p>',
  },
  "http://acme.test/goods": {
    body: `<title>Goods</title><h1>Goods</h1><table><tr><th>Name</th><th>Price</th><th>Stock</th></tr>${goods.join("")}</table>`,
  },
  "http://acme.test/firm": {
    body: "<title>Firm</title><h1>The firm</h1><p>E-mail: hello@acme.test</p>",
  },
};

/** A schema of these properties, all required. */
function object(types: Record<string, string>): JsonObject {
  const properties = Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { type }]),
  );
  return { type: "object", properties, required: Object.keys(types) };
}

async function shaped(prompt: string, outputSchema: JsonObject): Promise<Run["finish"]> {
  return (await run(prompt, { site: SITE, outputSchema })).finish;
}

describe("a property that nothing found answers is named, never guessed", () => {
  const CASES: [prompt: string, types: Record<string, string>, missing: string][] = [
    ["List the headings of http://acme.test/firm", { price: "number" }, "price"],
    ["List the headings of http://acme.test/", { prices: "array" }, "prices"],
    ["Extract the links from http://acme.test/", { total_revenue: "number" }, "total_revenue"],
    ["How many links are on http://acme.test/?", { revenue: "integer" }, "revenue"],
    ["What is the title of http://acme.test/?", { author: "string" }, "author"],
    [
      "Get the products of http://acme.test/goods",
      { count: "integer", average: "number" },
      "average",
    ],
    [
      "Get the products of http://acme.test/goods",
      { name: "string", price: "number" },
      "name, price",
    ],
    ["Get the cheapest product of http://acme.test/goods", { email: "string" }, "email"],
    ["Get the e-mail addresses of http://acme.test/", { email: "string" }, "email"],
    ["How many products are on http://acme.test/goods?", { names: "array" }, "names"],
    [
      "Get the title and the links of http://acme.test/",
      { links: "array", prices: "array" },
      "prices",
    ],
    ["What is the total stock on http://acme.test/goods?", { price: "number" }, "price"],
    ["What is the price of the Chair on http://acme.test/goods?", { stock: "integer" }, "stock"],
    ["Say hello", { count: "integer" }, "count"],
  ];
  test.for(CASES)("%s as %j", async ([prompt, types, missing]) => {
    const finish = await shaped(prompt, object(types));
    expect(finish).toMatchObject({ status: "failed" });
    expect(finish.summary).toMatch(new RegExp(`propert(?:y|ies) ${missing},`));
  });

  test("also within the rows of a list", async () => {
    const items = object({ name: "string", colour: "string" });
    const finish = await shaped("Get the products of http://acme.test/goods", {
      type: "object",
      properties: { products: { type: "array", items } },
      required: ["products"],
    });
    expect(finish).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("products[].colour"),
    });
  });

  test("not even where nothing is required", async () => {
    const { required: _all, ...schema } = object({ price: "number" });
    const finish = await shaped("Extract the links from http://acme.test/", schema);
    expect(finish).toMatchObject({ status: "failed", summary: expect.stringContaining("price") });
  });
});

describe("a property is filled with what was found of its name", () => {
  const CASES: [prompt: string, types: Record<string, string>, data: Json][] = [
    [
      "Get the cheapest product of http://acme.test/goods",
      { name: "string", price: "number" },
      { name: "Mug", price: 5 },
    ],
    [
      "Get the cheapest product of http://acme.test/goods",
      { product: "string", price: "number", stock: "integer" },
      { product: "Mug", price: 5, stock: 30 },
    ],
    [
      "Get the cheapest product of http://acme.test/goods",
      { cheapest: "string" },
      { cheapest: "Mug" },
    ],
    [
      "What is the price of the Chair on http://acme.test/goods?",
      { price: "number" },
      { price: 80 },
    ],
    [
      "Sum the prices of http://acme.test/goods and count the products",
      { sum: "number", count: "integer" },
      { sum: 247.75, count: 4 },
    ],
    [
      "Extract the links from http://acme.test/",
      { number_of_links: "integer" },
      { number_of_links: 2 },
    ],
    ["How many links are on http://acme.test/?", { n: "integer" }, { n: 2 }],
    [
      "Get the e-mail address on http://acme.test/firm",
      { email: "string", name: "string" },
      { email: "hello@acme.test", name: "The firm" },
    ],
    [
      "Get the products of http://acme.test/goods",
      { prices: "array" },
      { prices: ["12.5", "80", "150.25", "5"] },
    ],
    [
      "Extract the links from http://acme.test/",
      { links: "array" },
      {
        links: [
          { text: "Goods", url: "http://acme.test/goods" },
          { text: "Firm", url: "http://acme.test/firm" },
        ],
      },
    ],
    ["Sum the prices of http://acme.test/goods", { revenue: "number" }, { revenue: 247.75 }],
    ["Compute 6*7", { result: "number" }, { result: 42 }],
    ["What is 15% of 240?", { value: "number" }, { value: 36 }],
  ];
  test.for(CASES)("%s as %j", async ([prompt, types, data]) => {
    expect(await shaped(prompt, object(types))).toMatchObject({ status: "completed", data });
  });
});
