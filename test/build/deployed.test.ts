import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/local/project.ts";

const BINDINGS = [
  "ACCOUNT",
  "AI",
  "BROWSER",
  "CALLBACKS",
  "DB",
  "EMAIL",
  "INBOUND",
  "INBOX",
  "SESSION",
];
const VARIABLES = ["DEFAULT_MODEL", "DNS_OVER_HTTPS_URL", "EXECUTION_RETENTION_DAYS"];

test("wrangler takes the deployed configuration, with these bindings and no others", async () => {
  const directory = await mkdtemp(join(tmpdir(), "prompthook-deployed-"));
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const args = ["deploy", "--dry-run", "--env=production", `--outdir=${directory}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [wrangler, ...args], {
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_WRITE_LOGS: "false" },
  });
  await rm(directory, { recursive: true });
  const names = [...stdout.matchAll(/^env\.(\w+) /gm)].map(([, name]) => name ?? "");
  expect(names.sort()).toEqual([...BINDINGS, ...VARIABLES].sort());
  expect(stdout).toContain("--dry-run: exiting now.");
  expect(stderr).not.toContain("WARNING");
});
