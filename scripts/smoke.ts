import { failWith } from "./local/project.ts";
import { readOptions, USAGE } from "./smoke/options.ts";
import { type Check, lineOf } from "./smoke/report.ts";
import { smoke } from "./smoke/run.ts";

/** `npm run smoke -- <url>`: checks that a running service keeps its promises. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) return console.log(USAGE);
  const { target, json } = readOptions(args, process.env);
  const tell = json ? () => undefined : (check: Check) => console.log(lineOf(check));
  const { checks, passed } = await smoke(target, tell);
  if (json) console.log(JSON.stringify({ url: target.url, passed, checks }, null, 2));
  process.exit(passed ? 0 : 1);
}

main().catch(failWith);
