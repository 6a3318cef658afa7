import { join } from "node:path";
import { ROOT } from "./local/project.ts";
import { failWith } from "./local/trouble.ts";
import { buildPackage } from "./package/build.ts";

/** `npm run build`: the client as it is installed. npm runs it after `npm ci` as well. */
buildPackage(join(ROOT, "dist")).catch(failWith);
