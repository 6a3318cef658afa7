import type { CaseInput } from "../expectation.ts";
import { groups, least, mean, most, only, sum } from "../harness/figures.ts";
import { BRANCHES, ORDERS, PHARMACY, STOCK, SUPPLIERS } from "../sites/pharmacy.ts";
import { aValue, done, impossible, list, parts, rows, someRows, value } from "../wants.ts";

/** The pharmacy's cases of the open half. */
export const PHARMACY_OPEN: CaseInput[] = [
  {
    id: "pharmacy-expiring-before-september",
    kind: "dates",
    prompt: `Which items on ${PHARMACY}/stock expire before 1 September 2026?`,
    want: list(STOCK.filter(({ expires }) => expires < "2026-09-01").map(({ item }) => item)),
  },
  {
    id: "pharmacy-dearest",
    kind: "dirty",
    prompt: `whats the most expensive item in stock at ${PHARMACY}/stock`,
    want: value(most(STOCK, ({ price }) => price).item),
  },
  {
    id: "pharmacy-night",
    kind: "filter",
    prompt: `Which branches offer night service? ${PHARMACY}/branches`,
    want: list(BRANCHES.filter(({ night }) => night === "yes").map(({ branch }) => branch)),
  },
  {
    id: "pharmacy-sold-out-mail",
    kind: "conditional",
    prompt: `If any item on ${PHARMACY}/stock has 0 units left, send an email to orders@botanika.example with subject "Reorder" naming that item.`,
    want: done({
      mails: [
        {
          to: ["orders@botanika.example"],
          subject: "Reorder",
          facts: STOCK.filter(({ units }) => units === 0).map(({ item }) => item),
          lacks: STOCK.filter(({ units }) => units > 0).map(({ item }) => item),
        },
      ],
    }),
  },
  {
    id: "pharmacy-dosage",
    kind: "impossible",
    prompt: `Look at ${PHARMACY}/stock and tell me how many Ibuprofen 400 a child of 6 may take per day.`,
    want: impossible("the page says nothing about doses"),
  },
  {
    id: "pharmacy-medlar-items",
    kind: "list",
    prompt: `Hello! Which items do we get from Medlar? The list is at ${PHARMACY}/stock`,
    want: list(STOCK.filter(({ supplier }) => supplier === "Medlar").map(({ item }) => item)),
  },
  {
    id: "pharmacy-tablet-price-sum",
    kind: "sum",
    prompt: `Sum of the prices of all tablets on ${PHARMACY}/stock`,
    want: value(sum(STOCK.filter(({ form }) => form === "tablets").map(({ price }) => price))),
  },
  {
    id: "pharmacy-units-supplier",
    kind: "group",
    prompt: `total units per supplier from ${PHARMACY}/stock`,
    want: rows(
      groups(STOCK, ({ supplier }) => supplier).map(([supplier, of]) => [
        supplier,
        sum(of.map(({ units }) => units)),
      ]),
    ),
  },
  {
    id: "pharmacy-revenue-head",
    kind: "extreme",
    prompt: `What branch earns the most? ${PHARMACY}/branches (revenue)`,
    want: value(most(BRANCHES, ({ revenue }) => revenue).branch),
  },
  {
    id: "pharmacy-delivery",
    kind: "lookup",
    prompt: `How many days does Botanika need to deliver? ${PHARMACY}/suppliers`,
    want: value(only(SUPPLIERS.filter(({ supplier }) => supplier === "Botanika")).days),
  },
  {
    id: "pharmacy-open-orders",
    kind: "count",
    prompt: `In ${PHARMACY}/orders.csv some orders are in there twice. Remove the duplicates and count how many different orders are open.`,
    want: value(
      new Set(ORDERS.filter(([, , , , status]) => status === "open").map(([order]) => order)).size,
    ),
  },
  {
    id: "pharmacy-workbook",
    kind: "file",
    prompt: `Write suppliers and minimum order from ${PHARMACY}/suppliers to an Excel workbook called suppliers.xlsx (just these two columns)`,
    want: done({
      files: [
        {
          name: "suppliers.xlsx",
          format: "xlsx",
          rows: someRows(
            SUPPLIERS.map(({ supplier, minimum }) => [supplier, minimum]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "pharmacy-reorder-post",
    kind: "request",
    prompt: `PUT to http://desk.example/stock/cough-syrup the JSON {"item": "Cough syrup", "order": 50}`,
    want: done({
      requests: [
        {
          method: "PUT",
          url: "http://desk.example/stock/cough-syrup",
          body: { is: "exactly", json: { item: "Cough syrup", order: 50 } },
        },
      ],
    }),
  },
  {
    id: "pharmacy-parts-branches",
    kind: "parts",
    prompt: `From ${PHARMACY}/branches I need 1. the total revenue 2. the branch with the fewest staff 3. the number of branches without night service`,
    want: parts(
      aValue(sum(BRANCHES.map(({ revenue }) => revenue))),
      aValue(least(BRANCHES, ({ staff }) => staff).branch),
      aValue(BRANCHES.filter(({ night }) => night === "no").length),
    ),
  },
  {
    id: "pharmacy-message-drops",
    kind: "message",
    prompt: `list all items on ${PHARMACY}/stock with fewer than 50 units`,
    messages: ["only those from Corvex"],
    want: list(
      STOCK.filter(({ units, supplier }) => units < 50 && supplier === "Corvex").map(
        ({ item }) => item,
      ),
    ),
  },
  {
    id: "pharmacy-profit",
    kind: "impossible",
    prompt: `What profit did each branch make in May? ${PHARMACY}/branches`,
    want: impossible("the page has revenue, but no profit"),
  },
  {
    id: "pharmacy-mean-price",
    kind: "dirty",
    prompt: `average price of everything on ${PHARMACY}/stock in euros`,
    want: value(mean(STOCK.map(({ price }) => price))),
  },
  {
    id: "pharmacy-inputs-items",
    kind: "inputs",
    prompt: `How many units of the items in the inputs do we have together? The stock list: ${PHARMACY}/stock`,
    inputs: { items: ["Burn gel", "Eye drops"] },
    want: value(17 + 34),
  },
  {
    id: "pharmacy-this-year",
    kind: "dates",
    prompt: `Which items on ${PHARMACY}/stock expire in 2026?`,
    want: list(STOCK.filter(({ expires }) => expires.startsWith("2026")).map(({ item }) => item)),
  },
  {
    id: "pharmacy-supplier-phones",
    kind: "impossible",
    prompt: `Send an email to buyer@pharmacy.example, subject "Phones", with the phone numbers of all suppliers on ${PHARMACY}/suppliers.`,
    want: impossible("the page has no telephone numbers"),
  },
  {
    id: "pharmacy-count-and-mail",
    kind: "parts",
    prompt: `Please count the items of ${PHARMACY}/stock that are tablets. Then e-mail medlar@orders.example with the subject "Tablets" and the names of these items.`,
    want: done({
      answers: [aValue(STOCK.filter(({ form }) => form === "tablets").length)],
      mails: [
        {
          to: ["medlar@orders.example"],
          subject: "Tablets",
          facts: STOCK.filter(({ form }) => form === "tablets").map(({ item }) => item),
          lacks: ["Burn gel", "Insulin pen", "Eye drops"],
        },
      ],
    }),
  },
];
