import { type Site, tablePage } from "../harness/site.ts";

/** The origin of the beekeepers' site. */
export const APIARY = "http://apiary.example";

const HIVE_ROWS = [
  ["H01", "Mill Field", "Carniolan", 2024, 18, 27.4, 3, "2026-06-02"],
  ["H02", "Mill Field", "Buckfast", 2023, 20, 31.9, 7, "2026-06-02"],
  ["H03", "Mill Field", "Carniolan", 2025, 12, 14.6, 1, "2026-05-24"],
  ["H04", "Lime Alley", "Italian", 2024, 22, 38.2, 5, "2026-06-08"],
  ["H05", "Lime Alley", "Buckfast", 2022, 16, 19.8, 14, "2026-05-19"],
  ["H06", "Heath", "Dark bee", 2023, 14, 22.3, 9, "2026-05-30"],
  ["H07", "Heath", "Carniolan", 2025, 10, 8.7, 0, "2026-06-11"],
  ["H08", "Heath", "Buckfast", 2024, 19, 29.5, 4, "2026-06-11"],
  ["H09", "Old Quarry", "Italian", 2023, 17, 24.1, 11, "2026-05-12"],
] as const;

export const HIVES = HIVE_ROWS.map(([hive, , , , , , mites]) => ({ hive, mites }));

export const HARVEST_2024 = [
  { yard: "Mill Field", spring: 61, summer: 102 },
  { yard: "Lime Alley", spring: 48, summer: 133 },
  { yard: "Heath", spring: 22, summer: 79 },
  { yard: "Old Quarry", spring: 37, summer: 44 },
];

export const HARVEST_2025 = [
  { yard: "Mill Field", spring: 58, summer: 117 },
  { yard: "Lime Alley", spring: 55, summer: 121 },
  { yard: "Heath", spring: 31, summer: 94 },
  { yard: "Orchard", spring: 26, summer: 39 },
];

/** The members in the order of their page. */
export const MEMBERS = [
  { name: "Hedda Falk", town: "Ystad", hives: 3, since: 2011, email: "hedda@apiary.example" },
  { name: "Nils Oberg", town: "Sjobo", hives: 2, since: 2018, email: "nils@apiary.example" },
  { name: "Farah Aziz", town: "Malmo", hives: 3, since: 2020, email: "farah@apiary.example" },
  { name: "Carl Stenson", town: "Ystad", hives: 1, since: 2007, email: "carl@apiary.example" },
];

const harvestPage = (year: number, harvest: typeof HARVEST_2024) =>
  tablePage(
    `Harvest ${year}`,
    ["Yard", "Spring (kg)", "Summer (kg)"],
    harvest.map(({ yard, spring, summer }) => [yard, spring, summer]),
  );

/** A beekeepers' club: hives, two harvests to compare, members. */
export const APIARY_SITE: Site = {
  host: "apiary.example",
  pages: {
    "/hives": tablePage(
      "Hives",
      ["Hive", "Yard", "Breed", "Queen year", "Frames", "Honey (kg)", "Mites", "Inspected"],
      HIVE_ROWS,
    ),
    "/harvest/2024": harvestPage(2024, HARVEST_2024),
    "/harvest/2025": harvestPage(2025, HARVEST_2025),
    "/members": tablePage(
      "Members",
      ["Name", "Town", "Hives", "Member since", "E-mail"],
      MEMBERS.map(({ name, town, hives, since, email }) => [
        name,
        town,
        hives,
        since,
        `<a href="mailto:${email}">${email}</a>`,
      ]),
    ),
  },
};
