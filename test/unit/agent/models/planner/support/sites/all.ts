import { SITE, type Site } from "../site.ts";
import { CAMPUS } from "./campus.ts";
import { JOB_BOARD } from "./jobs.ts";
import { KITCHEN } from "./kitchen.ts";
import { LEAGUE } from "./league.ts";
import { LEISURE } from "./leisure.ts";
import { LIBRARY } from "./library.ts";
import { MARINA } from "./marina.ts";
import { NEWS } from "./news.ts";
import { RECORDS } from "./records.ts";
import { SUPPLIERS } from "./suppliers.ts";

/** All sites in memory, as one web. */
export const WEB: Site = {
  ...SITE,
  ...CAMPUS,
  ...JOB_BOARD,
  ...KITCHEN,
  ...LEAGUE,
  ...LEISURE,
  ...LIBRARY,
  ...MARINA,
  ...NEWS,
  ...RECORDS,
  ...SUPPLIERS,
};
