import { type Site, tablePage } from "../harness/site.ts";

/** The origins of the sites of two utilities. */
export const BOREAL = "http://boreal.example";
export const SOLANA = "http://solana.example";

type PlantRow = readonly [
  plant: string,
  source: string,
  capacity: number,
  output: number,
  built: number,
  country: string,
];

const BOREAL_ROWS: PlantRow[] = [
  ["Arn Ridge", "wind", 84, 221.5, 2012, "Norway"],
  ["Belle Dam", "hydro", 310, 1140.2, 1978, "Norway"],
  ["Cliff Edge", "wind", 126, 362.8, 2017, "Scotland"],
  ["Dove Bay", "tidal", 18, 31.4, 2021, "Scotland"],
  ["Eider Fjord", "hydro", 195, 702.9, 1991, "Norway"],
  ["Frost Plain", "wind", 60, 149.3, 2009, "Finland"],
];

const SOLANA_ROWS: PlantRow[] = [
  ["Almeria One", "solar", 150, 289.7, 2019, "Spain"],
  ["Bahia Sol", "solar", 95, 181.2, 2015, "Spain"],
  ["Campo Alto", "wind", 72, 158.6, 2014, "Portugal"],
  ["Dos Rios", "hydro", 140, 376.4, 1985, "Spain"],
  ["Estrela", "solar", 210, 401.9, 2022, "Portugal"],
];

const figures = ([plant, , capacity, output]: PlantRow) => ({ plant, capacity, output });
export const BOREAL_PLANTS = BOREAL_ROWS.map(figures);
export const SOLANA_PLANTS = SOLANA_ROWS.map(figures);

export const BOREAL_TARIFFS = [
  { tariff: "Basic", fee: 7.5, kwh: 31.2 },
  { tariff: "Night", fee: 9, kwh: 26.4 },
  { tariff: "Green", fee: 8.25, kwh: 29.9 },
  { tariff: "Business", fee: 24, kwh: 22.7 },
];

export const SOLANA_TARIFFS = [
  { tariff: "Basic", fee: 6.9, kwh: 32.8 },
  { tariff: "Night", fee: 8.4, kwh: 27.1 },
  { tariff: "Green", fee: 9.1, kwh: 28.6 },
  { tariff: "Family", fee: 11.3, kwh: 25.5 },
];

const OUTAGE_ROWS = [
  ["2026-06-01", "Ostby", 45, "1,200", "storm"],
  ["2026-06-03", "Vik", 130, "310", "cable fault"],
  ["2026-06-07", "Ostby", 15, "2,400", "maintenance"],
  ["2026-06-10", "Lunde", 220, "95", "storm"],
  ["2026-06-12", "Vik", 60, "780", "storm"],
  ["2026-06-14", "Ostby", 25, "560", "cable fault"],
] as const;

export const OUTAGES = OUTAGE_ROWS.map(([, area, minutes]) => ({ area, minutes }));

const plantsPage = (title: string, plants: readonly PlantRow[]) =>
  tablePage(
    title,
    ["Plant", "Source", "Capacity (MW)", "Output (GWh)", "Built", "Country"],
    plants.map(([plant, source, capacity, output, built, country]) => [
      plant,
      source,
      capacity,
      output.toLocaleString("en"),
      built,
      country,
    ]),
  );

const tariffsPage = (title: string, tariffs: typeof BOREAL_TARIFFS) =>
  tablePage(
    title,
    ["Tariff", "Monthly fee", "Cents per kWh"],
    tariffs.map(({ tariff, fee, kwh }) => [tariff, `€${fee.toFixed(2)}`, kwh]),
  );

/** Two utilities with the same kinds of pages. */
export const ENERGY_SITES: Site[] = [
  {
    host: "boreal.example",
    pages: {
      "/plants": plantsPage("Plants of Boreal Power", BOREAL_ROWS),
      "/tariffs": tariffsPage("Tariffs of Boreal Power", BOREAL_TARIFFS),
      "/outages": tablePage(
        "Outages",
        ["Date", "Area", "Minutes", "Homes affected", "Cause"],
        OUTAGE_ROWS,
      ),
    },
  },
  {
    host: "solana.example",
    pages: {
      "/plants": plantsPage("Plants of Solana Energia", SOLANA_ROWS),
      "/tariffs": tariffsPage("Tariffs of Solana Energia", SOLANA_TARIFFS),
    },
  },
];
