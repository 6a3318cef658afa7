import { join } from "node:path";
import { failWith, ROOT } from "./local/project.ts";
import { buildPackage } from "./package/build.ts";

/** `npm run build`: the client and the command line as they are installed. npm runs it after `npm ci`. */
buildPackage(join(ROOT, "dist")).catch(failWith);
