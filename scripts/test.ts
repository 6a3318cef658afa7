import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./local/project.ts";
import { failedTests, failuresOf, totalsOf } from "./test/report.ts";

const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");

/** Runs the tests of these projects. */
const tests = (...projects: string[]) => [
  process.execPath,
  VITEST,
  "run",
  ...projects.flatMap((project) => ["--project", project]),
];

/**
 * What runs side by side: two cores are busy with it, and the long lanes end at about the same time.
 * Deployments and the test of the build write the site of this checkout, one after the other.
 */
const LANES = {
  check: ["npm", "run", "--silent", "check"],
  worker: tests("worker"),
  fault: tests("fault"),
  // One process loads each module once; the other core is another lane's.
  browser: [...tests("unit", "browser"), "--no-file-parallelism"],
  deploy: tests("deploy", "build"),
};

const LOGS = join(ROOT, "test-results");

interface Lane {
  name: string;
  log: string;
  code: number;
  output: string;
}

/**
 * `npm test`: runs all lanes to their end, keeps what each prints in test-results, and ends with what
 * failed, so that the last lines say why a run is red.
 */
async function main(): Promise<void> {
  await mkdir(LOGS, { recursive: true });
  const lanes = await Promise.all(Object.entries(LANES).map(run));
  const failed = lanes.filter((lane) => lane.code !== 0);
  for (const { name, log, output } of failed) {
    console.log(`\n──── ${name} failed; all that it printed: ${log}`);
    for (const line of failuresOf(output)) console.log(line);
  }
  for (const { name, output } of failed) {
    console.log(`\nFailed: ${name}`);
    for (const test of failedTests(output)) console.log(`  ${test}`);
  }
  process.exitCode = failed.length === 0 ? 0 : 1;
}

async function run([name, [program = "", ...args]]: [string, string[]]): Promise<Lane> {
  const log = join("test-results", `${name}.log`);
  console.log(`${name}: ${log}`);
  const began = performance.now();
  const file = await open(join(ROOT, log), "w");
  const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", file.fd, file.fd] });
  await once(child, "close");
  await file.close();
  // Null for a lane that a signal ended.
  const code = child.exitCode ?? 1;
  const output = await readFile(join(ROOT, log), "utf8");
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`\n${name}: ${code === 0 ? "passed" : "FAILED"} in ${seconds} s`);
  for (const line of totalsOf(output)) console.log(line);
  return { name, log, code, output };
}

await main();
