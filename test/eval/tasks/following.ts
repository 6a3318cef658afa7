import { call } from "../../support/model-server/behaviour.ts";
import { aList, data, parts, value } from "../expectation.ts";
import { most, sum } from "../harness/figures.ts";
import { INCIDENTS, incidentUrl, STATUS } from "../sites/datacentre.ts";
import { FILMFEST } from "../sites/filmfest.ts";
import { METEO, READINGS } from "../sites/meteo.ts";
import { EXHIBITIONS, exhibitionUrl, MUSEUM } from "../sites/museum.ts";
import { FLATS, RENTALS } from "../sites/rentals.ts";
import { ANIMALS, animalUrl, SHELTER } from "../sites/shelter.ts";
import { ends, NUMBER, opens, schemaOf, step, type Task, TEXT, TEXTS } from "../task.ts";

const CRITICAL = INCIDENTS.filter(({ severity }) => severity === "critical");
const DOWNTIME = sum(CRITICAL.map(({ minutes }) => minutes));
const CHEAP_FLATS = FLATS.filter(({ rent }) => rent < 1_500).length;
const CATS = ANIMALS.filter(({ species }) => species === "cat");
const VACCINATED_CATS = CATS.filter(({ vaccinated }) => vaccinated === "yes").map(
  ({ name }) => name,
);
const OF_GRETA = EXHIBITIONS.filter(({ curator }) => curator === "Greta Holm");
const GRETA_DATA = {
  exhibitions: OF_GRETA.map(({ title }) => title),
  works: sum(OF_GRETA.map(({ works }) => works)),
};
const RAIN_DATA = {
  wettestDay: most(READINGS, ({ rain }) => rain).date,
  totalMillimetres: sum(READINGS.map(({ rain }) => rain)),
};
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
    id: "follow-pages-and-details",
    prompt: `Which cats that are looking for a home are vaccinated? Start at ${SHELTER}/animals, which has several pages; only an animal's own page tells about vaccination. Give me the names as a list.`,
    want: parts(aList(VACCINATED_CATS)),
    solution: [
      step(...pages(`${SHELTER}/animals`, 3)),
      step(...CATS.map(({ slug }) => opens(animalUrl(slug), slug))),
      step(
        call("emit_output", {
          label: "Vaccinated cats",
          type: "json",
          value: VACCINATED_CATS,
          sources: CATS.map(({ slug }) => slug),
        }),
      ),
      ends("Two cats are vaccinated."),
    ],
  },
  {
    id: "follow-person",
    prompt: `Which exhibitions does Greta Holm curate, in the order of ${MUSEUM}/exhibitions, and how many works do they show together?`,
    outputSchema: schemaOf({ exhibitions: TEXTS, works: NUMBER }),
    want: data(GRETA_DATA),
    solution: [
      step(opens(`${MUSEUM}/exhibitions`)),
      step(...EXHIBITIONS.map(({ slug }) => opens(exhibitionUrl(slug), slug))),
      ends("She curates two exhibitions.", GRETA_DATA),
    ],
  },
  {
    id: "follow-readings",
    prompt: `From all daily readings at ${METEO}/readings: which day was the wettest, and how much rain fell in total?`,
    outputSchema: schemaOf({
      wettestDay: { ...TEXT, description: "As YYYY-MM-DD." },
      totalMillimetres: NUMBER,
    }),
    want: data(RAIN_DATA),
    solution: [
      step(...pages(`${METEO}/readings`, 3)),
      ends("The wettest day was 9 May.", RAIN_DATA),
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
