import type { CaseInput } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { DESK } from "../harness/server.ts";
import { APIARY, HARVEST_2024, HARVEST_2025, HIVES } from "../sites/apiary.ts";
import { done, list, value } from "../wants.ts";

const isNew = HARVEST_2025.filter(({ yard }) => !HARVEST_2024.some((old) => old.yard === yard));

/** The beekeepers' cases of the closed half. */
export const APIARY_CLOSED: CaseInput[] = [
  {
    id: "apiary-yard-only-2025",
    kind: "compare",
    prompt: `Which yard is on ${APIARY}/harvest/2025 but not on ${APIARY}/harvest/2024?`,
    want: value(only(isNew).yard),
  },
  {
    id: "apiary-frames-buckfast",
    kind: "sum",
    prompt: `Total number of frames in the Buckfast hives on ${APIARY}/hives?`,
    want: value(sum(HIVES.filter(({ breed }) => breed === "Buckfast").map((h) => h.frames))),
  },
  {
    id: "apiary-old-queens",
    kind: "filter",
    prompt: `Give me the hives whose queen is from before 2024 (${APIARY}/hives)`,
    want: list(HIVES.filter(({ queen }) => queen < 2024).map(({ hive }) => hive)),
  },
  {
    id: "apiary-report-h05",
    kind: "request",
    prompt: `Read the number of mites of hive H05 at ${APIARY}/hives, then send a POST request to http://${DESK}/treatments with the JSON {"hive": "H05", "mites": <number of mites>}.`,
    want: done({
      requests: [
        {
          method: "POST",
          url: `http://${DESK}/treatments`,
          body: {
            is: "exactly",
            json: { hive: "H05", mites: only(HIVES.filter((h) => h.hive === "H05")).mites },
          },
        },
      ],
    }),
  },
];
