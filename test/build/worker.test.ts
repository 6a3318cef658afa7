import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { folderUntilEnd } from "../support/until-end.ts";
import { uploadedWorker } from "../support/uploaded-worker.ts";

const KIB = 1_024;
/**
 * Cloudflare's free plan takes 3 MiB. The models' SDKs, the spreadsheet writer and the engine of
 * run_code make up most of it; all of them are loaded at their first use.
 */
const MAX_KIB = 1_450;
const BINDINGS = [
  "ACCOUNT",
  "AI",
  "ASSETS",
  "BROWSER",
  "CALLBACKS",
  "CALLBACKS_DEAD",
  "DB",
  "EMAIL",
  "FAILED_AUTHENTICATION",
  "INBOUND",
  "INBOUND_DEAD",
  "INBOX",
  "SESSION_HOST",
  "UNVERIFIED",
];
const VARIABLES = ["DEFAULT_MODEL", "DNS_OVER_HTTPS_URL", "EXECUTION_RETENTION_DAYS"];

const directory = await folderUntilEnd();
let printed: { stdout: string; stderr: string };

beforeAll(async () => {
  ({ printed } = await uploadedWorker(directory));
});

test("deploys exactly these bindings, without a warning", () => {
  const names = [...printed.stdout.matchAll(/^env\.(\w+) /gm)].map(([, name]) => name ?? "");
  expect(names.sort()).toEqual([...BINDINGS, ...VARIABLES].sort());
  expect(printed.stdout).toContain("--dry-run: exiting now.");
  expect(printed.stderr).not.toContain("WARNING");
});

test("is at most 1,450 KiB, built and compressed", async () => {
  const modules = (await readdir(directory)).filter((name) => /\.(?:js|wasm)$/.test(name));
  const sizes = await Promise.all(
    modules.map(async (name) => gzipSync(await readFile(join(directory, name))).length),
  );
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  console.info(`The built Worker has ${Math.round(size / KIB)} KiB, compressed.`);
  expect(size).toBeGreaterThan(0);
  expect(size).toBeLessThanOrEqual(MAX_KIB * KIB);
});
