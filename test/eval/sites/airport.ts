import { html, type Site, tablePage } from "../harness/site.ts";

/** The origin of the airport's site. */
export const AIRPORT = "http://airport.example";

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

/** An airport: parking, and lounges as cards. */
export const AIRPORT_SITE: Site = {
  host: "airport.example",
  pages: {
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
