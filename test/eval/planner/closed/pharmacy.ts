import type { CaseInput } from "../expectation.ts";
import { ascending, groups, least, mean, most, only, sum } from "../harness/figures.ts";
import { BRANCHES, ORDERS, PHARMACY, STOCK, SUPPLIERS } from "../sites/pharmacy.ts";
import { aValue, done, impossible, list, parts, rows, someRows, value } from "../wants.ts";

/** The pharmacy's cases of the closed half. */
export const PHARMACY_CLOSED: CaseInput[] = [
  {
    id: "pharmacy-good-after-2027",
    kind: "dates",
    prompt: `I need the items from ${PHARMACY}/stock that are still good after 1 March 2027.`,
    want: list(STOCK.filter(({ expires }) => expires > "2027-03-01").map(({ item }) => item)),
  },
  {
    id: "pharmacy-cheapest",
    kind: "dirty",
    prompt: `Which item costs the least at ${PHARMACY}/stock ?`,
    want: value(least(STOCK, ({ price }) => price).item),
  },
  {
    id: "pharmacy-many-prescriptions",
    kind: "filter",
    prompt: `branches with at least 1,500 prescriptions pls ${PHARMACY}/branches`,
    want: list(BRANCHES.filter((b) => b.prescriptions >= 1500).map(({ branch }) => branch)),
  },
  {
    id: "pharmacy-insulin-low",
    kind: "conditional",
    prompt: `Check ${PHARMACY}/stock. If there are fewer than 10 units of the Insulin pen, email buyer@pharmacy.example, subject "Insulin low", and write how many units are left; otherwise do nothing.`,
    want: done({
      mails: [
        {
          to: ["buyer@pharmacy.example"],
          subject: "Insulin low",
          facts: STOCK.filter(({ item }) => item === "Insulin pen").map(({ units }) => units),
        },
      ],
    }),
  },
  {
    id: "pharmacy-interaction",
    kind: "impossible",
    prompt: `Is it dangerous to combine the Cough syrup with the Zinc lozenges from ${PHARMACY}/stock?`,
    want: impossible("it needs knowledge of medicine"),
  },
  {
    id: "pharmacy-corvex-items",
    kind: "list",
    prompt: `give me a list with the items supplied by Corvex (${PHARMACY}/stock)`,
    want: list(STOCK.filter(({ supplier }) => supplier === "Corvex").map(({ item }) => item)),
  },
  {
    id: "pharmacy-botanika-price-sum",
    kind: "sum",
    prompt: `What do all the items from Botanika cost together, one of each? ${PHARMACY}/stock`,
    want: value(
      sum(STOCK.filter(({ supplier }) => supplier === "Botanika").map(({ price }) => price)),
    ),
  },
  {
    id: "pharmacy-items-form",
    kind: "group",
    prompt: `${PHARMACY}/stock: number of items by form`,
    want: rows(groups(STOCK, ({ form }) => form).map(([form, of]) => [form, of.length])),
  },
  {
    id: "pharmacy-slow-supplier",
    kind: "extreme",
    prompt: `Who's the slowest supplier, i.e. with the most delivery days? ${PHARMACY}/suppliers`,
    want: value(most(SUPPLIERS, ({ days }) => days).supplier),
  },
  {
    id: "pharmacy-corvex-country",
    kind: "lookup",
    prompt: `From which country is Corvex? ${PHARMACY}/suppliers`,
    want: value(only(SUPPLIERS.filter(({ supplier }) => supplier === "Corvex")).country),
  },
  {
    id: "pharmacy-unique-orders",
    kind: "count",
    prompt: `How many distinct order numbers are in ${PHARMACY}/orders.csv ?`,
    want: value(new Set(ORDERS.map(([order]) => order)).size),
  },
  {
    id: "pharmacy-night-workbook",
    kind: "file",
    prompt: `Please make an xlsx file with the branches that have night service, showing branch and revenue only. Name it night.xlsx. ${PHARMACY}/branches`,
    want: done({
      files: [
        {
          name: "night.xlsx",
          format: "xlsx",
          rows: someRows(
            BRANCHES.filter(({ night }) => night === "yes").map(({ branch, revenue }) => [
              branch,
              revenue,
            ]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "pharmacy-delete-order",
    kind: "request",
    prompt: `Send a DELETE request to http://desk.example/orders/1006`,
    want: done({
      requests: [
        { method: "DELETE", url: "http://desk.example/orders/1006", body: { is: "nothing" } },
      ],
    }),
  },
  {
    id: "pharmacy-parts-suppliers",
    kind: "parts",
    prompt: `Questions about ${PHARMACY}/suppliers: which supplier has the lowest minimum order? And what is the average delivery time in days?`,
    want: parts(
      aValue(least(SUPPLIERS, ({ minimum }) => minimum).supplier),
      aValue(mean(SUPPLIERS.map(({ days }) => days))),
    ),
  },
  {
    id: "pharmacy-message-form",
    kind: "message",
    prompt: `Show all the items from ${PHARMACY}/stock that cost more than 7 euros`,
    messages: ["Sort them by price, the cheapest at the top."],
    want: list(
      ascending(
        STOCK.filter(({ price }) => price > 7),
        ({ price }) => price,
      ).map(({ item }) => item),
      { ordered: true },
    ),
  },
  {
    id: "pharmacy-customers",
    kind: "impossible",
    prompt: `How old is the average customer of the Station branch on ${PHARMACY}/branches?`,
    want: impossible("the page says nothing about customers"),
  },
  {
    id: "pharmacy-above-8",
    kind: "dirty",
    prompt: `How many items on ${PHARMACY}/stock cost more than 8 euro?`,
    want: value(STOCK.filter(({ price }) => price > 8).length),
  },
  {
    id: "pharmacy-inputs-forms",
    kind: "inputs",
    prompt: `List the items on ${PHARMACY}/stock that have one of the forms given in the inputs`,
    inputs: { forms: ["gel", "syrup"] },
    want: list(
      STOCK.filter(({ form }) => form === "gel" || form === "syrup").map(({ item }) => item),
    ),
  },
  {
    id: "pharmacy-expires-first",
    kind: "dates",
    prompt: `What item expires first? ${PHARMACY}/stock`,
    want: value("Cough syrup"),
  },
  {
    id: "pharmacy-branch-streets",
    kind: "impossible",
    prompt: `Write to courier@fast.example with subject "Addresses" and list the street address of each branch on ${PHARMACY}/branches`,
    want: impossible("the page has no street addresses"),
  },
  {
    id: "pharmacy-sum-and-post",
    kind: "parts",
    prompt: `How many units of drops do we have in total on ${PHARMACY}/stock? When you know it, also POST {"drops": <that number>} to http://desk.example/counts.`,
    want: done({
      answers: [
        aValue(sum(STOCK.filter(({ form }) => form === "drops").map(({ units }) => units))),
      ],
      requests: [
        {
          method: "POST",
          url: "http://desk.example/counts",
          body: {
            is: "exactly",
            json: {
              drops: sum(STOCK.filter(({ form }) => form === "drops").map(({ units }) => units)),
            },
          },
        },
      ],
    }),
  },
];
