/** The rooms whose rules decide. `ROOM=callbacks npm run test:mutants` tries one of them. */
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
const { ROOM } = process.env;

export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "vitest.mutants.config.ts" },
  mutate: (ROOM === undefined ? ROOMS : [ROOM]).map((room) => `src/${room}/**/*.ts`),
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
