import type { CaseInput } from "../expectation.ts";
import { least } from "../harness/figures.ts";
import { BRANCHES, PHARMACY, STOCK } from "../sites/pharmacy.ts";
import { done, impossible, list, value } from "../wants.ts";

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
];
