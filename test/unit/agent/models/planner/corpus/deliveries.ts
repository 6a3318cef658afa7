import type { Case } from "./case.ts";

const ANN = "ann@example.com";
const SHOP = "http://shop.test/products";
const LISTS = "http://north.test/prices, http://south.test/prices and http://east.test/prices";

/** Whole errands: pages, cleaning, files and mails chained, as strangers word them. */
export const DELIVERIES: Case[] = [
  [
    `Go to ${SHOP}, extract all products into an Excel sheet and email it to ${ANN} with subject "Product list".`,
    { rows: 5, mails: [{ to: [ANN], subject: "Product list", attached: ["all-products.xlsx"] }] },
  ],
  [
    `Could you please scrape http://team.test/ and send me an Excel with all employees older than 30 to ${ANN}?`,
    { rows: 3, mails: [{ to: [ANN], attached: ["our-team.xlsx"] }] },
  ],
  [
    `Compile the countries from http://geo.test/countries sorted by population (descending) into a file called countries.xlsx, then email that file to ${ANN} and bob@example.org. Subject: Country list`,
    {
      first: "Japan",
      mails: [
        { to: [ANN, "bob@example.org"], subject: "Country list", attached: ["countries.xlsx"] },
      ],
    },
  ],
  [
    `Visit http://a.test/ and http://b.test/. Build one workbook with a sheet for each shop. Send it to ${ANN}.`,
    { sheets: ["Shop A", "Shop B"], mails: [{ to: [ANN], attached: ["results.xlsx"] }] },
  ],
  [
    `Send a mail to ${ANN}: The shipment has arrived. See you at 5.`,
    { mails: [{ to: [ANN], text: /^The shipment has arrived\. See you at 5\.$/ }] },
  ],
  [`email ${ANN} "Lunch at noon?"`, { mails: [{ to: [ANN], text: /^Lunch at noon\?$/ }] }],
  [
    `Pull the jobs from http://jobs.test/ that are in Berlin. Put the result in a spreadsheet, and let ${ANN} have it by mail.`,
    { rows: 2, mails: [{ to: [ANN], attached: ["open-positions.xlsx"] }] },
  ],
  [
    `Collect the tables on ${LISTS} into one, clean it (dedupe, trim, numbers), and produce an xlsx. Mail the summary plus the file to ${ANN}.`,
    { rows: 6, uses: ["run_code"], mails: [{ to: [ANN], attached: ["table.xlsx"] }] },
  ],
  [
    `Open these pages: http://north.test/prices http://south.test/prices http://east.test/prices. Combine all rows, clean them using JavaScript code, export to an Excel workbook, then e-mail a short summary together with the workbook to ${ANN}.`,
    { rows: 6, uses: ["run_code"], mails: [{ to: [ANN], attached: ["table.xlsx"] }] },
  ],
  [
    "Generate a spreadsheet with the name and salary of everyone on http://team.test/",
    { rows: 4, output: "file" },
  ],
  [
    `Notify ${ANN} by email if http://shop.test/ mentions unicorns`,
    { says: /condition for it does not hold/, mails: [] },
  ],
  [`Notify ${ANN} by email if http://shop.test/ mentions refunds`, { mails: [{ to: [ANN] }] }],
  [
    `Extract all links from http://shop.test/ to links.csv and attach it to an email to ${ANN}`,
    { mails: [{ to: [ANN], attached: ["links.csv"] }] },
  ],
  [
    `1. Open http://a.test/ and http://b.test/\n2. Merge both tables\n3. Remove duplicates and sort by price\n4. Save as teas.xlsx\n5. E-mail teas.xlsx to ${ANN}`,
    { rows: 4, uses: ["run_code"], mails: [{ to: [ANN], attached: ["teas.xlsx"] }] },
  ],
  ["extract table from http://geo.test/countries -> csv", { rows: 4, files: ["table.csv"] }],
  [
    `Scrape http://team.test/, dedupe, and send the CSV to ${ANN}`,
    { rows: 4, mails: [{ to: [ANN], attached: ["table.csv"] }] },
  ],
  [
    "Sanitize the table at http://north.test/prices (trim spaces, drop duplicates) and return it as JSON",
    { rows: 2, says: /^Cleaned 3 rows/ },
  ],
  [
    `Summarize http://blog.test/ in an email to ${ANN}`,
    { mails: [{ to: [ANN], text: /The Blog/ }] },
  ],
  [
    "Get the countries at http://geo.test/countries, save as xlsx AND csv",
    { files: ["countries.xlsx"], says: /Only the workbook was written/ },
  ],
  [
    'Type "tea" into the search field on http://shop.test/ and press Enter',
    { failed: /cannot type into fields/ },
  ],
  [
    "Get the list of jobs at http://jobs.test/ and write an email to each company",
    { rows: 4, says: /recipients have to be written/, mails: [] },
  ],
  [
    "Send an email to the address on http://shop.test/contact telling them we are open",
    { failed: /recipients have to be written/, mails: [] },
  ],
  [
    `Group the people at http://team.test/ by department with average salary, create report.xlsx, email report.xlsx to ${ANN} with cc to bob@example.org and the text "Find the report attached."`,
    {
      rows: 3,
      mails: [
        { to: [ANN], cc: ["bob@example.org"], text: /^Find the report/, attached: ["report.xlsx"] },
      ],
    },
  ],
  [`List products from ${SHOP}. Don't send any e-mail.`, { rows: 5, mails: [] }],
  [
    `List products from ${SHOP}, do not email anyone, just save as xlsx`,
    { rows: 5, mails: [], files: ["all-products.xlsx"] },
  ],
  [`List the products on ${SHOP} but don’t e-mail them to ${ANN}`, { rows: 5, mails: [] }],
  [
    `Get the table at http://missing.test/ as report.xlsx and mail report.xlsx to ${ANN} with the text "See attached"`,
    { failed: /there is no file to attach/, mails: [] },
  ],
  [
    "From the pages http://north.test/prices and http://south.test/prices make a single clean price table with no duplicates, as excel",
    { rows: 4, uses: ["run_code"], output: "file" },
  ],
  [
    "Clean up this data and give me an Excel file:\nname, price\n Tea , €3.00\ntea,€ 3.00\nCake,$4",
    { rows: 2, uses: ["run_code"], output: "file" },
  ],
  [
    `Open ${LISTS}. Extract the price table from each. Clean it with code: strip whitespace, parse the prices as numbers, drop duplicate rows. Write everything to supplier-prices.xlsx (one sheet per supplier) and email a summary to ${ANN}.`,
    {
      sheets: ["North prices", "South prices", "East prices"],
      files: ["supplier-prices.xlsx"],
      says: /http:\/\/north\.test\/prices: Cleaned 3 rows in code/,
      mails: [{ to: [ANN], attached: [] }],
    },
  ],
  ["Run `2 ** 20` in the sandbox", { data: 1048576 }],
  ['Execute: console.log("hi"); return 5', { data: 5, says: /It printed:\nhi/ }],
  [
    `Send the following text to ${ANN}: We close early today.`,
    { says: /^Wrote an e-mail/, mails: [{ to: [ANN], text: /^We close early today$/ }] },
  ],
  [
    `Could you email a PDF of http://blog.test/ to ${ANN}?`,
    { failed: /cannot make PDF/, mails: [] },
  ],
  ["Who is the top scorer at http://league.test/?", { has: { Player: "Ivo Stone" } }],
];
