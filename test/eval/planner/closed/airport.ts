import type { CaseInput } from "../expectation.ts";
import { descending, groups, least, mean, most, only, sum } from "../harness/figures.ts";
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
    id: "airport-skerry-destinations",
    kind: "list",
    prompt: `Which destinations are served by Skerry Air? Use ${AIRPORT}/departures.`,
    want: list(DEPARTURES.filter((f) => f.airline === "Skerry Air").map((f) => f.destination)),
  },
  {
    id: "airport-price-mean",
    kind: "average",
    prompt: `Calculate the average daily price of the parking zones: ${AIRPORT}/parking`,
    want: value(mean(PARKING.map(({ day }) => day))),
  },
  {
    id: "airport-seats-desc",
    kind: "sort",
    prompt: `Order the departures by number of seats, biggest plane first, and show me the flight numbers (${AIRPORT}/departures). Only the first three.`,
    want: list(
      descending(
        DEPARTURES.filter(({ seats }) => seats > 200),
        ({ seats }) => seats,
      ).map(({ flight }) => flight),
      { ordered: true },
    ),
  },
  {
    id: "airport-lounge-opens",
    kind: "lookup",
    prompt: `When does the Aurora Lounge open? Look at ${AIRPORT}/lounges`,
    want: value(only(LOUNGES.filter(({ name }) => name === "Aurora Lounge")).opens),
  },
  {
    id: "airport-bergen-cancelled",
    kind: "yesno",
    prompt: `Has the Bergen departure been cancelled? ${AIRPORT}/departures`,
    want: either(aValue(false), aValue("Scheduled")),
  },
  {
    id: "airport-mail-diverted",
    kind: "mail",
    prompt: `Inform ops@tollan.example by mail about the diverted arrivals on ${AIRPORT}/arrivals: subject "Diverted", body with the flight and where it comes from.`,
    want: done({
      mails: [
        {
          to: ["ops@tollan.example"],
          subject: "Diverted",
          facts: ARRIVALS.filter(({ status }) => status === "Diverted").flatMap((f) => [
            f.flight,
            f.origin,
          ]),
          lacks: ["Manila", "Porto", "Bergen"],
        },
      ],
    }),
  },
  {
    id: "airport-city-pairs",
    kind: "compare",
    prompt: `Which cities are a destination on ${AIRPORT}/departures and also an origin on ${AIRPORT}/arrivals?`,
    want: list(
      [...new Set(DEPARTURES.map((f) => f.destination))].filter((city) =>
        ARRIVALS.some(({ origin }) => origin === city),
      ),
    ),
  },
  {
    id: "airport-zone-and-flight",
    kind: "parts",
    prompt: `What does a week in P3 Economy cost (${AIRPORT}/parking) and at what time does flight SK 902 leave (${AIRPORT}/departures)?`,
    want: parts(
      aValue(only(PARKING.filter(({ zone }) => zone === "P3 Economy")).week),
      aValue(only(DEPARTURES.filter(({ flight }) => flight === "SK 902")).time),
    ),
  },
  {
    id: "airport-missing-hotels",
    kind: "impossible",
    dead: true,
    prompt: `Which hotel on ${AIRPORT}/hotels is the cheapest?`,
    want: impossible("there is no such page"),
  },
  {
    id: "airport-belts-json",
    kind: "request",
    prompt: `Send the landed flights with their belt numbers from ${AIRPORT}/arrivals as JSON via POST to http://desk.example/belts`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/belts",
          body: someRows(
            ARRIVALS.filter(({ status }) => status === "Landed").map((f) => [f.flight, f.belt]),
          ),
        },
      ],
    }),
  },
  {
    id: "airport-message-and-delay",
    kind: "message",
    prompt: `Which departure has the longest delay? ${AIRPORT}/departures`,
    messages: ["and please also count how many flights are scheduled"],
    want: parts(
      aValue(most(DEPARTURES, ({ delay }) => delay).flight),
      aValue(DEPARTURES.filter(({ status }) => status === "Scheduled").length),
    ),
  },
  {
    id: "airport-afternoon",
    kind: "filter",
    prompt: `Which departures leave after noon and are not delayed? Show me flight and time. ${AIRPORT}/departures`,
    want: rows(
      DEPARTURES.filter(({ status, time }) => status !== "Delayed" && time > "12:00").map((f) => [
        f.flight,
        f.time,
      ]),
    ),
  },
  {
    id: "airport-vienna-seats",
    kind: "sum",
    prompt: `Sum of seats on all flights to Vienna (${AIRPORT}/departures)`,
    want: value(
      sum(
        DEPARTURES.filter(({ destination }) => destination === "Vienna").map(({ seats }) => seats),
      ),
    ),
  },
  {
    id: "airport-bergen-post",
    kind: "conditional",
    prompt: `Check whether flight SK 902 on ${AIRPORT}/departures is delayed. Only if it is, POST {"flight": "SK 902"} to http://desk.example/delays.`,
    want: done({ sendsNothing: true }),
  },
  {
    id: "airport-dearest-parking",
    kind: "extreme",
    prompt: `Tell me the most expensive parking zone of ${AIRPORT}/parking please.`,
    want: value(most(PARKING, ({ day }) => day).zone),
  },
  {
    id: "airport-two-recipients",
    kind: "mail",
    prompt: `Please send the list of lounges with their entry fees (${AIRPORT}/lounges) to both amy@travel.example and ben@travel.example in one mail. Subject: Lounges`,
    want: done({
      mails: [
        {
          to: ["amy@travel.example", "ben@travel.example"],
          subject: "Lounges",
          facts: LOUNGES.flatMap(({ name, entry }) => [name, entry]),
        },
      ],
    }),
  },
];
