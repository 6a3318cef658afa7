import type { Case } from "./case.ts";

const SHOP = "http://shop.test/products";
const TEAM = "http://team.test/";
const STATUS = "http://api.test/api/status";
const HOOK = "http://hooks.test/in";
const ANN = "ann@example.com";

const posted = (body: unknown, method = "POST") => [{ method, url: HOOK, body }];

/** What is written to addresses: nothing that was only to be read, and what was ordered truly. */
export const WRITE_PROMPTS: Case[] = [
  // Words that are methods of HTTP elsewhere.
  [`Delete the Category column from ${SHOP} and save as csv`, { writes: [], rows: 5 }],
  [`Then put ${TEAM} into a csv`, { writes: [], files: ["table.csv"] }],
  [`Get ${TEAM} and PUT the result into a spreadsheet`, { writes: [], rows: 4, output: "file" }],
  [`Please patch ${SHOP} so that the prices are numbers`, { writes: [] }],
  [`Use the POST data shown on ${TEAM} as a table`, { writes: [], rows: 4 }],
  [`Post the staff table of ${TEAM} to ${ANN} by mail`, { writes: [], mails: [{ to: [ANN] }] }],
  [`Delete the duplicates in ${TEAM}, export csv`, { writes: [], output: "file" }],
  [`From the head of the list at ${SHOP}, give me the first product`, { writes: [] }],
  [`Open ${SHOP}. Do not DELETE ${SHOP}, only list the products`, { writes: [] }],
  [`Post ${TEAM} as a table`, { writes: [], rows: 4 }],
  [`Show the rows of ${SHOP} next to ${TEAM}`, { writes: [] }],
  [`Send the products of ${SHOP} compared to ${TEAM}`, { writes: [] }],
  [`PUT ${SHOP} into a spreadsheet`, { writes: [], rows: 5 }],
  [`List ${SHOP}. Don't just post the rows of it to ${HOOK}`, { writes: [] }],
  // What was found is sent once it is known.
  [
    `Read ${SHOP} and post the two cheapest products as JSON to ${HOOK}`,
    { writes: [{ method: "POST", url: HOOK }], says: /Sent 2 rows as JSON/ },
  ],
  [
    `Get the countries from http://geo.test/countries whose continent is Europe and send them via PUT to ${HOOK}`,
    { writes: [{ method: "PUT", url: HOOK }], rows: 2, says: /Sent 2 rows/ },
  ],
  [
    `Send the number of products on ${SHOP} to ${HOOK} by POST`,
    { data: 5, writes: posted({ count: 5 }) },
  ],
  [
    `POST to ${HOOK} the headings found at http://blog.test/`,
    { writes: posted(["The Blog", "First post", "Second post"]) },
  ],
  [`Read ${STATUS} and PUT {"done":true} to ${HOOK}`, { writes: posted({ done: true }, "PUT") }],
  [`POST this to ${HOOK}:\n{"a": 1}`, { writes: posted({ a: 1 }) }],
  [
    `Open http://missing.test/ and post the rows to ${HOOK}`,
    { failed: /Nothing was sent to .*nothing was found/, writes: [] },
  ],
  [
    `Post the products on ${SHOP} that dogs like to ${HOOK}`,
    { failed: /Nothing was sent to/, writes: [] },
  ],
  [
    `If there are more than 10 products on ${SHOP}, POST {"many":true} to ${HOOK}`,
    { says: /condition for it does not hold/, writes: [] },
  ],
  [
    `POST {"many":true} to ${HOOK}, but only if there are more than 4 products on ${SHOP}`,
    { writes: posted({ many: true }) },
  ],
  [`Send {"a":1} as JSON by POST to ${HOOK}`, { writes: posted({ a: 1 }), avoids: ["browse"] }],
  [`Send {"a":1} to ${HOOK} using a PUT request`, { writes: posted({ a: 1 }, "PUT") }],
  [`Using POST, send {"a":1} to ${HOOK}`, { writes: posted({ a: 1 }) }],
  [`Make a POST to ${HOOK} with {"a":1}`, { writes: posted({ a: 1 }) }],
  [`Do an HTTP POST of {"a":1} to ${HOOK}`, { writes: posted({ a: 1 }) }],
  [`POST as JSON to ${HOOK}: {"a":1}`, { writes: posted({ a: 1 }) }],
  [`Transmit {"a":1} to the webhook ${HOOK}`, { writes: posted({ a: 1 }) }],
  [`Update ${HOOK} with {"a":1} by PATCH`, { writes: posted({ a: 1 }, "PATCH") }],
  [`Create a ticket by posting {"a":1} to ${HOOK}`, { writes: posted({ a: 1 }) }],
  [`Trigger the webhook at ${HOOK} with {"a":1}`, { writes: posted({ a: 1 }) }],
  [`curl -X POST ${HOOK} -d '{"a":1}'`, { writes: posted({ a: 1 }) }],
  [`Submit the form data {"a":1} to ${HOOK}`, { writes: posted({ a: 1 }) }],
  [`Remove it with a DELETE to ${HOOK}`, { writes: [{ method: "DELETE", url: HOOK }] }],
  [`Ping ${HOOK} with a POST request`, { writes: [{ method: "POST", url: HOOK }] }],
  [
    `DELETE ${HOOK}/1, ${HOOK}/2 and POST {"a":1} to ${HOOK}`,
    {
      writes: [
        { method: "DELETE", url: `${HOOK}/1` },
        { method: "DELETE", url: `${HOOK}/2` },
        ...posted({ a: 1 }),
      ],
    },
  ],
  [`Overwrite ${HOOK} with {"a":1}`, { failed: /^Nothing was done/, uses: ["finish"], writes: [] }],
  [
    `Notify ${HOOK} that order 5 is done`,
    { failed: /^Nothing was done/, avoids: ["browse"], writes: [] },
  ],
  [
    `Check ${SHOP} and if it mentions gold POST {"a":1} to ${HOOK}`,
    { failed: /^Nothing was done\. .* condition/, writes: [] },
  ],
  [`What does ${SHOP} say about POST requests?`, { writes: [] }],
  [
    `Get ${SHOP} and PUT the result into a spreadsheet`,
    { writes: [], uses: ["write_spreadsheet"] },
  ],
];
