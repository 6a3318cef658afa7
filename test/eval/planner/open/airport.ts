import type { CaseInput } from "../expectation.ts";
import { groups, most } from "../harness/figures.ts";
import { AIRPORT, DEPARTURES, PARKING } from "../sites/airport.ts";
import { ambiguous, done, list, rows, someRows, value } from "../wants.ts";

/** The airport's cases of the open half. */
export const AIRPORT_OPEN: CaseInput[] = [
  {
    id: "airport-delayed-count",
    kind: "count",
    prompt: `how many departures are delayed right now? ${AIRPORT}/departures`,
    want: value(DEPARTURES.filter(({ status }) => status === "Delayed").length),
  },
  {
    id: "airport-per-airline",
    kind: "group",
    prompt: `Count the departing flights for each airline (${AIRPORT}/departures)`,
    want: rows(groups(DEPARTURES, (f) => f.airline).map(([airline, of]) => [airline, of.length])),
  },
  {
    id: "airport-biggest-carpark",
    kind: "extreme",
    prompt: `Which car park has most spaces? See ${AIRPORT}/parking.`,
    want: value(most(PARKING, ({ places }) => places).zone),
  },
  {
    id: "airport-delayed-csv",
    kind: "file",
    prompt: `Make a CSV file called delayed.csv with the flight, destination and delay of all delayed flights on ${AIRPORT}/departures`,
    want: done({
      files: [
        {
          name: "delayed.csv",
          format: "csv",
          rows: someRows(
            DEPARTURES.filter(({ status }) => status === "Delayed").map((f) => [
              f.flight,
              f.destination,
              f.delay,
            ]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "airport-best-parking",
    kind: "ambiguous",
    prompt: `Which is the best parking zone on ${AIRPORT}/parking?`,
    want: ambiguous("best by price, by walk or by spaces"),
  },
  {
    id: "airport-vienna",
    kind: "filter",
    prompt: `Flights to Vienna today with their times and gates: ${AIRPORT}/departures`,
    want: rows(
      DEPARTURES.filter(({ destination }) => destination === "Vienna").map((f) => [
        f.flight,
        f.time,
        f.gate,
      ]),
    ),
  },
  {
    id: "airport-by-pier",
    kind: "list",
    prompt: `list all destinations that Norvia flies to from here ${AIRPORT}/departures`,
    want: list(DEPARTURES.filter((f) => f.airline === "Norvia").map((f) => f.destination)),
  },
];
