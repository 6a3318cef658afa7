import type { CaseInput } from "../expectation.ts";
import { groups, least, sum } from "../harness/figures.ts";
import { AIRPORT, ARRIVALS, DEPARTURES, PARKING } from "../sites/airport.ts";
import { ambiguous, done, list, rows, someRows, value } from "../wants.ts";

/** The airport's cases of the closed half. */
export const AIRPORT_CLOSED: CaseInput[] = [
  {
    id: "airport-landed-count",
    kind: "count",
    prompt: `Look at ${AIRPORT}/arrivals and tell me the number of flights that have landed already.`,
    want: value(ARRIVALS.filter(({ status }) => status === "Landed").length),
  },
  {
    id: "airport-seats-per-airline",
    kind: "group",
    prompt: `I would like to know the total seats per airline on ${AIRPORT}/departures`,
    want: rows(
      groups(DEPARTURES, (f) => f.airline).map(([airline, of]) => [
        airline,
        sum(of.map(({ seats }) => seats)),
      ]),
    ),
  },
  {
    id: "airport-shortest-walk",
    kind: "extreme",
    prompt: `Which parking zone has the shortest walk to the terminal? ${AIRPORT}/parking`,
    want: value(least(PARKING, ({ walk }) => walk).zone),
  },
  {
    id: "airport-tollan-csv",
    kind: "file",
    prompt: `Export the Tollan departures from ${AIRPORT}/departures to tollan.csv. I only need the columns Flight, Destination and Time.`,
    want: done({
      files: [
        {
          name: "tollan.csv",
          format: "csv",
          header: ["Flight", "Destination", "Time"],
          rows: someRows(
            DEPARTURES.filter(({ airline }) => airline === "Tollan").map((f) => [
              f.flight,
              f.destination,
              f.time,
            ]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "airport-good-lounge",
    kind: "ambiguous",
    prompt: `Give me the top lounge of ${AIRPORT}/lounges`,
    want: ambiguous("top by no named measure"),
  },
  {
    id: "airport-skerry-arrivals",
    kind: "filter",
    prompt: `Where do the Skerry Air arrivals come from and at what time do they arrive? (${AIRPORT}/arrivals)`,
    want: rows(
      ARRIVALS.filter(({ airline }) => airline === "Skerry Air").map((f) => [f.origin, f.time]),
    ),
  },
  {
    id: "airport-gates-c",
    kind: "list",
    prompt: `Which destinations are served by Skerry Air? Use ${AIRPORT}/departures.`,
    want: list(DEPARTURES.filter((f) => f.airline === "Skerry Air").map((f) => f.destination)),
  },
];
