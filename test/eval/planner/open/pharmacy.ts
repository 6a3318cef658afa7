import type { CaseInput } from "../expectation.ts";
import { most } from "../harness/figures.ts";
import { BRANCHES, PHARMACY, STOCK } from "../sites/pharmacy.ts";
import { done, impossible, list, value } from "../wants.ts";

/** The pharmacy's cases of the open half. */
export const PHARMACY_OPEN: CaseInput[] = [
  {
    id: "pharmacy-expiring-july",
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
];
