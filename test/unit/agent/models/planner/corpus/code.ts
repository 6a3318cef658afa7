import type { Case } from "./case.ts";

/** Prompts that bring code. */
export const CODE_PROMPTS: Case[] = [
  [
    "Run this code:\n```js\nreturn [1, 2, 3].map((n) => n * n);\n```",
    { data: [1, 4, 9], uses: ["run_code"] },
  ],
  ["Run this code: return 6 * 7;", { data: 42 }],
  ["Please run `Math.max(3, 9, 4)` and tell me what it returns", { data: 9 }],
  [
    "Execute the following JavaScript and give me the result:\n```\nconst words = 'a b c'.split(' ');\nreturn words.length;\n```",
    { data: 3 },
  ],
  [
    "Run this over the table of http://shop.test/products:\n```js\nreturn input.length;\n```",
    { data: 5 },
  ],
  [
    "Run this code on the table at http://shop.test/products\n```javascript\nreturn input.map((row) => row.Product);\n```",
    { data: ["Blue Mug", "Red Lamp", "Green Chair", "Steel Pan", "Wool Rug"] },
  ],
  [
    "Run this on the answer of http://api.test/users.json:\n```js\nreturn input.users.filter((user) => user.active).length\n```",
    { data: 2 },
  ],
  ['With the data {"a": 2, "b": 5} run this:\n```js\nreturn input.a * input.b\n```', { data: 10 }],
  [
    "Run this code over the table of http://a.test/ and save the result as teas.xlsx\n```js\nreturn input.map((row) => ({ item: row.Item, length: row.Item.length }));\n```",
    { rows: 2, files: ["teas.xlsx"] },
  ],
  [
    "Run this and e-mail the result to ann@example.com:\n```js\nreturn 'the tide is ' + 'high';\n```",
    { data: "the tide is high", mails: [{ to: ["ann@example.com"], text: /the tide is high/ }] },
  ],
  ["Run this:\n```js\nthrow new Error('no luck');\n```", { failed: /no luck/ }],
  ["Run this:\n```js\nwhile (true) {}\n```", { failed: /The code failed/ }],
  [
    "Run this Python:\n```python\nprint(1 + 1)\n```",
    { failed: /Only JavaScript can be run here, not python/ },
  ],
  ["Run:\n```\ndef f(x):\n  return x\n```", { failed: /Only JavaScript/ }],
  [
    "Get the headings of http://blog.test/ and run this:\n```python\nprint(2)\n```",
    { rows: 3, says: /Only JavaScript/ },
  ],
  [
    "Use code to compute the average price of the products at http://shop.test/products",
    { data: 54.88, uses: ["process_data"], avoids: ["run_code"] },
  ],
  [
    "Run code on the data of http://shop.test/products that computes the mean of price",
    { data: 54.88 },
  ],
  ["Using JavaScript, compute the average price on http://shop.test/products", { data: 54.88 }],
  ["Run a program that counts the rows of http://shop.test/products", { data: 5 }],
  ["Write code to count the rows at http://shop.test/products and run it", { data: 5 }],
  [
    "Execute some JavaScript over http://shop.test/products: what is the highest price?",
    { data: "$120.00", avoids: ["run_code"] },
  ],
  ["Use a function to tell how many products http://shop.test/products lists", { data: 5 }],
  ["Write a script that counts the rows of http://shop.test/products", { failed: /cannot write/ }],
  [
    "Run this code over http://shop.test/products: return input.length",
    { data: 5, uses: ["run_code"] },
  ],
  ["Run this function on http://shop.test/products: rows => rows.length", { data: 5 }],
  ["Run this: function (rows) { return 6 * 7 }", { data: 42 }],
  ["Write a program that sorts a list", { failed: /cannot write/ }],
  ["Run the tests of my project", { failed: /./ }],
];
