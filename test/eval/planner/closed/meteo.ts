import type { CaseInput } from "../expectation.ts";
import { ascending, groups, most, sum } from "../harness/figures.ts";
import { ALERTS, METEO, READINGS, STATIONS } from "../sites/meteo.ts";
import { impossible, list, rows, value } from "../wants.ts";

/** The weather service's cases of the closed half. */
export const METEO_CLOSED: CaseInput[] = [
  {
    id: "meteo-lowest4",
    kind: "sort",
    prompt: `I want the 4 lowest lying stations, ordered by elevation from lowest to highest (${METEO}/stations).`,
    want: list(
      ascending(STATIONS, ({ elevation }) => elevation)
        .slice(0, 4)
        .map(({ station }) => station),
      { ordered: true },
    ),
  },
  {
    id: "meteo-wettest-day",
    kind: "pages",
    prompt: `On which date did it rain the most at Kvilda? The readings start at ${METEO}/readings and go over several pages, look at every page.`,
    want: value(most(READINGS, ({ rain }) => rain).date),
  },
  {
    id: "meteo-storms",
    kind: "list",
    prompt: `Fetch ${METEO}/api/alerts and list the regions that have a storm alert, with the level of each`,
    want: rows(
      ALERTS.filter(({ hazard }) => hazard === "storm").map(({ region, level }) => [region, level]),
    ),
  },
  {
    id: "meteo-region-total",
    kind: "group",
    prompt: `Total rainfall by region from ${METEO}/stations, please`,
    want: rows(
      groups(STATIONS, ({ region }) => region).map(([region, of]) => [
        region,
        sum(of.map(({ rain }) => rain)),
      ]),
    ),
  },
  {
    id: "meteo-humidity",
    kind: "impossible",
    prompt: `What's the average humidity across the coastal stations on ${METEO}/stations?`,
    want: impossible("the page has no humidity"),
  },
];
