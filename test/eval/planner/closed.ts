import { AIRPORT_CLOSED } from "./closed/airport.ts";
import { APIARY_CLOSED } from "./closed/apiary.ts";
import { DATACENTRE_CLOSED } from "./closed/datacentre.ts";
import { ENERGY_CLOSED } from "./closed/energy.ts";
import { FILMFEST_CLOSED } from "./closed/filmfest.ts";
import { METEO_CLOSED } from "./closed/meteo.ts";
import { MUSEUM_CLOSED } from "./closed/museum.ts";
import { PHARMACY_CLOSED } from "./closed/pharmacy.ts";
import { RENTALS_CLOSED } from "./closed/rentals.ts";
import { SHELTER_CLOSED } from "./closed/shelter.ts";
import type { CasesByDomain } from "./harness/cases.ts";

/** The cases of the closed half, by domain. */
export const CLOSED: CasesByDomain = {
  museum: MUSEUM_CLOSED,
  meteo: METEO_CLOSED,
  airport: AIRPORT_CLOSED,
  shelter: SHELTER_CLOSED,
  apiary: APIARY_CLOSED,
  pharmacy: PHARMACY_CLOSED,
  datacentre: DATACENTRE_CLOSED,
  rentals: RENTALS_CLOSED,
  filmfest: FILMFEST_CLOSED,
  energy: ENERGY_CLOSED,
};
