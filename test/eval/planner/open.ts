import type { CasesByDomain } from "./harness/cases.ts";
import { AIRPORT_OPEN } from "./open/airport.ts";
import { APIARY_OPEN } from "./open/apiary.ts";
import { DATACENTRE_OPEN } from "./open/datacentre.ts";
import { ENERGY_OPEN } from "./open/energy.ts";
import { FILMFEST_OPEN } from "./open/filmfest.ts";
import { METEO_OPEN } from "./open/meteo.ts";
import { MUSEUM_OPEN } from "./open/museum.ts";
import { PHARMACY_OPEN } from "./open/pharmacy.ts";
import { RENTALS_OPEN } from "./open/rentals.ts";
import { SHELTER_OPEN } from "./open/shelter.ts";

/** The cases of the open half, by domain. */
export const OPEN: CasesByDomain = {
  museum: MUSEUM_OPEN,
  meteo: METEO_OPEN,
  airport: AIRPORT_OPEN,
  shelter: SHELTER_OPEN,
  apiary: APIARY_OPEN,
  pharmacy: PHARMACY_OPEN,
  datacentre: DATACENTRE_OPEN,
  rentals: RENTALS_OPEN,
  filmfest: FILMFEST_OPEN,
  energy: ENERGY_OPEN,
};
