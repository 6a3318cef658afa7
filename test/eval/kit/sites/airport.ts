import { html, link, type Site, table } from "../harness/site.ts";

/** The origin of the airport's site. */
export const AIRPORT = "http://airport.example";

export const DEPARTURES = [
  {
    flight: "NV 214",
    airline: "Norvia",
    destination: "Porto",
    time: "06:20",
    gate: "A4",
    status: "Departed",
    delay: 0,
    seats: 174,
  },
  {
    flight: "SK 881",
    airline: "Skerry Air",
    destination: "Reykjavik",
    time: "07:05",
    gate: "B2",
    status: "Departed",
    delay: 12,
    seats: 132,
  },
  {
    flight: "NV 230",
    airline: "Norvia",
    destination: "Vienna",
    time: "08:40",
    gate: "A1",
    status: "Boarding",
    delay: 0,
    seats: 180,
  },
  {
    flight: "TL 017",
    airline: "Tollan",
    destination: "Mexico City",
    time: "09:15",
    gate: "C7",
    status: "Delayed",
    delay: 95,
    seats: 296,
  },
  {
    flight: "SK 902",
    airline: "Skerry Air",
    destination: "Bergen",
    time: "09:50",
    gate: "B5",
    status: "Scheduled",
    delay: 0,
    seats: 98,
  },
  {
    flight: "AM 455",
    airline: "Amihan",
    destination: "Manila",
    time: "10:30",
    gate: "C2",
    status: "Delayed",
    delay: 40,
    seats: 310,
  },
  {
    flight: "NV 256",
    airline: "Norvia",
    destination: "Athens",
    time: "11:10",
    gate: "A4",
    status: "Cancelled",
    delay: 0,
    seats: 180,
  },
  {
    flight: "TL 033",
    airline: "Tollan",
    destination: "Bogota",
    time: "12:45",
    gate: "C5",
    status: "Scheduled",
    delay: 0,
    seats: 288,
  },
  {
    flight: "SK 917",
    airline: "Skerry Air",
    destination: "Vienna",
    time: "13:25",
    gate: "B1",
    status: "Delayed",
    delay: 25,
    seats: 141,
  },
  {
    flight: "NV 288",
    airline: "Norvia",
    destination: "Lisbon",
    time: "15:00",
    gate: "A2",
    status: "Scheduled",
    delay: 0,
    seats: 168,
  },
] as const;

const ARRIVALS = [
  {
    flight: "NV 213",
    airline: "Norvia",
    origin: "Porto",
    time: "05:45",
    status: "Landed",
    belt: 3,
  },
  {
    flight: "AM 454",
    airline: "Amihan",
    origin: "Manila",
    time: "06:55",
    status: "Landed",
    belt: 7,
  },
  {
    flight: "SK 880",
    airline: "Skerry Air",
    origin: "Reykjavik",
    time: "07:30",
    status: "Landed",
    belt: 2,
  },
  {
    flight: "NV 231",
    airline: "Norvia",
    origin: "Vienna",
    time: "10:05",
    status: "Expected",
    belt: 4,
  },
  {
    flight: "TL 018",
    airline: "Tollan",
    origin: "Mexico City",
    time: "10:20",
    status: "Diverted",
    belt: 0,
  },
  {
    flight: "SK 903",
    airline: "Skerry Air",
    origin: "Bergen",
    time: "11:35",
    status: "Expected",
    belt: 1,
  },
] as const;

export const PARKING = [
  { zone: "P1 Short stay", day: 38, week: 190, walk: 2, places: 420 },
  { zone: "P2 Covered", day: 26, week: 128, walk: 6, places: 1150 },
  { zone: "P3 Economy", day: 14, week: 62, walk: 15, places: 3400 },
  { zone: "P4 Holiday", day: 11.5, week: 49, walk: 24, places: 2600 },
  { zone: "P5 Motorbikes", day: 6, week: 30, walk: 4, places: 180 },
] as const;

export const LOUNGES = [
  { name: "Aurora Lounge", pier: "A", entry: 42, opens: "05:00", showers: "yes" },
  { name: "Harbour Lounge", pier: "B", entry: 35, opens: "06:00", showers: "no" },
  { name: "Zenith Club", pier: "C", entry: 58, opens: "04:30", showers: "yes" },
] as const;

/** An airport: departures, arrivals, parking and lounges. */
export const AIRPORT_SITE: Site = {
  host: "airport.example",
  pages: {
    "/": html(
      "Skarvik Airport",
      `<h1>Skarvik Airport</h1><nav>${link("/departures", "Departures")} ${link("/arrivals", "Arrivals")} ${link("/parking", "Parking")} ${link("/lounges", "Lounges")}</nav><p>Lost something? Write to lost@airport.example or call +47 70 00 12 34.</p>`,
    ),
    "/departures": html(
      "Departures",
      `<h1>Departures</h1><p>Monday, 15 June 2026</p>${table(
        ["Flight", "Airline", "Destination", "Time", "Gate", "Status", "Delay (min)", "Seats"],
        DEPARTURES.map((f) => [
          f.flight,
          f.airline,
          f.destination,
          f.time,
          f.gate,
          f.status,
          f.delay,
          f.seats,
        ]),
      )}`,
    ),
    "/arrivals": html(
      "Arrivals",
      `<h1>Arrivals</h1>${table(
        ["Flight", "Airline", "From", "Time", "Status", "Belt"],
        ARRIVALS.map((f) => [
          f.flight,
          f.airline,
          f.origin,
          f.time,
          f.status,
          f.belt === 0 ? "–" : f.belt,
        ]),
      )}`,
    ),
    "/parking": html(
      "Parking",
      `<h1>Parking</h1>${table(
        ["Zone", "Per day", "Per week", "Walk (min)", "Spaces"],
        PARKING.map((p) => [
          p.zone,
          `€${p.day.toFixed(2)}`,
          `€${p.week.toFixed(2)}`,
          p.walk,
          p.places,
        ]),
      )}`,
    ),
    "/lounges": html(
      "Lounges",
      `<h1>Lounges</h1>${LOUNGES.map(
        ({ name, pier, entry, opens, showers }) =>
          `<div class="card"><h2>${name}</h2><ul><li>Pier: ${pier}</li><li>Entry: €${entry}</li><li>Opens: ${opens}</li><li>Showers: ${showers}</li></ul></div>`,
      ).join("")}`,
    ),
  },
};
