import { type Site, tablePage } from "../harness/site.ts";

/** The origin of the pharmacy's site. */
export const PHARMACY = "http://pharmacy.example";

/** The stock as its page writes it, untidily. */
const STOCK_ROWS = [
  ["Ibuprofen 400", "tablets", "Medlar", "€ 5,95", 140, "31.03.2027"],
  ["Paracetamol 500", "tablets", "Medlar", "EUR 3.20", 310, "30 Nov 2026"],
  ["Saline nasal spray", "spray", "Corvex", "€7.80", 26, "2026-08-15"],
  ["Cough syrup", "syrup", "Botanika", " 9,40 €", 0, "30.06.2026"],
  ["Vitamin D drops", "drops", "Botanika", "12.60 EUR", 58, "31 January 2028"],
  ["Insulin pen", "injection", "Corvex", "€1,084.00", 9, "20.07.2026"],
  ["Zinc lozenges", "tablets", "Medlar", "€6.10", 73, "Sep 5, 2027"],
  ["Eye drops", "drops", "Corvex", "€ 11,25", 34, "24.12.2026"],
  ["Burn gel", "gel", "Botanika", "8.30", 17, "28 February 2027"],
] as const;

/** The prices of the stock in its order, in euros. */
const PRICES = [5.95, 3.2, 7.8, 9.4, 12.6, 1084, 6.1, 11.25, 8.3];

export const STOCK = STOCK_ROWS.map(([, , , , units], at) => ({
  units,
  price: PRICES[at] ?? 0,
}));

const BRANCH_ROWS = [
  ["Old Town", 48210, 1320, 6, "no"],
  ["Station", 71940, 1875, 9, "yes"],
  ["Riverside", 39560, 904, 4, "no"],
  ["Hospital", 102300, 3410, 14, "yes"],
] as const;

export const BRANCHES = BRANCH_ROWS.map(([branch, revenue]) => ({ branch, revenue }));

/** A pharmacy: an untidy stock list, and branches. */
export const PHARMACY_SITE: Site = {
  host: "pharmacy.example",
  pages: {
    "/stock": tablePage(
      "Stock list",
      ["Item", "Form", "Supplier", "Price", "Units", "Expires"],
      STOCK_ROWS,
    ),
    "/branches": tablePage(
      "Branches in May",
      ["Branch", "Revenue", "Prescriptions", "Staff", "Night service"],
      BRANCH_ROWS.map(([branch, revenue, ...others]) => [
        branch,
        `€${revenue.toLocaleString("en")}`,
        ...others,
      ]),
    ),
  },
};
