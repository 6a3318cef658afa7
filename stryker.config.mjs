import { readdirSync, readFileSync } from "node:fs";

/** The rooms whose rules decide. `ROOM=deliveries npm run test:mutants` tries one of them. */
const ROOMS = [
  "accounts",
  "executions/journal",
  "executions/machine",
  "deliveries",
  "intake/checks",
  "endpoints",
  "intake/routing",
  "intake/signatures",
];
/** Lines that are tried together, so that what a mutant covers is rarely cut. */
const WINDOW = 6;
/** `SAMPLE=10 npm run test:mutants` tries the mutants of every tenth window: minutes in place of hours. */
const { ROOM, SAMPLE = "1" } = process.env;

const rooms = ROOM === undefined ? ROOMS : [ROOM];
const files = rooms
  .flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true }).map((file) => `src/${room}/${file}`),
  )
  // The senders are data, which their own tests read.
  .filter((file) => file.endsWith(".ts") && !file.includes("/presets/"))
  .sort();
let windows = 0;

/** Returns every SAMPLE-th window of a file's lines, counted over all files. */
function sampled(file) {
  const lines = readFileSync(file, "utf8").split("\n").length;
  const starts = Array.from({ length: Math.ceil(lines / WINDOW) }, (_, at) => at * WINDOW + 1);
  return starts.flatMap((start) => {
    windows += 1;
    return windows % Number(SAMPLE) === 0 ? [`${file}:${start}-${start + WINDOW - 1}`] : [];
  });
}

export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "vitest.mutants.config.ts" },
  mutate: SAMPLE === "1" ? files : files.flatMap(sampled),
  // Stryker rewrites a tsconfig.json by an API that TypeScript 7 lacks; the copies need no rewriting.
  tsconfigFile: "none.json",
  // The tests' own inputs too: a test file that fails to load is left out without a word.
  ignorePatterns: [
    "*",
    "!src",
    "!src/**",
    "!test",
    "!test/**",
    "!scripts",
    "!scripts/**",
    "!*.json",
    "!README.md",
    "!vitest.mutants.config.ts",
  ],
  coverageAnalysis: "perTest",
  // A mutant of what a module does when it loads would take a fresh process for each.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ["clear-text", "json"],
  clearTextReporter: { logTests: false, reportMutants: false },
  jsonReporter: {
    fileName: `node_modules/.cache/mutants/${(ROOM ?? "all").replace("/", "-")}.json`,
  },
};
