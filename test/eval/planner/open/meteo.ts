import type { CaseInput } from "../expectation.ts";
import { descending, least, mean, only, sum } from "../harness/figures.ts";
import { ALERTS, METEO, READINGS, STATIONS } from "../sites/meteo.ts";
import { aValue, done, impossible, list, parts, rows, someRows, value } from "../wants.ts";

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
  {
    id: "meteo-wet-stations",
    kind: "filter",
    prompt: `stations with more than 50 mm of rain, ${METEO}/stations`,
    want: list(STATIONS.filter(({ rain }) => rain > 50).map(({ station }) => station)),
  },
  {
    id: "meteo-coast-count",
    kind: "count",
    prompt: `How many stations are on the coast? ${METEO}/stations (region = Coast)`,
    want: value(STATIONS.filter(({ region }) => region === "Coast").length),
  },
  {
    id: "meteo-coldest",
    kind: "extreme",
    prompt: `Where was the lowest temperature measured, and what was it? ${METEO}/stations`,
    want: parts(
      aValue(least(STATIONS, ({ low }) => low).station),
      aValue(least(STATIONS, ({ low }) => low).low),
    ),
  },
  {
    id: "meteo-inline-sum",
    kind: "inline",
    prompt: `Here are the hours of sunshine this week: Mon 4.5, Tue 7, Wed 0, Thu 9.25, Fri 6. What is the total?`,
    want: value(sum([4.5, 7, 0, 9.25, 6])),
  },
  {
    id: "meteo-mail-red",
    kind: "conditional",
    prompt: `Check ${METEO}/api/alerts. If there is a red alert, e-mail crew@harbor.example with subject "Red alert" and tell them the region.`,
    want: done({
      mails: [
        {
          to: ["crew@harbor.example"],
          subject: "Red alert",
          facts: ALERTS.filter(({ level }) => level === "red").map(({ region }) => region),
          lacks: ["Plains", "Lakes"],
        },
      ],
    }),
  },
  {
    id: "meteo-lakes-csv",
    kind: "file",
    prompt: `Save the stations of the Lakes region with their rain and gusts from ${METEO}/stations in lakes.csv`,
    want: done({
      files: [
        {
          name: "lakes.csv",
          format: "csv",
          rows: someRows(
            STATIONS.filter(({ region }) => region === "Lakes").map((s) => [
              s.station,
              s.rain,
              s.wind,
            ]),
          ),
        },
      ],
    }),
  },
  {
    id: "meteo-inputs-limit",
    kind: "inputs",
    prompt: `Which stations on ${METEO}/stations had gusts above the limit given in the inputs?`,
    inputs: { limit: 60 },
    want: list(STATIONS.filter(({ wind }) => wind > 60).map(({ station }) => station)),
  },
  {
    id: "meteo-post-rain",
    kind: "request",
    prompt: `Take the rain of Tessel from ${METEO}/stations and POST it to http://desk.example/rain as {"station": "Tessel", "mm": <rain>}`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/rain",
          body: {
            is: "exactly",
            json: {
              station: "Tessel",
              mm: only(STATIONS.filter(({ code }) => code === "TSL")).rain,
            },
          },
        },
      ],
    }),
  },
  {
    id: "meteo-page2",
    kind: "follow",
    prompt: `On which dates did it rain more than 5 mm? Only look at page 2 of the readings: ${METEO}/readings?page=2`,
    want: list(
      READINGS.slice(5, 10)
        .filter(({ rain }) => rain > 5)
        .map(({ date }) => date),
    ),
  },
  {
    id: "meteo-message-region",
    kind: "message",
    prompt: `What's the average elevation of the stations on ${METEO}/stations?`,
    messages: ["sorry, I meant only those in the Highlands"],
    want: value(
      mean(STATIONS.filter(({ region }) => region === "Highlands").map((s) => s.elevation)),
    ),
  },
  {
    id: "meteo-both-conditions",
    kind: "impossible",
    prompt: `List the stations on ${METEO}/stations that lie below 100 m and at the same time above 500 m.`,
    want: impossible("no station can be both, the request contradicts itself"),
  },
  {
    id: "meteo-headings",
    kind: "list",
    prompt: `what terms are explained on ${METEO}/glossary? just the second level headings`,
    want: list(["Gust", "Isobar", "Dew point"]),
  },
  {
    id: "meteo-between",
    kind: "filter",
    prompt: `Which stations lie between 100 and 300 m? ${METEO}/stations`,
    want: list(
      STATIONS.filter(({ elevation }) => elevation >= 100 && elevation <= 300).map(
        ({ station }) => station,
      ),
    ),
  },
  {
    id: "meteo-no-flood",
    kind: "conditional",
    prompt: `If any station on ${METEO}/stations got more than 200 mm of rain, e-mail flood@office.example with the subject "Flood". Otherwise don't send anything.`,
    want: done({ sendsNothing: true }),
  },
  {
    id: "meteo-dry-days",
    kind: "pages",
    prompt: `On how many days was there no rain at all (0 mm) at Kvilda? Take all pages of ${METEO}/readings into account`,
    want: value(READINGS.filter(({ rain }) => rain === 0).length),
  },
  {
    id: "meteo-every-morning",
    kind: "impossible",
    prompt: `Every morning at 7 send the alerts from ${METEO}/api/alerts to crew@harbor.example`,
    want: impossible("one execution cannot repeat itself every day"),
  },
  {
    id: "meteo-csv-attached",
    kind: "mail",
    prompt: `pls take ${METEO}/stations.csv, keep only the rows with region Highlands, save as highlands.csv and mail that file to data@wetter.example with subject "Highlands"`,
    want: done({
      mails: [
        {
          to: ["data@wetter.example"],
          subject: "Highlands",
          attached: [
            {
              name: "highlands.csv",
              format: "csv",
              rows: someRows(
                STATIONS.filter(({ region }) => region === "Highlands").map((s) => [
                  s.station,
                  s.region,
                  s.elevation,
                  s.rain,
                ]),
              ),
            },
          ],
        },
      ],
    }),
  },
];
