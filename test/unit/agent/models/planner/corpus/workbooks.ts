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
  [
    "Create a spreadsheet with columns name and age and the rows Ann 30 and Bob 40",
    {
      data: [
        { name: "Ann", age: 30 },
        { name: "Bob", age: 40 },
      ],
      files: ["table.xlsx"],
    },
  ],
  [
    "Create a spreadsheet with columns name and age and the rows Ann 30, Bob 40 and Cid 50, and name it people.xlsx",
    { rows: 3, names: ["Cid"], files: ["people.xlsx"] },
  ],
  [
    "Write these rows to a spreadsheet: name,age; Ann,30; Bob,40",
    {
      data: [
        { name: "Ann", age: 30 },
        { name: "Bob", age: 40 },
      ],
      files: ["table.xlsx"],
    },
  ],
  [
    "Put Ann,30 and Bob,40 into a spreadsheet with the columns name and age",
    {
      data: [
        { name: "Ann", age: 30 },
        { name: "Bob", age: 40 },
      ],
      files: ["table.xlsx"],
    },
  ],
  [
    "Create an Excel sheet with headers name, age; Ann, 30; Bob, 40",
    {
      data: [
        { name: "Ann", age: 30 },
        { name: "Bob", age: 40 },
      ],
      files: ["table.xlsx"],
    },
  ],
  [
    "Make an Excel file with columns name, age and rows (Ann, 30), (Bob, 40)",
    {
      data: [
        { name: "Ann", age: 30 },
        { name: "Bob", age: 40 },
      ],
      files: ["table.xlsx"],
    },
  ],
  [
    "Create a spreadsheet people.xlsx with the columns name and age. Rows: Ann, 30; Bob, 40.",
    {
      data: [
        { name: "Ann", age: 30 },
        { name: "Bob", age: 40 },
      ],
      files: ["people.xlsx"],
    },
  ],
  [
    "Create a CSV file with name,age and the rows Ann,30 and Bob,40",
    {
      data: [
        { name: "Ann", age: 30 },
        { name: "Bob", age: 40 },
      ],
      files: ["table.csv"],
    },
  ],
  [
    "Create a spreadsheet with columns first name and age and rows Ann Lee 30 and Bob Ray 40",
    {
      data: [
        { "first name": "Ann Lee", age: 30 },
        { "first name": "Bob Ray", age: 40 },
      ],
    },
  ],
  [
    "Create a spreadsheet with the column city and the rows Oslo and Bergen",
    { data: ["Oslo", "Bergen"], files: ["table.xlsx"] },
  ],
  [
    "Make an Excel file with the numbers 1, 2, 3 in a column named n",
    { data: [1, 2, 3], files: ["table.xlsx"] },
  ],
  [
    "Create a spreadsheet with columns name and age and the rows Ann 30 and Bob 40. Then email it to bob@example.com",
    { files: ["table.xlsx"], mails: [{ to: ["bob@example.com"], attached: ["table.xlsx"] }] },
  ],
  [
    "Convert this CSV to JSON: name,age\nAnn,30\nBob,40",
    {
      data: [
        { name: "Ann", age: "30" },
        { name: "Bob", age: "40" },
      ],
    },
  ],
  ["Turn this CSV into JSON: a,b\n1,2", { data: { a: "1", b: "2" } }],
  [
    "Open http://shop.test/products and create a spreadsheet with columns product and price and the rows over 80",
    { rows: 2, files: ["all-products.xlsx"] },
  ],
  ["Make a spreadsheet with columns name and age", { failed: /no data/ }],
];
