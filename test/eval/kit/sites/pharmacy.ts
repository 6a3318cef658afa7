import { csvPage, html, link, type Site, table } from "../harness/site.ts";

/** The origin of the pharmacy's site. */
export const PHARMACY = "http://pharmacy.example";

/** Each item with its figures, and with the price and the date as the page writes them. */
export const STOCK = [
  {
    item: "Ibuprofen 400",
    form: "tablets",
    supplier: "Medlar",
    price: 5.95,
    written: "€ 5,95",
    units: 140,
    expires: "2027-03-31",
    dated: "31.03.2027",
  },
  {
    item: "Paracetamol 500",
    form: "tablets",
    supplier: "Medlar",
    price: 3.2,
    written: "EUR 3.20",
    units: 310,
    expires: "2026-11-30",
    dated: "30 Nov 2026",
  },
  {
    item: "Saline nasal spray",
    form: "spray",
    supplier: "Corvex",
    price: 7.8,
    written: "€7.80",
    units: 26,
    expires: "2026-08-15",
    dated: "2026-08-15",
  },
  {
    item: "Cough syrup",
    form: "syrup",
    supplier: "Botanika",
    price: 9.4,
    written: " 9,40 €",
    units: 0,
    expires: "2026-06-30",
    dated: "30.06.2026",
  },
  {
    item: "Vitamin D drops",
    form: "drops",
    supplier: "Botanika",
    price: 12.6,
    written: "12.60 EUR",
    units: 58,
    expires: "2028-01-31",
    dated: "31 January 2028",
  },
  {
    item: "Insulin pen",
    form: "injection",
    supplier: "Corvex",
    price: 1084,
    written: "€1,084.00",
    units: 9,
    expires: "2026-07-20",
    dated: "20.07.2026",
  },
  {
    item: "Zinc lozenges",
    form: "tablets",
    supplier: "Medlar",
    price: 6.1,
    written: "€6.10",
    units: 73,
    expires: "2027-09-05",
    dated: "Sep 5, 2027",
  },
  {
    item: "Eye drops",
    form: "drops",
    supplier: "Corvex",
    price: 11.25,
    written: "€ 11,25",
    units: 34,
    expires: "2026-12-24",
    dated: "24.12.2026",
  },
  {
    item: "Burn gel",
    form: "gel",
    supplier: "Botanika",
    price: 8.3,
    written: "8.30",
    units: 17,
    expires: "2027-02-28",
    dated: "28 February 2027",
  },
] as const;

/** Orders as they were typed: the second is there twice, one has no quantity, one is a test. */
export const ORDERS = [
  ["1001", "Clinic Ost", "Ibuprofen 400", "24", "shipped"],
  ["1002", "Dr. Petrov", "Eye drops", "6", "open"],
  ["1002", "Dr. Petrov", "Eye drops", "6", "open"],
  ["1003", " Clinic  Ost ", "Burn gel", "", "open"],
  ["1004", "Care Home Lind", "Paracetamol 500", "60", "shipped"],
  ["1005", "Dr. Petrov", "Vitamin D drops", "10", "Shipped"],
  ["1006", "Care Home Lind", "Zinc lozenges", "15", "cancelled"],
] as const;

export const SUPPLIERS = [
  { supplier: "Medlar", country: "Ireland", minimum: 250, days: 3, email: "orders@medlar.example" },
  { supplier: "Corvex", country: "Poland", minimum: 400, days: 5, email: "sales@corvex.example" },
  {
    supplier: "Botanika",
    country: "Slovenia",
    minimum: 120,
    days: 8,
    email: "hello@botanika.example",
  },
] as const;

export const BRANCHES = [
  { branch: "Old Town", revenue: 48210, prescriptions: 1320, staff: 6, night: "no" },
  { branch: "Station", revenue: 71940, prescriptions: 1875, staff: 9, night: "yes" },
  { branch: "Riverside", revenue: 39560, prescriptions: 904, staff: 4, night: "no" },
  { branch: "Hospital", revenue: 102300, prescriptions: 3410, staff: 14, night: "yes" },
] as const;

/** A pharmacy: a dirty stock list, orders as CSV, suppliers and branches. */
export const PHARMACY_SITE: Site = {
  host: "pharmacy.example",
  pages: {
    "/": html(
      "Linden Pharmacy",
      `<h1>Linden Pharmacy</h1><p>Four branches, one stock.</p><p>${link("/stock", "Stock")} ${link("/suppliers", "Suppliers")} ${link("/branches", "Branches")} ${link("/orders.csv", "Orders (CSV)")}</p>`,
    ),
    "/stock": html(
      "Stock list",
      `<h1>Stock list</h1>${table(
        ["Item", "Form", "Supplier", "Price", "Units", "Expires"],
        STOCK.map(({ item, form, supplier, written, units, dated }) => [
          item,
          form,
          supplier,
          written,
          units,
          dated,
        ]),
      )}`,
    ),
    "/orders.csv": csvPage(
      ["order", "customer", "item", "quantity", "status"],
      ORDERS.map((row) => [...row]),
    ),
    "/suppliers": html(
      "Suppliers",
      `<h1>Suppliers</h1>${table(
        ["Supplier", "Country", "Minimum order", "Delivery days", "E-mail"],
        SUPPLIERS.map(({ supplier, country, minimum, days, email }) => [
          supplier,
          country,
          `€${minimum}`,
          days,
          email,
        ]),
      )}`,
    ),
    "/branches": html(
      "Branches in May",
      `<h1>Branches in May</h1>${table(
        ["Branch", "Revenue", "Prescriptions", "Staff", "Night service"],
        BRANCHES.map(({ branch, revenue, prescriptions, staff, night }) => [
          branch,
          `€${revenue.toLocaleString("en")}`,
          prescriptions,
          staff,
          night,
        ]),
      )}`,
    ),
  },
};
