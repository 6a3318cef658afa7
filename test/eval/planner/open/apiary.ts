import type { CaseInput } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { DESK } from "../harness/server.ts";
import { APIARY, HARVEST_2024, HARVEST_2025, HIVES, JARS } from "../sites/apiary.ts";
import { done, list, value } from "../wants.ts";

const inBoth = HARVEST_2025.filter(({ yard }) => HARVEST_2024.some((old) => old.yard === yard));

/** The beekeepers' cases of the open half. */
export const APIARY_OPEN: CaseInput[] = [
  {
    id: "apiary-new-yard",
    kind: "compare",
    prompt: `Compare ${APIARY}/harvest/2024 with ${APIARY}/harvest/2025: which yards are in both lists?`,
    want: list(inBoth.map(({ yard }) => yard)),
  },
  {
    id: "apiary-honey-heath",
    kind: "sum",
    prompt: `how many kg honey did the hives in the Heath yard give in total. ${APIARY}/hives`,
    want: value(sum(HIVES.filter(({ yard }) => yard === "Heath").map(({ honey }) => honey))),
  },
  {
    id: "apiary-treat",
    kind: "filter",
    prompt: `Which hives have more than 8 mites? ${APIARY}/hives`,
    want: list(HIVES.filter(({ mites }) => mites > 8).map(({ hive }) => hive)),
  },
  {
    id: "apiary-order-lime",
    kind: "request",
    prompt: `Look at ${APIARY}/jars for the price of the 500 g jar of Lime honey and POST {"honey": "Lime", "size": 500, "price": <that price as a number>} to http://${DESK}/orders`,
    want: done({
      requests: [
        {
          method: "POST",
          url: `http://${DESK}/orders`,
          body: {
            is: "exactly",
            json: {
              honey: "Lime",
              size: 500,
              price: only(JARS.filter((j) => j.honey === "Lime" && j.size === 500)).price,
            },
          },
        },
      ],
    }),
  },
];
