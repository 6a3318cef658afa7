import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../scripts/local/project.ts";
import { buildSite, SITE } from "../../scripts/site/build.ts";

/** Runs the project's wrangler in its folder. */
export const wrangler = (...args: string[]) =>
  promisify(execFile)(
    process.execPath,
    [join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args],
    {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_WRITE_LOGS: "false" },
    },
  );

/** Builds the Worker into a folder as it is uploaded. Returns the file, and what wrangler printed. */
export async function uploadedWorker(directory: string) {
  await buildSite(SITE);
  const bundle = join(directory, "worker.bundle");
  const outputs = [`--outdir=${directory}`, `--outfile=${bundle}`];
  // Maps are five times as large as the code, and nothing here reads them.
  const printed = await wrangler("deploy", "--dry-run", "--upload-source-maps=false", ...outputs);
  return { bundle, printed };
}
