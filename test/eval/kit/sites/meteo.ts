import { csvPage, html, jsonPage, link, type Site, table } from "../harness/site.ts";

/** The origin of the weather service's site. */
export const METEO = "http://meteo.example";

export const STATIONS = [
  {
    code: "KVD",
    station: "Kvilda",
    region: "Highlands",
    elevation: 1062,
    rain: 84.2,
    high: 19.4,
    low: 3.1,
    wind: 38,
  },
  {
    code: "ODR",
    station: "Odra Mouth",
    region: "Coast",
    elevation: 4,
    rain: 41.7,
    high: 24.8,
    low: 12.6,
    wind: 71,
  },
  {
    code: "TSL",
    station: "Tessel",
    region: "Coast",
    elevation: 11,
    rain: 55.3,
    high: 22.1,
    low: 13.9,
    wind: 83,
  },
  {
    code: "MRN",
    station: "Marena",
    region: "Plains",
    elevation: 187,
    rain: 23.9,
    high: 31.2,
    low: 14.4,
    wind: 29,
  },
  {
    code: "PLH",
    station: "Pelhim",
    region: "Plains",
    elevation: 231,
    rain: 30.5,
    high: 29.7,
    low: 11.8,
    wind: 33,
  },
  {
    code: "GRT",
    station: "Grat Pass",
    region: "Highlands",
    elevation: 2140,
    rain: 112.8,
    high: 11.3,
    low: -4.2,
    wind: 97,
  },
  {
    code: "SUL",
    station: "Sulna",
    region: "Lakes",
    elevation: 402,
    rain: 62.4,
    high: 25.5,
    low: 9.7,
    wind: 26,
  },
  {
    code: "BRV",
    station: "Brevik Lake",
    region: "Lakes",
    elevation: 388,
    rain: 58.1,
    high: 26.3,
    low: 10.2,
    wind: 22,
  },
  {
    code: "HOL",
    station: "Holmsund",
    region: "Coast",
    elevation: 7,
    rain: 47.6,
    high: 23.4,
    low: 12.9,
    wind: 64,
  },
  {
    code: "DRY",
    station: "Dryfield",
    region: "Plains",
    elevation: 156,
    rain: 12.3,
    high: 34.6,
    low: 16.1,
    wind: 31,
  },
] as const;

/** Daily readings at Kvilda in May 2026; five on each page. */
export const READINGS = [
  { date: "2026-05-01", rain: 0, temperature: 12.4 },
  { date: "2026-05-02", rain: 3.2, temperature: 10.9 },
  { date: "2026-05-03", rain: 11.6, temperature: 8.1 },
  { date: "2026-05-04", rain: 7.4, temperature: 7.7 },
  { date: "2026-05-05", rain: 0, temperature: 11.2 },
  { date: "2026-05-06", rain: 0, temperature: 13.8 },
  { date: "2026-05-07", rain: 1.1, temperature: 14.5 },
  { date: "2026-05-08", rain: 0, temperature: 16.3 },
  { date: "2026-05-09", rain: 22.7, temperature: 9.6 },
  { date: "2026-05-10", rain: 5.9, temperature: 9.9 },
  { date: "2026-05-11", rain: 0.4, temperature: 12.1 },
  { date: "2026-05-12", rain: 0, temperature: 15.7 },
  { date: "2026-05-13", rain: 0, temperature: 17.2 },
] as const;

const PER_PAGE = 5;
const PAGES = Math.ceil(READINGS.length / PER_PAGE);

const ALERTS = [
  { id: 301, level: "orange", hazard: "storm", region: "Coast", issued: "2026-06-14" },
  { id: 302, level: "yellow", hazard: "heat", region: "Plains", issued: "2026-06-14" },
  { id: 303, level: "red", hazard: "storm", region: "Highlands", issued: "2026-06-15" },
  { id: 304, level: "yellow", hazard: "fog", region: "Lakes", issued: "2026-06-12" },
  { id: 305, level: "yellow", hazard: "storm", region: "Lakes", issued: "2026-06-15" },
] as const;

function readingsPage(page: number) {
  const rows = READINGS.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const next = page < PAGES ? ` ${link(`/readings?page=${page + 1}`, "Next")}` : "";
  const previous = page > 1 ? link(`/readings?page=${page - 1}`, "Previous") : "";
  return html(
    `Daily readings, page ${page}`,
    `<h1>Daily readings at Kvilda</h1>${table(
      ["Date", "Rain (mm)", "Temperature (°C)"],
      rows.map(({ date, rain, temperature }) => [date, rain, temperature]),
    )}<p>${previous}${next}</p>`,
  );
}

/** A weather service: stations, paged readings, warnings as JSON, a CSV file. */
export const METEO_SITE: Site = {
  host: "meteo.example",
  pages: {
    "/": html(
      "National Weather Service",
      `<h1>National Weather Service</h1><p>Measured every ten minutes.</p><ul><li>${link("/stations", "Stations")}</li><li>${link("/readings", "Daily readings")}</li><li>${link("/glossary", "Glossary")}</li></ul>`,
    ),
    "/stations": html(
      "Stations in May",
      `<h1>Stations in May</h1>${table(
        [
          "Code",
          "Station",
          "Region",
          "Elevation (m)",
          "Rain (mm)",
          "Max °C",
          "Min °C",
          "Gust (km/h)",
        ],
        STATIONS.map((s) => [
          s.code,
          s.station,
          s.region,
          s.elevation,
          s.rain,
          s.high,
          s.low,
          s.wind,
        ]),
      )}`,
    ),
    "/readings": readingsPage(1),
    ...Object.fromEntries(
      Array.from({ length: PAGES }, (_, at) => [`/readings?page=${at + 1}`, readingsPage(at + 1)]),
    ),
    "/api/alerts": jsonPage({
      updated: "2026-06-15T08:00:00Z",
      alerts: ALERTS.map((alert) => ({ ...alert })),
    }),
    "/stations.csv": csvPage(
      ["station", "region", "elevation_m", "rain_mm"],
      STATIONS.map(({ station, region, elevation, rain }) => [station, region, elevation, rain]),
    ),
    "/glossary": html(
      "Glossary",
      `<h1>Glossary</h1><h2>Gust</h2><p>A short burst of wind.</p><h2>Isobar</h2><p>A line of equal pressure.</p><h2>Dew point</h2><p>The temperature at which vapour condenses.</p>`,
    ),
  },
};
