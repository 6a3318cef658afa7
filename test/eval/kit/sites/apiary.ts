import { html, link, type Site, table } from "../harness/site.ts";

/** The origin of the beekeepers' site. */
export const APIARY = "http://apiary.example";

export const HIVES = [
  {
    hive: "H01",
    yard: "Mill Field",
    breed: "Carniolan",
    queen: 2024,
    frames: 18,
    honey: 27.4,
    mites: 3,
    inspected: "2026-06-02",
  },
  {
    hive: "H02",
    yard: "Mill Field",
    breed: "Buckfast",
    queen: 2023,
    frames: 20,
    honey: 31.9,
    mites: 7,
    inspected: "2026-06-02",
  },
  {
    hive: "H03",
    yard: "Mill Field",
    breed: "Carniolan",
    queen: 2025,
    frames: 12,
    honey: 14.6,
    mites: 1,
    inspected: "2026-05-24",
  },
  {
    hive: "H04",
    yard: "Lime Alley",
    breed: "Italian",
    queen: 2024,
    frames: 22,
    honey: 38.2,
    mites: 5,
    inspected: "2026-06-08",
  },
  {
    hive: "H05",
    yard: "Lime Alley",
    breed: "Buckfast",
    queen: 2022,
    frames: 16,
    honey: 19.8,
    mites: 14,
    inspected: "2026-05-19",
  },
  {
    hive: "H06",
    yard: "Heath",
    breed: "Dark bee",
    queen: 2023,
    frames: 14,
    honey: 22.3,
    mites: 9,
    inspected: "2026-05-30",
  },
  {
    hive: "H07",
    yard: "Heath",
    breed: "Carniolan",
    queen: 2025,
    frames: 10,
    honey: 8.7,
    mites: 0,
    inspected: "2026-06-11",
  },
  {
    hive: "H08",
    yard: "Heath",
    breed: "Buckfast",
    queen: 2024,
    frames: 19,
    honey: 29.5,
    mites: 4,
    inspected: "2026-06-11",
  },
  {
    hive: "H09",
    yard: "Old Quarry",
    breed: "Italian",
    queen: 2023,
    frames: 17,
    honey: 24.1,
    mites: 11,
    inspected: "2026-05-12",
  },
] as const;

export const HARVEST_2024 = [
  { yard: "Mill Field", spring: 61, summer: 102 },
  { yard: "Lime Alley", spring: 48, summer: 133 },
  { yard: "Heath", spring: 22, summer: 79 },
  { yard: "Old Quarry", spring: 37, summer: 44 },
] as const;

export const HARVEST_2025 = [
  { yard: "Mill Field", spring: 58, summer: 117 },
  { yard: "Lime Alley", spring: 55, summer: 121 },
  { yard: "Heath", spring: 31, summer: 94 },
  { yard: "Orchard", spring: 26, summer: 39 },
] as const;

const JARS = [
  { honey: "Acacia", size: 250, price: 7.2, stock: 84 },
  { honey: "Acacia", size: 500, price: 12.9, stock: 41 },
  { honey: "Lime", size: 250, price: 6.8, stock: 0 },
  { honey: "Lime", size: 500, price: 11.5, stock: 67 },
  { honey: "Heather", size: 250, price: 9.4, stock: 23 },
  { honey: "Chestnut", size: 500, price: 13.6, stock: 12 },
  { honey: "Meadow", size: 1000, price: 17.9, stock: 38 },
] as const;

/** The members in the order of their page. */
export const MEMBERS = [
  { name: "Hedda Falk", town: "Ystad", hives: 3, since: 2011, email: "hedda@apiary.example" },
  { name: "Nils Oberg", town: "Sjobo", hives: 2, since: 2018, email: "nils@apiary.example" },
  { name: "Farah Aziz", town: "Malmo", hives: 3, since: 2020, email: "farah@apiary.example" },
  { name: "Carl Stenson", town: "Ystad", hives: 1, since: 2007, email: "carl@apiary.example" },
] as const;

const harvestPage = (
  year: number,
  rows: readonly { yard: string; spring: number; summer: number }[],
) =>
  html(
    `Harvest ${year}`,
    `<h1>Harvest ${year}</h1>${table(
      ["Yard", "Spring (kg)", "Summer (kg)"],
      rows.map(({ yard, spring, summer }) => [yard, spring, summer]),
      `Honey of ${year}`,
    )}`,
  );

/** A beekeepers' club: hives, two harvests to compare, jars for sale, members. */
export const APIARY_SITE: Site = {
  host: "apiary.example",
  pages: {
    "/": html(
      "Fog Valley Beekeepers",
      `<h1>Fog Valley Beekeepers</h1><h2>Records</h2><ul><li>${link("/hives", "Hives")}</li><li>${link("/harvest/2024", "Harvest 2024")}</li><li>${link("/harvest/2025", "Harvest 2025")}</li></ul><h2>Shop</h2><ul><li>${link("/jars", "Jars of honey")}</li></ul><h2>Club</h2><ul><li>${link("/members", "Members")}</li></ul>`,
    ),
    "/hives": html(
      "Hives",
      `<h1>Hives</h1>${table(
        ["Hive", "Yard", "Breed", "Queen year", "Frames", "Honey (kg)", "Mites", "Inspected"],
        HIVES.map((h) => [
          h.hive,
          h.yard,
          h.breed,
          h.queen,
          h.frames,
          h.honey,
          h.mites,
          h.inspected,
        ]),
      )}`,
    ),
    "/harvest/2024": harvestPage(2024, HARVEST_2024),
    "/harvest/2025": harvestPage(2025, HARVEST_2025),
    "/jars": html(
      "Jars of honey",
      `<h1>Jars of honey</h1>${table(
        ["Honey", "Size (g)", "Price", "In stock"],
        JARS.map(({ honey, size, price, stock }) => [honey, size, `€${price.toFixed(2)}`, stock]),
      )}`,
    ),
    "/members": html(
      "Members",
      `<h1>Members</h1>${table(
        ["Name", "Town", "Hives", "Member since", "E-mail"],
        MEMBERS.map(({ name, town, hives, since, email }) => [
          name,
          town,
          hives,
          since,
          `<a href="mailto:${email}">${email}</a>`,
        ]),
      )}`,
    ),
  },
};
