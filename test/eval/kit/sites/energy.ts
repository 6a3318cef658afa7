import { csvPage, html, link, type Site, table } from "../harness/site.ts";

/** The origins of the sites of two utilities. */
export const BOREAL = "http://boreal.example";
export const SOLANA = "http://solana.example";

export const BOREAL_PLANTS = [
  {
    plant: "Arn Ridge",
    source: "wind",
    capacity: 84,
    output: 221.5,
    built: 2012,
    country: "Norway",
  },
  {
    plant: "Belle Dam",
    source: "hydro",
    capacity: 310,
    output: 1140.2,
    built: 1978,
    country: "Norway",
  },
  {
    plant: "Cliff Edge",
    source: "wind",
    capacity: 126,
    output: 362.8,
    built: 2017,
    country: "Scotland",
  },
  {
    plant: "Dove Bay",
    source: "tidal",
    capacity: 18,
    output: 31.4,
    built: 2021,
    country: "Scotland",
  },
  {
    plant: "Eider Fjord",
    source: "hydro",
    capacity: 195,
    output: 702.9,
    built: 1991,
    country: "Norway",
  },
  {
    plant: "Frost Plain",
    source: "wind",
    capacity: 60,
    output: 149.3,
    built: 2009,
    country: "Finland",
  },
] as const;

export const SOLANA_PLANTS = [
  {
    plant: "Almeria One",
    source: "solar",
    capacity: 150,
    output: 289.7,
    built: 2019,
    country: "Spain",
  },
  {
    plant: "Bahia Sol",
    source: "solar",
    capacity: 95,
    output: 181.2,
    built: 2015,
    country: "Spain",
  },
  {
    plant: "Campo Alto",
    source: "wind",
    capacity: 72,
    output: 158.6,
    built: 2014,
    country: "Portugal",
  },
  {
    plant: "Dos Rios",
    source: "hydro",
    capacity: 140,
    output: 376.4,
    built: 1985,
    country: "Spain",
  },
  {
    plant: "Estrela",
    source: "solar",
    capacity: 210,
    output: 401.9,
    built: 2022,
    country: "Portugal",
  },
] as const;

export const BOREAL_TARIFFS = [
  { tariff: "Basic", fee: 7.5, kwh: 31.2 },
  { tariff: "Night", fee: 9, kwh: 26.4 },
  { tariff: "Green", fee: 8.25, kwh: 29.9 },
  { tariff: "Business", fee: 24, kwh: 22.7 },
] as const;

export const SOLANA_TARIFFS = [
  { tariff: "Basic", fee: 6.9, kwh: 32.8 },
  { tariff: "Night", fee: 8.4, kwh: 27.1 },
  { tariff: "Green", fee: 9.1, kwh: 28.6 },
  { tariff: "Family", fee: 11.3, kwh: 25.5 },
] as const;

export const OUTAGES = [
  { date: "2026-06-01", area: "Ostby", minutes: 45, homes: 1200, cause: "storm" },
  { date: "2026-06-03", area: "Vik", minutes: 130, homes: 310, cause: "cable fault" },
  { date: "2026-06-07", area: "Ostby", minutes: 15, homes: 2400, cause: "maintenance" },
  { date: "2026-06-10", area: "Lunde", minutes: 220, homes: 95, cause: "storm" },
  { date: "2026-06-12", area: "Vik", minutes: 60, homes: 780, cause: "storm" },
  { date: "2026-06-14", area: "Ostby", minutes: 25, homes: 560, cause: "cable fault" },
] as const;

/** Use of one household in 2026, as a CSV file. */
const USE = [
  { month: "2026-01", kwh: 412, cost: 128.5 },
  { month: "2026-02", kwh: 388, cost: 121.1 },
  { month: "2026-03", kwh: 301, cost: 94.7 },
  { month: "2026-04", kwh: 244, cost: 77.2 },
  { month: "2026-05", kwh: 198, cost: 63.4 },
] as const;

type Plant = {
  plant: string;
  source: string;
  capacity: number;
  output: number;
  built: number;
  country: string;
};

const plantsPage = (title: string, plants: readonly Plant[]) =>
  html(
    title,
    `<h1>${title}</h1>${table(
      ["Plant", "Source", "Capacity (MW)", "Output (GWh)", "Built", "Country"],
      plants.map((p) => [
        p.plant,
        p.source,
        p.capacity,
        p.output.toLocaleString("en"),
        p.built,
        p.country,
      ]),
    )}`,
  );

const tariffsPage = (
  title: string,
  tariffs: readonly { tariff: string; fee: number; kwh: number }[],
) =>
  html(
    title,
    `<h1>${title}</h1>${table(
      ["Tariff", "Monthly fee", "Cents per kWh"],
      tariffs.map(({ tariff, fee, kwh }) => [tariff, `€${fee.toFixed(2)}`, kwh]),
    )}`,
  );

/** Two utilities with the same kinds of pages. */
export const ENERGY_SITES: Site[] = [
  {
    host: "boreal.example",
    pages: {
      "/": html(
        "Boreal Power",
        `<h1>Boreal Power</h1><p>${link("/plants", "Plants")} ${link("/tariffs", "Tariffs")} ${link("/outages", "Outages")}</p><p>Service: care@boreal.example, faults@boreal.example</p>`,
      ),
      "/plants": plantsPage("Plants of Boreal Power", BOREAL_PLANTS),
      "/tariffs": tariffsPage("Tariffs of Boreal Power", BOREAL_TARIFFS),
      "/outages": html(
        "Outages",
        `<h1>Outages</h1>${table(
          ["Date", "Area", "Minutes", "Homes affected", "Cause"],
          OUTAGES.map(({ date, area, minutes, homes, cause }) => [
            date,
            area,
            minutes,
            homes.toLocaleString("en"),
            cause,
          ]),
        )}`,
      ),
      "/use.csv": csvPage(
        ["month", "kwh", "cost_eur"],
        USE.map(({ month, kwh, cost }) => [month, kwh, cost]),
      ),
    },
  },
  {
    host: "solana.example",
    pages: {
      "/": html(
        "Solana Energia",
        `<h1>Solana Energia</h1><p>${link("/plants", "Plants")} ${link("/tariffs", "Tariffs")}</p><p>hola@solana.example</p>`,
      ),
      "/plants": plantsPage("Plants of Solana Energia", SOLANA_PLANTS),
      "/tariffs": tariffsPage("Tariffs of Solana Energia", SOLANA_TARIFFS),
    },
  },
];
