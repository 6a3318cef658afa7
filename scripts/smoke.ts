import { failWith } from "./local/project.ts";
import { readOptions, USAGE } from "./smoke/options.ts";
import { type Check, lineOf, unprovenLine } from "./smoke/report.ts";
import { smoke } from "./smoke/run.ts";

/** `npm run smoke -- <url>`: checks that a running service keeps its promises. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) return console.log(USAGE);
  const { target, json } = readOptions(args, process.env);
  const tell = json ? () => undefined : (check: Check) => console.log(lineOf(check));
  const report = await smoke(target, tell);
  const { checks, passed, unproven } = report;
  if (json) console.log(JSON.stringify({ url: target.url, passed, unproven, checks }, null, 2));
  else console.log(unprovenLine(report) ?? "  All is proven.");
  process.exit(passed ? 0 : 1);
}

main().catch(failWith);
