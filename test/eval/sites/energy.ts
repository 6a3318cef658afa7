import { type Site, tablePage } from "../harness/site.ts";

/** The origin of a utility's site. */
export const BOREAL = "http://boreal.example";

const PLANT_ROWS = [
  ["Arn Ridge", "wind", 84, 221.5, 2012, "Norway"],
  ["Belle Dam", "hydro", 310, 1140.2, 1978, "Norway"],
  ["Cliff Edge", "wind", 126, 362.8, 2017, "Scotland"],
  ["Dove Bay", "tidal", 18, 31.4, 2021, "Scotland"],
  ["Eider Fjord", "hydro", 195, 702.9, 1991, "Norway"],
  ["Frost Plain", "wind", 60, 149.3, 2009, "Finland"],
] as const;

export const PLANTS = PLANT_ROWS.map(([plant, , capacity, output]) => ({
  plant,
  capacity,
  output,
}));

const OUTAGE_ROWS = [
  ["2026-06-01", "Ostby", 45, "1,200", "storm"],
  ["2026-06-03", "Vik", 130, "310", "cable fault"],
  ["2026-06-07", "Ostby", 15, "2,400", "maintenance"],
  ["2026-06-10", "Lunde", 220, "95", "storm"],
  ["2026-06-12", "Vik", 60, "780", "storm"],
  ["2026-06-14", "Ostby", 25, "560", "cable fault"],
] as const;

export const OUTAGES = OUTAGE_ROWS.map(([, area, minutes]) => ({ area, minutes }));

/** A utility: its plants, and the outages of its grid. */
export const ENERGY_SITE: Site = {
  host: "boreal.example",
  pages: {
    "/plants": tablePage(
      "Plants",
      ["Plant", "Source", "Capacity (MW)", "Output (GWh)", "Built", "Country"],
      PLANT_ROWS.map(([plant, source, capacity, output, built, country]) => [
        plant,
        source,
        capacity,
        output.toLocaleString("en"),
        built,
        country,
      ]),
    ),
    "/outages": tablePage(
      "Outages",
      ["Date", "Area", "Minutes", "Homes affected", "Cause"],
      OUTAGE_ROWS,
    ),
  },
};
