import { call } from "../../support/model-server/behaviour.ts";
import { value } from "../expectation.ts";
import { sum } from "../harness/figures.ts";
import { INCIDENTS, incidentUrl, STATUS } from "../sites/datacentre.ts";
import { FILMFEST } from "../sites/filmfest.ts";
import { FLATS, RENTALS } from "../sites/rentals.ts";
import { ends, opens, step, type Task } from "../task.ts";

const CRITICAL = INCIDENTS.filter(({ severity }) => severity === "critical");
const DOWNTIME = sum(CRITICAL.map(({ minutes }) => minutes));
const CHEAP_FLATS = FLATS.filter(({ rent }) => rent < 1_500).length;
const pages = (url: string, count: number) =>
  Array.from({ length: count }, (_, at) => opens(`${url}?page=${at + 1}`, `page${at + 1}`));

/** Tasks whose answer is spread over several pages. */
export const FOLLOWING: Task[] = [
  {
    id: "follow-details",
    prompt: `For how many minutes were systems down in all critical incidents together? The list is at ${STATUS}/incidents; each incident's own page has its downtime.`,
    want: value(DOWNTIME),
    solution: [
      step(opens(`${STATUS}/incidents`)),
      step(...CRITICAL.map(({ id }) => opens(incidentUrl(id), `incident${id}`))),
      ends(`The critical incidents caused ${DOWNTIME} minutes of downtime.`),
    ],
  },
  {
    id: "follow-pages",
    prompt: `Go through all pages of ${RENTALS}/flats. How many flats cost less than €1,500 a month?`,
    want: value(CHEAP_FLATS),
    solution: [
      step(...pages(`${RENTALS}/flats`, 3)),
      step(
        call("process_data", {
          sources: [1, 2, 3].map((at) => ({ callId: `page${at}` })),
          extract: { kind: "table" },
          operations: [
            { op: "filter", column: "Rent", test: "lt", value: 1_500 },
            { op: "aggregate", aggregates: [{ fn: "count" }] },
          ],
        }),
      ),
      ends(`${CHEAP_FLATS} flats cost less than that.`),
    ],
  },
  {
    id: "follow-link",
    prompt: `When was the festival's news about the shuttle published? Start at ${FILMFEST}/`,
    want: value("7 June 2026"),
    solution: [
      step(opens(`${FILMFEST}/`)),
      step(opens(`${FILMFEST}/news/shuttle`, "news")),
      ends("The news about the shuttle was published on 7 June 2026."),
    ],
  },
];
