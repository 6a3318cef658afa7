import type { Case } from "./case.ts";

const LISTS = "http://north.test/prices, http://south.test/prices and http://east.test/prices";
const ANN = "ann@example.com";

/** Prompts to clean data: the work is done by a program in the sandbox. */
export const CLEANING_PROMPTS: Case[] = [
  [
    `Open ${LISTS}, merge the tables, clean the data, save it as prices.xlsx and mail a summary to ${ANN} with the workbook attached`,
    {
      rows: 6,
      files: ["prices.xlsx"],
      uses: ["run_code"],
      says: /removed 3 duplicate rows/,
      mails: [
        {
          to: [ANN],
          attached: ["prices.xlsx"],
          subject: "prices",
          text: /Cleaned 9 rows in code/,
        },
      ],
    },
  ],
  [`Open ${LISTS} and clean the data in code`, { rows: 6, uses: ["run_code"] }],
  [
    `Get the price lists at ${LISTS}. Clean up the data with code. Sort by price.`,
    { rows: 6, first: "Hook" },
  ],
  [
    `Fetch ${LISTS}, normalise the data and give me the average price per currency`,
    { uses: ["run_code"], names: ["EUR", "USD", "GBP"] },
  ],
  [
    `Collect the rows of ${LISTS}, remove duplicates, write the dates as ISO and fix the prices into numbers`,
    { rows: 6, uses: ["run_code"] },
  ],
  [
    `Collect the tables of ${LISTS}, dedupe and sort by price, highest first`,
    { uses: ["run_code"] },
  ],
  [
    `Take the table of http://north.test/prices, trim the whitespace and drop empty rows`,
    { rows: 3, uses: ["run_code"] },
  ],
  [
    `Turn the prices on http://north.test/prices into numbers and sum them`,
    { uses: ["run_code"], data: 2512.5 },
  ],
  [
    `Convert the dates on http://east.test/prices to ISO format`,
    { names: ["2026-02-05", "2026-02-07"], uses: ["run_code"] },
  ],
  [
    `Get the table of http://south.test/prices and write the items in upper case`,
    { names: ["ROPE", "ANCHOR"], uses: ["run_code"] },
  ],
  [`Please clean the rows: name,price\\n Tea ,€3\\nTea,€3.00`, { uses: ["run_code"] }],
  [
    `Clean the data of ${LISTS} and write it to a workbook, one sheet per page`,
    { sheets: ["North prices", "South prices", "East prices"], uses: ["run_code"] },
  ],
  [`List the links on http://blog.test/ without duplicates`, { avoids: ["run_code"] }],
  [
    `Get all e-mail addresses of http://shop.test/ and http://shop.test/contact and remove duplicates`,
    { rows: 3, avoids: ["run_code"] },
  ],
  [`Show the table at http://team.test/ as a clean table`, { rows: 4, avoids: ["run_code"] }],
  [`Clean the data on http://missing.test/x`, { failed: /could not be read/ }],
  [`Clean my kitchen`, { failed: /./ }],
  ["Get the table on http://north.test/prices, clean it with Python", { uses: ["run_code"] }],
];
