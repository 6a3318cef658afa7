import { join } from "node:path";
import { failWith, ROOT } from "./local/project.ts";
import { buildPackage } from "./package/build.ts";
import { buildSite, SITE } from "./site/build.ts";

/**
 * `npm run build`: builds the client and the command line as a package, and the documentation that is
 * deployed. npm runs it after `npm ci`.
 */
Promise.all([buildPackage(join(ROOT, "dist")), buildSite(SITE)]).catch(failWith);
