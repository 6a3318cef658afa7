import type { CaseInput } from "../expectation.ts";
import { descending, mean, sum } from "../harness/figures.ts";
import { ALERTS, METEO, READINGS, STATIONS } from "../sites/meteo.ts";
import { impossible, list, rows, value } from "../wants.ts";

/** The weather service's cases of the open half. */
export const METEO_OPEN: CaseInput[] = [
  {
    id: "meteo-top3-gust",
    kind: "sort",
    prompt: `Show the three stations with the strongest gusts, strongest first. ${METEO}/stations`,
    want: list(
      descending(STATIONS, ({ wind }) => wind)
        .slice(0, 3)
        .map(({ station }) => station),
      { ordered: true },
    ),
  },
  {
    id: "meteo-rain-all-pages",
    kind: "pages",
    prompt: `Go through all the pages of ${METEO}/readings and add up the rain.`,
    want: value(sum(READINGS.map(({ rain }) => rain))),
  },
  {
    id: "meteo-yellow",
    kind: "list",
    prompt: `From the JSON at ${METEO}/api/alerts give me the hazard and region of every yellow alert`,
    want: rows(
      ALERTS.filter(({ level }) => level === "yellow").map(({ hazard, region }) => [
        hazard,
        region,
      ]),
    ),
  },
  {
    id: "meteo-region-rain",
    kind: "group",
    prompt: `avg rain per region pls: ${METEO}/stations`,
    want: rows(
      [...Map.groupBy(STATIONS, ({ region }) => region)].map(([region, of]) => [
        region,
        mean(of.map(({ rain }) => rain)),
      ]),
    ),
  },
  {
    id: "meteo-forecast",
    kind: "impossible",
    prompt: `Will it rain at Kvilda next Sunday? Check ${METEO}/stations`,
    want: impossible("the page has no forecast"),
  },
];
