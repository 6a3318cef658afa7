import type { Site } from "../harness/site.ts";
import { AIRPORT_SITE } from "./airport.ts";
import { APIARY_SITE } from "./apiary.ts";
import { STATUS_SITE } from "./datacentre.ts";
import { ENERGY_SITE } from "./energy.ts";
import { FILMFEST_SITE } from "./filmfest.ts";
import { HANDBOOK_SITE } from "./handbook.ts";
import { METEO_SITE } from "./meteo.ts";
import { MINUTES_SITE } from "./minutes.ts";
import { PHARMACY_SITE } from "./pharmacy.ts";
import { RENTALS_SITE } from "./rentals.ts";
import { SAAS_SITE } from "./saas.ts";

/** All sites that the tasks name. */
export const SITES: Site[] = [
  METEO_SITE,
  AIRPORT_SITE,
  APIARY_SITE,
  PHARMACY_SITE,
  STATUS_SITE,
  RENTALS_SITE,
  FILMFEST_SITE,
  ENERGY_SITE,
  HANDBOOK_SITE,
  MINUTES_SITE,
  SAAS_SITE,
];
