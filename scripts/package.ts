import { join } from "node:path";
import { failWith, ROOT } from "./local/project.ts";
import { buildPackage } from "./package/build.ts";

/** `npm run build`: builds the client and the command line as a package. npm runs it after `npm ci`. */
buildPackage(join(ROOT, "dist")).catch(failWith);
