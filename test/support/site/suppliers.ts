import { layout } from "./layout.ts";

/** A price list as a supplier sends it: doubled rows, stray spaces, each its own way to write money and dates. */
interface PriceList {
  slug: string;
  supplier: string;
  columns: string[];
  rows: string[][];
}

const LISTS: PriceList[] = [
  {
    slug: "assam",
    supplier: "Assam Leaf Ltd",
    columns: ["Tea", "Supplier", "Price", "Grams", "Valid from"],
    rows: [
      ["Breakfast  blend", "Assam Leaf Ltd", "€ 4,90", "1000", "03.02.2026"],
      ["Golden tips", "Assam Leaf Ltd", "€ 18,50", "500", "03.02.2026"],
      ["Breakfast blend ", "Assam Leaf Ltd", "€4,90", "1000", "3 February 2026"],
      ["Second flush", "Assam Leaf Ltd", "€ 1.120,00", "25000", "15.02.2026"],
    ],
  },
  {
    slug: "fujian",
    supplier: "Fujian Tea House",
    columns: ["TEA", "SUPPLIER", "PRICE", "GRAMS", "VALID FROM"],
    rows: [
      ["Smoked pine", "Fujian Tea House", "$1,250.00", "20000", "2026-02-01"],
      ["silver needle", "Fujian Tea House", "USD 86.40", "250", "Feb 9, 2026"],
      ["Silver  Needle", "Fujian Tea House", "$86.40", "250", "2026-02-09"],
      ["Jade oolong", "Fujian Tea House", "on request", "500", "2026-03-01"],
      ["", "", "", "", ""],
    ],
  },
  {
    slug: "ellery",
    supplier: "Port Ellery Herbs",
    columns: ["tea", "supplier", "price", "grams", "valid from"],
    rows: [
      ["Harbour mint", "Port Ellery Herbs", "£3.20", "400", "2026/01/20"],
      ["Camomile", "Port Ellery Herbs", "£4.00", "400", "20 January 2026"],
      ["Harbour mint", "Port Ellery Herbs", "£ 3.20", "400", "2026-01-20"],
      ["Heather", "Port Ellery Herbs", "£2.75", "n/a", "20 Jan 2026"],
    ],
  },
];

/** The price list of one supplier, or null when there is no such supplier. */
export function supplierPage(slug: string): string | null {
  const list = LISTS.find((one) => one.slug === slug);
  if (list === undefined) return null;
  const cells = (tag: string, values: string[]): string =>
    `          <tr>${values.map((value) => `<${tag}>${value}</${tag}>`).join("")}</tr>`;
  return layout({
    title: `${list.supplier}: price list`,
    body: `      <h1>${list.supplier}</h1>
      <table>
        <caption>Prices of ${list.supplier}</caption>
        <thead>
${cells("th", list.columns)}
        </thead>
        <tbody>
${list.rows.map((row) => cells("td", row)).join("\n")}
        </tbody>
      </table>`,
  });
}
