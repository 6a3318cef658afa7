import type { Case } from "./case.ts";

/** Prompts that were put to the planner once it was thought done. */
export const HELD_OUT: Case[] = [
  [
    "Extract structured data about every product on http://market.test/ (name, price, rating, availability).",
    { rows: 3 },
  ],
  [
    "I need the e-mail addresses and phone numbers on http://shop.test/",
    { has: { emails: ["info@shop.test", "sales@shop.test"], phones: ["+1 555 010 2030"] } },
  ],
  [
    "Open http://shop.test/products and count how many products belong to each category. Present the result as JSON.",
    {
      data: [
        { Category: "Kitchen", count: 2 },
        { Category: "Home", count: 3 },
      ],
    },
  ],
  [
    "From http://shop.test/products compute the average price of the products in the Home category, rounded to 2 decimals.",
    { data: 78.3 },
  ],
  [
    "What's the price range of products at http://shop.test/products?",
    { has: { "min of Price": 7.5, "max of Price": 120 } },
  ],
  [
    "What is the difference between the most expensive and the cheapest product at http://shop.test/products?",
    { data: 112.5 },
  ],
  [
    "For the products at http://shop.test/products: what is the total value of those in stock?",
    { data: 129.4 },
  ],
  [
    "http://shop.test/products: average price by category sorted descending",
    {
      data: [
        { Category: "Home", "average of Price": 78.3 },
        { Category: "Kitchen", "average of Price": 19.75 },
      ],
    },
  ],
  ["Please list http://shop.test/products items with price > 30 and rating >= 4.5", { rows: 2 }],
  ["Show products whose price is not above 25 at http://shop.test/products", { rows: 2 }],
  [
    "list every product on http://shop.test/products that isn't in stock or costs more than 100",
    { rows: 2 },
  ],
  [
    'Check all the links on http://shop.test/catalog and tell me which pages mention "SKU: L-2"',
    { data: ["http://shop.test/item/lamp"] },
  ],
  [
    "Follow the links on http://shop.test/catalog. For each page return the title and the price. Sort by price descending.",
    { first: "Green Chair" },
  ],
  ["Open http://shop.test/catalog, click the first product and tell me its SKU", { data: "M-1" }],
  [
    "open http://shop.test/catalog and follow the second link, then give me the heading",
    { data: ["Red Lamp"] },
  ],
  [
    'Fetch http://shop.test/list, then follow "Next" and list the names from both pages',
    { data: ["a", "b", "c", "d"] },
  ],
  ["get the names from pages 1 to 3 of http://shop.test/list", { data: ["a", "b", "c", "d", "e"] }],
  ['What URL does the "API docs" link on http://shop.test/ point to?', { rows: 1 }],
  ['which email addresses at http://shop.test/ start with "s"?', { data: ["sales@shop.test"] }],
  [
    "Merge the tables of http://a.test/ and http://b.test/ and compute average price per item",
    {
      data: [
        { Item: "Tea", "average of Price": 2.75 },
        { Item: "Cake", "average of Price": 4.5 },
      ],
    },
  ],
  [
    "Sum prices on http://a.test/ and separately on http://b.test/",
    { has: { "http://a.test/": 7, "http://b.test/": 7.5 } },
  ],
  [
    "Return the JSON from http://api.test/api/status",
    { has: { version: "2.4.1", uptime: 99.9, region: { name: "eu" } } },
  ],
  [
    "Extract each user's name and whether they are active from http://api.test/users.json",
    { rows: 3 },
  ],
  [
    'http POST to http://api.test/things with JSON {"x": [1,2]} and give me received.x',
    { data: [1, 2] },
  ],
  ["submit name=Ann and age=3 to http://api.test/things", { has: { method: "POST" } }],
  ['Output exactly: {"ok": true}', { has: { ok: true } }],
  ['Return JSON {"status":"ok"}', { has: { status: "ok" } }],
  ["Send an SMS to +1 555 123 4567 saying hi", { failed: /send messages/ }],
  ["Who won the world cup in 2018?", { failed: /openai\// }],
];
