import type { Case } from "./case.ts";

const A = "http://a.test/";
const B = "http://b.test/";

/** Prompts for spreadsheets, in many words. */
export const WORKBOOK_PROMPTS: Case[] = [
  ["Save the products on http://shop.test/products as Excel", { files: ["all-products.xlsx"] }],
  [
    "Get the table from http://shop.test/products as an Excel file",
    { rows: 5, sheets: ["All products"] },
  ],
  [
    "List the products on http://shop.test/products and save them as an .xlsx",
    { output: "file", uses: ["write_spreadsheet"] },
  ],
  [
    "extract the table at http://geo.test/countries as a workbook",
    { rows: 4, sheets: ["Countries"] },
  ],
  [
    "Extract the table at http://geo.test/countries and save it as countries.xlsx",
    { files: ["countries.xlsx"] },
  ],
  [
    "Put the employees of http://team.test/ in a spreadsheet called Our team, please",
    { rows: 4, files: ["Our.xlsx"] },
  ],
  [
    'Put the employees of http://team.test/ in a spreadsheet called "Our team"',
    { rows: 4, files: ["Our team.xlsx"] },
  ],
  [
    'Write the table of http://team.test/ to a spreadsheet named "a/b: c*?"',
    { rows: 4, files: ["a-b: c*?.xlsx"] },
  ],
  [
    "Make a spreadsheet of the products on http://shop.test/products sorted by price",
    { rows: 5, output: "file" },
  ],
  [
    "Create an Excel workbook with the countries on http://geo.test/countries whose continent is Europe",
    { rows: 2, output: "file", names: ["France", "Germany"] },
  ],
  [
    "Could you export the staff table of http://team.test/ to Excel?",
    { rows: 4, output: "file", avoids: ["emit_output"] },
  ],
  [
    `Collect the tables of ${A} and ${B} in a workbook, one sheet per page`,
    { sheets: ["Shop A", "Shop B"] },
  ],
  [
    `Get the prices on ${A} and ${B} and write them to prices.xlsx with a separate sheet for each page`,
    { sheets: ["Shop A", "Shop B"], files: ["prices.xlsx"] },
  ],
  [
    `Scrape ${A} and ${B} into shops.xlsx, each page on its own sheet`,
    { sheets: ["Shop A", "Shop B"], files: ["shops.xlsx"] },
  ],
  [
    "Get the title and all links of http://blog.test/ as Excel",
    { output: "file", sheets: ["Title"] },
  ],
  [
    "Get the headings and the e-mails of http://shop.test/ as a workbook",
    { sheets: ["Headings", "Emails"], files: ["results.xlsx"] },
  ],
  [
    "What is the average price per category on http://shop.test/products? Save it in an Excel file",
    { rows: 2, output: "file" },
  ],
  [
    "How many products are on http://shop.test/products? As Excel please",
    { files: ["all-products.xlsx"] },
  ],
  [
    "Save the table from http://shop.test/products as products.csv",
    { files: ["products.csv"], rows: 5 },
  ],
  [
    "the countries at http://geo.test/countries, as csv, file name countries-2026.csv",
    { rows: 4, output: "file" },
  ],
  [
    "Append the rows of the table at http://team.test/ to the Google sheet",
    { failed: /^Nothing was appended to the Google Sheet: No Google Sheet is configured/ },
  ],
  [
    "Add the products of http://shop.test/products to my Google Sheet, in the tab Stock",
    { failed: /^Nothing was appended to the Google Sheet/, uses: ["write_spreadsheet"] },
  ],
  [
    "Get the table from http://team.test/ and append it to https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789/edit",
    { rows: 4, says: /^Nothing was appended to the Google Sheet/ },
  ],
  [
    "Save the table of http://team.test/ as an ODS file",
    { says: /cannot be written as ODS/, rows: 4 },
  ],
  [
    "Take a screenshot of http://shop.test/ and list its headings",
    { says: /no screenshot was taken/, rows: 3 },
  ],
  [
    "Render http://shop.test/ with a real browser and get the title",
    { says: /not opened in a real browser/, data: "Test Shop" },
  ],
  [
    "Open http://shop.test/ in a real browser and list the headings",
    { says: /not opened in a real browser/, rows: 3 },
  ],
  ["List the headings on http://app.test/", { says: /seems to need JavaScript/ }],
];
