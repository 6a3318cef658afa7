import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, open, readFile, statfs } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorker } from "./local/build.ts";
import { HAS_CHROMIUM } from "./local/chromium.ts";
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

/** What `npm test` runs side by side: two cores are busy with it. */
const LANES = {
  check: ["npm", "run", "--silent", "check"],
  worker: tests("worker"),
  fault: tests("fault"),
  // One process loads each module once; the other core is another lane's.
  unit: [...tests("unit"), "--no-file-parallelism"],
  ...(HAS_CHROMIUM && { browser: tests("browser") }),
};

/**
 * What `npm run test:release` runs: deployments with the real wrangler, the built package and Worker, linters
 * and generators of the API's document, local starts, states of earlier versions, backups, and every page of
 * the dashboard. Deployments and the test of the build write the site of this checkout, one after the other.
 */
const RELEASE_LANES = {
  deploy: tests("deploy", "build"),
  stored: tests("stored", "local"),
  ...(HAS_CHROMIUM && { pages: tests("pages") }),
};

/** What measures the Worker's start, once nothing else runs. */
const ALONE: [string, string[]] = ["start", tests("start")];

/** The lanes that wait for nothing else, and compute while the others wait for kills, alarms and browsers. */
const LAST = ["check", "unit"];
/** How much later than the others, in the kernel's measure, those get the processor. */
const NICENESS = 5;

const LOGS = join(ROOT, "test-results");
/** Where Linux keeps files in memory, and what the tests' may take at most. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * How glibc manages the memory of what the tests start. Each start of workerd copies its configuration a
 * hundred times, five megabytes each, and a virtual machine pays for each page that is new: what a process
 * has had stays its own, in huge pages.
 */
const GLIBC_TUNABLES = [
  "glibc.malloc.hugetlb=1",
  "glibc.malloc.mmap_threshold=1073741824",
  "glibc.malloc.trim_threshold=2147483648",
].join(":");

/** Where Node keeps what it has compiled: programs of the tests load the same modules again and again. */
const NODE_COMPILE_CACHE = join(ROOT, "node_modules/.cache/prompthook-compiled");

interface Lane {
  name: string;
  log: string;
  code: number;
  output: string;
}

/**
 * `npm test` and, with the argument `release`, `npm run test:release`: runs all lanes to their end, keeps what
 * each prints in test-results, and ends with what failed, so that the last lines say why a run is red.
 */
async function main(): Promise<void> {
  await mkdir(LOGS, { recursive: true });
  const temporary = await temporaryFolder();
  process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  // Two lanes start services from it. What does not build, they report.
  await buildWorker().catch(() => undefined);
  const isRelease = process.argv.includes("release");
  const chosen = Object.entries(isRelease ? RELEASE_LANES : LANES);
  const lanes = await Promise.all(chosen.map((lane) => run(lane, temporary)));
  if (isRelease) lanes.push(await run(ALONE, temporary));
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

/** Makes a folder for temporary files, in memory if there is room: databases wait for a disk at each commit. */
async function temporaryFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const mounts = (await readFile("/proc/mounts", "utf8").catch(() => "")).split("\n");
  const mount = mounts.find((line) => line.split(" ")[1] === MEMORY) ?? "noexec";
  // Tests install programs there and run them, which some containers forbid.
  const isFit = bavail * bsize > ROOM_BYTES && !mount.includes("noexec");
  return mkdtemp(join(isFit ? MEMORY : tmpdir(), "prompthook-tests-"));
}

async function run(
  [name, [program = "", ...args]]: [string, string[]],
  TMPDIR: string,
): Promise<Lane> {
  const log = join("test-results", `${name}.log`);
  console.log(`${name}: ${log}`);
  const began = performance.now();
  const file = await open(join(ROOT, log), "w");
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, TMPDIR, GLIBC_TUNABLES, NODE_COMPILE_CACHE },
    stdio: ["ignore", file.fd, file.fd],
  });
  if (child.pid !== undefined && LAST.includes(name)) setPriority(child.pid, NICENESS);
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
