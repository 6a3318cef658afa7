import { type Site, tablePage } from "../harness/site.ts";

/** The origin of the weather service's site. */
export const METEO = "http://meteo.example";

const STATION_ROWS = [
  ["KVD", "Kvilda", "Highlands", 1062, 84.2, 19.4, 3.1, 38],
  ["ODR", "Odra Mouth", "Coast", 4, 41.7, 24.8, 12.6, 71],
  ["TSL", "Tessel", "Coast", 11, 55.3, 22.1, 13.9, 83],
  ["MRN", "Marena", "Plains", 187, 23.9, 31.2, 14.4, 29],
  ["PLH", "Pelhim", "Plains", 231, 30.5, 29.7, 11.8, 33],
  ["GRT", "Grat Pass", "Highlands", 2140, 112.8, 11.3, -4.2, 97],
  ["SUL", "Sulna", "Lakes", 402, 62.4, 25.5, 9.7, 26],
  ["BRV", "Brevik Lake", "Lakes", 388, 58.1, 26.3, 10.2, 22],
  ["HOL", "Holmsund", "Coast", 7, 47.6, 23.4, 12.9, 64],
  ["DRY", "Dryfield", "Plains", 156, 12.3, 34.6, 16.1, 31],
] as const;

/** The strongest gust at each station, in km/h. */
export const GUSTS = STATION_ROWS.map(([, , , , , , , gust]) => gust);

/** A weather service and its stations. */
export const METEO_SITE: Site = {
  host: "meteo.example",
  pages: {
    "/stations": tablePage(
      "Stations in May",
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
      STATION_ROWS,
    ),
  },
};
