import type { CaseInput } from "../expectation.ts";
import { ascending, groups, least, mean, most, sum } from "../harness/figures.ts";
import { ALERTS, METEO, READINGS, STATIONS } from "../sites/meteo.ts";
import { aValue, done, impossible, list, parts, rows, someRows, value } from "../wants.ts";

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
  {
    id: "meteo-hot-stations",
    kind: "filter",
    prompt: `Please show me which stations got warmer than 30 °C. ${METEO}/stations`,
    want: list(STATIONS.filter(({ high }) => high > 30).map(({ station }) => station)),
  },
  {
    id: "meteo-plains-count",
    kind: "count",
    prompt: `number of stations in the Plains region at ${METEO}/stations?`,
    want: value(STATIONS.filter(({ region }) => region === "Plains").length),
  },
  {
    id: "meteo-driest",
    kind: "extreme",
    prompt: `Which station is the driest one and how much rain did it get? ${METEO}/stations`,
    want: parts(
      aValue(least(STATIONS, ({ rain }) => rain).station),
      aValue(least(STATIONS, ({ rain }) => rain).rain),
    ),
  },
  {
    id: "meteo-inline-mean",
    kind: "inline",
    prompt: `Average of these temperatures please: 12.5, 14, 9.5, 17, 11`,
    want: value(mean([12.5, 14, 9.5, 17, 11])),
  },
  {
    id: "meteo-mail-orange",
    kind: "conditional",
    prompt: `If there's any orange alert in ${METEO}/api/alerts, send a mail to port@odra.example, subject: Storm, with the region and hazard. If there is none, do nothing.`,
    want: done({
      mails: [
        {
          to: ["port@odra.example"],
          subject: "Storm",
          facts: ALERTS.filter(({ level }) => level === "orange").flatMap(({ region, hazard }) => [
            region,
            hazard,
          ]),
          lacks: ["Highlands", "Plains", "fog"],
        },
      ],
    }),
  },
  {
    id: "meteo-coast-csv",
    kind: "file",
    prompt: `Write a csv named coast.csv: station, max and min temperature for the Coast stations of ${METEO}/stations`,
    want: done({
      files: [
        {
          name: "coast.csv",
          format: "csv",
          rows: someRows(
            STATIONS.filter(({ region }) => region === "Coast").map((s) => [
              s.station,
              s.high,
              s.low,
            ]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "meteo-inputs-region",
    kind: "inputs",
    prompt: `What is the total rain of the region named in the inputs? Use ${METEO}/stations.`,
    inputs: { region: "Lakes" },
    want: value(sum(STATIONS.filter(({ region }) => region === "Lakes").map(({ rain }) => rain))),
  },
  {
    id: "meteo-post-gust",
    kind: "request",
    prompt: `Find the strongest gust on ${METEO}/stations and POST {"station": <its station>, "gust": <the gust>} to http://desk.example/gusts`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/gusts",
          body: {
            is: "exactly",
            json: {
              station: most(STATIONS, ({ wind }) => wind).station,
              gust: most(STATIONS, ({ wind }) => wind).wind,
            },
          },
        },
      ],
    }),
  },
  {
    id: "meteo-page3",
    kind: "follow",
    prompt: `Open the third page of ${METEO}/readings and give me the highest temperature there.`,
    want: value(Math.max(...READINGS.slice(10).map(({ temperature }) => temperature))),
  },
  {
    id: "meteo-message-low",
    kind: "message",
    prompt: `Which stations are in the Plains? ${METEO}/stations`,
    messages: ["and of these only the ones above 180 metres"],
    want: list(
      STATIONS.filter(({ region, elevation }) => region === "Plains" && elevation > 180).map(
        ({ station }) => station,
      ),
    ),
  },
  {
    id: "meteo-both-regions",
    kind: "impossible",
    prompt: `Count the stations on ${METEO}/stations that got less than 20 mm and more than 90 mm of rain.`,
    want: impossible("no station can have both, the request contradicts itself"),
  },
  {
    id: "meteo-codes",
    kind: "list",
    prompt: `Give me just the codes of all the stations (${METEO}/stations).`,
    want: list(
      STATIONS.map(({ code }) => code),
      { only: true },
    ),
  },
  {
    id: "meteo-mild",
    kind: "filter",
    prompt: `Stations whose maximum was at least 20 but below 25 degrees - ${METEO}/stations`,
    want: list(
      STATIONS.filter(({ high }) => high >= 20 && high < 25).map(({ station }) => station),
    ),
  },
  {
    id: "meteo-no-purple",
    kind: "conditional",
    prompt: `Please look at ${METEO}/api/alerts and if there is an alert with hazard "flood", notify mayor@vik.example by e-mail (subject: Flood). If there isn't one, do nothing.`,
    want: done({ sendsNothing: true }),
  },
  {
    id: "meteo-mean-temperature",
    kind: "pages",
    prompt: `average temperature of all days, ${METEO}/readings - it has more pages, click through them all`,
    want: value(mean(READINGS.map(({ temperature }) => temperature))),
  },
  {
    id: "meteo-fax",
    kind: "impossible",
    prompt: `List the Coast stations of ${METEO}/stations and fax them to the harbour office at +47 70 11 22 33.`,
    want: impossible("nothing can send a fax"),
  },
  {
    id: "meteo-top-mailed",
    kind: "mail",
    prompt: `Which station of ${METEO}/stations had the most rain? Send the answer (station and mm) to water@board.example, subject "Wettest station".`,
    want: done({
      mails: [
        {
          to: ["water@board.example"],
          subject: "Wettest station",
          facts: [
            most(STATIONS, ({ rain }) => rain).station,
            most(STATIONS, ({ rain }) => rain).rain,
          ],
          lacks: ["Tessel", "Dryfield"],
        },
      ],
    }),
  },
];
