import type { Case } from "./case.ts";

const SHOP = "http://shop.test/products";
const TEAM = "http://team.test/";
const GEO = "http://geo.test/countries";
const ANN = "ann@example.com";

/** How files are called, what lies on their sheets, and which rows a mail carries. */
export const LAYOUTS: Case[] = [
  [
    `Get me the table of ${TEAM} in excel, call it people-2026.xlsx`,
    { files: ["people-2026.xlsx"] },
  ],
  [`Save ${TEAM} as a workbook. Name it people.xlsx please`, { files: ["people.xlsx"] }],
  [`Give me all products of ${SHOP} in one Excel file, goods.xlsx`, { files: ["goods.xlsx"] }],
  [`${SHOP}: drop duplicates, save xlsx goods.xlsx`, { files: ["goods.xlsx"] }],
  [`Give me the countries of ${GEO} in a CSV lands.csv`, { files: ["lands.csv"] }],
  [`get the table of ${TEAM} -> excel 'people.xlsx'`, { files: ["people.xlsx"] }],
  [`Turn ${GEO} into a spreadsheet called Q1 Countries.xlsx`, { files: ["Q1 Countries.xlsx"] }],
  [`Make goods_2026.xlsx from ${SHOP}`, { rows: 5, files: ["goods_2026.xlsx"] }],
  [`Excel file of ${SHOP} please, name: spring goods`, { files: ["spring goods.xlsx"] }],
  [`Save ${TEAM} in Excel format under the name staff`, { files: ["staff.xlsx"] }],
  [`${GEO}: I'd like it as a CSV (file name should be lands.csv)`, { files: ["lands.csv"] }],
  [
    `Create a workbook both.xlsx with a sheet Goods from ${SHOP} and a sheet People from ${TEAM}.`,
    { files: ["both.xlsx"], sheets: ["Goods", "People"] },
  ],
  [
    `One workbook with two sheets: ${SHOP} on "Goods", ${TEAM} on "People". File name both.xlsx.`,
    { files: ["both.xlsx"], sheets: ["Goods", "People"] },
  ],
  [
    `Put ${SHOP} and ${TEAM} in one workbook with two sheets`,
    { sheets: ["Products", "Our team"], writes: [] },
  ],
  [
    `Please write both ${SHOP} and ${GEO} into an Excel file.`,
    { sheets: ["Products", "Countries"] },
  ],
  [
    `Save the products of ${SHOP} as goods.xlsx with one sheet per category`,
    { files: ["goods.xlsx"], sheets: ["Kitchen", "Home"] },
  ],
  [
    `Split the products at ${SHOP} by category into separate sheets of goods.xlsx`,
    { files: ["goods.xlsx"], sheets: ["Kitchen", "Home"] },
  ],
  [
    `Save the products of ${SHOP} as goods.xlsx with one sheet per planet`,
    {
      sheets: ["All products"],
      says: /There is not one sheet for each planet: there is no column/,
    },
  ],
  [
    `mail ${ANN} the number of products on ${SHOP} and attach the list as goods.csv`,
    { data: 5, mails: [{ to: [ANN], text: /5/, attached: ["goods.csv"] }], output: "file" },
  ],
  [
    `Mail ${ANN} the cheapest product of ${SHOP}. Add the whole price list as attachment.`,
    {
      says: /\(5 rows\)/,
      mails: [{ to: [ANN], text: /Blue Mug/, attached: ["all-products.xlsx"] }],
    },
  ],
];
