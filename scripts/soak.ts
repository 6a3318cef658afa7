import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { failWith, ROOT, UserError } from "./local/project.ts";

/** `npm run test:soak -- [--kills <n>] [--webhooks <n>]`: runs the long tests at this size. */
function main(): void {
  const { kills, webhooks } = readOptions();
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--config", "vitest.soak.config.ts"], {
    cwd: ROOT,
    env: { ...process.env, SOAK_KILLS: kills, SOAK_WEBHOOKS: webhooks },
    stdio: "inherit",
  });
  child.once("exit", (code) => process.exit(code ?? 1));
}

function readOptions(): { kills: string; webhooks: string } {
  const { values } = parse();
  for (const [name, value] of Object.entries(values)) {
    if (!/^[1-9]\d*$/.test(value)) {
      throw new UserError(`--${name} is ${value}. It must be a whole number from 1.`);
    }
  }
  return values;
}

function parse() {
  try {
    return parseArgs({
      options: {
        kills: { type: "string", default: "10" },
        webhooks: { type: "string", default: "10000" },
      },
    });
  } catch {
    throw new UserError("Usage: npm run test:soak -- [--kills <number>] [--webhooks <number>]");
  }
}

try {
  main();
} catch (error) {
  failWith(error);
}
