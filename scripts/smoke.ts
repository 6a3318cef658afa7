import { failWith } from "./local/trouble.ts";
import { readOptions } from "./smoke/options.ts";
import type { Check } from "./smoke/report.ts";
import { smoke } from "./smoke/run.ts";
import { lineOf } from "./smoke/tell.ts";

/** `npm run smoke -- <url>`: whether a service does from outside what it promises. */
async function main(): Promise<void> {
  const { target, json } = readOptions(process.argv.slice(2), process.env);
  const tell = json ? () => undefined : (check: Check) => console.log(lineOf(check));
  const { checks, passed } = await smoke(target, tell);
  if (json) console.log(JSON.stringify({ url: target.url, passed, checks }, null, 2));
  process.exit(passed ? 0 : 1);
}

main().catch(failWith);
