import { html, type Site, tablePage } from "../harness/site.ts";

/** The origin of the airport's site. */
export const AIRPORT = "http://airport.example";

const FLIGHTS = [
  ["NV 214", "Norvia", "Porto", "06:20", "A4", "Departed", 0, 174],
  ["SK 881", "Skerry Air", "Reykjavik", "07:05", "B2", "Departed", 12, 132],
  ["NV 230", "Norvia", "Vienna", "08:40", "A1", "Boarding", 0, 180],
  ["TL 017", "Tollan", "Mexico City", "09:15", "C7", "Delayed", 95, 296],
  ["SK 902", "Skerry Air", "Bergen", "09:50", "B5", "Scheduled", 0, 98],
  ["AM 455", "Amihan", "Manila", "10:30", "C2", "Delayed", 40, 310],
  ["NV 256", "Norvia", "Athens", "11:10", "A4", "Cancelled", 0, 180],
  ["TL 033", "Tollan", "Bogota", "12:45", "C5", "Scheduled", 0, 288],
  ["SK 917", "Skerry Air", "Vienna", "13:25", "B1", "Delayed", 25, 141],
  ["NV 288", "Norvia", "Lisbon", "15:00", "A2", "Scheduled", 0, 168],
] as const;

export const DEPARTURES = FLIGHTS.map(([flight, , destination, , , status, delay]) => ({
  flight,
  destination,
  status,
  delay,
}));

export const PARKING = [
  { zone: "P1 Short stay", day: 38, week: 190, walk: 2, places: 420 },
  { zone: "P2 Covered", day: 26, week: 128, walk: 6, places: 1150 },
  { zone: "P3 Economy", day: 14, week: 62, walk: 15, places: 3400 },
  { zone: "P4 Holiday", day: 11.5, week: 49, walk: 24, places: 2600 },
  { zone: "P5 Motorbikes", day: 6, week: 30, walk: 4, places: 180 },
];

export const LOUNGES = [
  { name: "Aurora Lounge", pier: "A", entry: 42, opens: "05:00", showers: "yes" },
  { name: "Harbour Lounge", pier: "B", entry: 35, opens: "06:00", showers: "no" },
  { name: "Zenith Club", pier: "C", entry: 58, opens: "04:30", showers: "yes" },
];

/** An airport: departures, parking, and lounges as cards. */
export const AIRPORT_SITE: Site = {
  host: "airport.example",
  pages: {
    "/departures": tablePage(
      "Departures",
      ["Flight", "Airline", "Destination", "Time", "Gate", "Status", "Delay (min)", "Seats"],
      FLIGHTS,
    ),
    "/parking": tablePage(
      "Parking",
      ["Zone", "Per day", "Per week", "Walk (min)", "Spaces"],
      PARKING.map(({ zone, day, week, walk, places }) => [
        zone,
        `€${day.toFixed(2)}`,
        `€${week.toFixed(2)}`,
        walk,
        places,
      ]),
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
