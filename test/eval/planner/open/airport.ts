import type { CaseInput } from "../expectation.ts";
import { ascending, groups, least, mean, most, only, sum } from "../harness/figures.ts";
import { AIRPORT, ARRIVALS, DEPARTURES, LOUNGES, PARKING } from "../sites/airport.ts";
import {
  ambiguous,
  aValue,
  done,
  either,
  impossible,
  list,
  parts,
  rows,
  someRows,
  value,
} from "../wants.ts";

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
    id: "airport-norvia-destinations",
    kind: "list",
    prompt: `list all destinations that Norvia flies to from here ${AIRPORT}/departures`,
    want: list(DEPARTURES.filter((f) => f.airline === "Norvia").map((f) => f.destination)),
  },
  {
    id: "airport-delay-mean",
    kind: "average",
    prompt: `What's the average delay of the delayed departures in minutes? ${AIRPORT}/departures`,
    want: value(mean(DEPARTURES.filter(({ status }) => status === "Delayed").map((f) => f.delay))),
  },
  {
    id: "airport-week-cheapest-first",
    kind: "sort",
    prompt: `parking zones by weekly price, cheapest first. ${AIRPORT}/parking`,
    want: list(
      ascending(PARKING, ({ week }) => week).map(({ zone }) => zone),
      { ordered: true },
    ),
  },
  {
    id: "airport-lounge-entry",
    kind: "lookup",
    prompt: `entry fee of the Zenith Club? ${AIRPORT}/lounges`,
    want: value(only(LOUNGES.filter(({ name }) => name === "Zenith Club")).entry),
  },
  {
    id: "airport-manila-late",
    kind: "yesno",
    prompt: `is the flight to Manila delayed? ${AIRPORT}/departures`,
    want: either(aValue(true), aValue("Delayed")),
  },
  {
    id: "airport-mail-cancelled",
    kind: "mail",
    prompt: `Write an e-mail to travel@acme.example with subject "Cancelled today" that names the cancelled departures (flight and destination) on ${AIRPORT}/departures.`,
    want: done({
      mails: [
        {
          to: ["travel@acme.example"],
          subject: "Cancelled today",
          facts: DEPARTURES.filter(({ status }) => status === "Cancelled").flatMap((f) => [
            f.flight,
            f.destination,
          ]),
          lacks: ["Manila", "Porto", "Bergen"],
        },
      ],
    }),
  },
  {
    id: "airport-both-boards",
    kind: "compare",
    prompt: `Which destinations on ${AIRPORT}/departures have no arrival from the same city on ${AIRPORT}/arrivals?`,
    want: list(
      DEPARTURES.map((f) => f.destination).filter(
        (city) => !ARRIVALS.some(({ origin }) => origin === city),
      ),
    ),
  },
  {
    id: "airport-seats-and-first",
    kind: "parts",
    prompt: `Using ${AIRPORT}/departures, please answer both: 1) how many seats do all Norvia flights have together? 2) which flight leaves from gate C5?`,
    want: parts(
      aValue(sum(DEPARTURES.filter(({ airline }) => airline === "Norvia").map((f) => f.seats))),
      aValue(only(DEPARTURES.filter(({ gate }) => gate === "C5")).flight),
    ),
  },
  {
    id: "airport-missing-page",
    kind: "impossible",
    dead: true,
    prompt: `List the shops on ${AIRPORT}/shops`,
    want: impossible("there is no such page"),
  },
  {
    id: "airport-json",
    kind: "request",
    prompt: `POST all delayed departures (flight, delay) of ${AIRPORT}/departures as a JSON array to http://desk.example/delays`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/delays",
          body: someRows(
            DEPARTURES.filter(({ status }) => status === "Delayed").map((f) => [f.flight, f.delay]),
          ),
        },
      ],
    }),
  },
  {
    id: "airport-message-fewest-too",
    kind: "message",
    prompt: `How many spaces do all parking zones have together? ${AIRPORT}/parking`,
    messages: ["also tell me the zone with the fewest spaces"],
    want: parts(
      aValue(sum(PARKING.map(({ places }) => places))),
      aValue(least(PARKING, ({ places }) => places).zone),
    ),
  },
  {
    id: "airport-early-norvia",
    kind: "filter",
    prompt: `Norvia departures before 09:00, flight number and destination (${AIRPORT}/departures)`,
    want: rows(
      DEPARTURES.filter(({ airline, time }) => airline === "Norvia" && time < "09:00").map((f) => [
        f.flight,
        f.destination,
      ]),
    ),
  },
  {
    id: "airport-delayed-seats",
    kind: "sum",
    prompt: `How many seats are there on the delayed flights altogether? ${AIRPORT}/departures`,
    want: value(
      sum(DEPARTURES.filter(({ status }) => status === "Delayed").map(({ seats }) => seats)),
    ),
  },
  {
    id: "airport-cancelled-post",
    kind: "conditional",
    prompt: `If flight NV 256 on ${AIRPORT}/departures is cancelled, POST {"flight": "NV 256", "status": "Cancelled"} to http://desk.example/alerts`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/alerts",
          body: { is: "exactly", json: { flight: "NV 256", status: "Cancelled" } },
        },
      ],
    }),
  },
  {
    id: "airport-cheapest-parking",
    kind: "extreme",
    prompt: `what is the cheapest parking zone ${AIRPORT}/parking`,
    want: value(least(PARKING, ({ day }) => day).zone),
  },
  {
    id: "airport-two-mails",
    kind: "mail",
    prompt: `From ${AIRPORT}/departures mail the delayed flights to ops@skarvik.example (subject "Delayed") and the cancelled ones to care@skarvik.example (subject "Cancelled").`,
    want: done({
      mails: [
        {
          to: ["ops@skarvik.example"],
          subject: "Delayed",
          facts: DEPARTURES.filter(({ status }) => status === "Delayed").map(
            ({ flight }) => flight,
          ),
          lacks: ["NV 256"],
        },
        {
          to: ["care@skarvik.example"],
          subject: "Cancelled",
          facts: ["NV 256"],
          lacks: ["TL 017", "AM 455"],
        },
      ],
    }),
  },
];
