import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { HAS_CHROMIUM } from "./scripts/local/chromium.ts";
import { answerDocument } from "./scripts/local/documents/read.ts";
import { readLocalOptions } from "./scripts/local/options.ts";
import { workerBindings } from "./test/support/worker/bindings.ts";
import { BUNDLED, importsFromBundle } from "./test/support/worker/bundle.ts";

/** How long a test may wait for a state, and as a whole: a busy machine may be slow, never wrong. */
const PATIENCE = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
};

/**
 * Modules are loaded once by a process, which takes one file after the other. Files share what modules
 * keep and, in the Worker, its storage: each test has an account of its own.
 */
const LOADED_ONCE = { isolate: false };

/** Services, builds and wrangler take whole cores of their own. */
const STARTS_PROGRAMS = {
  environment: "node" as const,
  ...PATIENCE,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: 1,
};

/** Routes are described without a runtime; what serves them leaves work to it. */
const WITHOUT_RUNTIME = {
  alias: { "cloudflare:workers": resolve("test/support/without-runtime.ts") },
};

/** A real browser takes a whole core. */
const inBrowser = (name: string, groupOrder: number, include: string, exclude: string[] = []) => ({
  test: {
    name,
    include: [include],
    exclude,
    environment: "node" as const,
    ...PATIENCE,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ["test/support/browser/setup.ts"],
    ...LOADED_ONCE,
    maxWorkers: 1,
    sequence: { groupOrder },
  },
});

const EVERY_PAGE = "test/browser/dashboard/pages.test.ts";
const browserProjects = HAS_CHROMIUM
  ? [
      inBrowser("browser", 3, "test/browser/**/*.test.ts", [EVERY_PAGE]),
      inBrowser("pages", 7, EVERY_PAGE),
    ]
  : [];

/** Loads what pages send to browsers as text, as the bundle of the Worker has it. */
function textOfAssets(): Plugin {
  const ASSET = /\/src\/dashboard\/(?:islands|styles)\/|\/src\/dashboard\/\w+\.svg$|\/idiomorph\//;
  return {
    name: "text-of-assets",
    enforce: "pre",
    load: (id) =>
      ASSET.test(id) ? `export default ${JSON.stringify(readFileSync(id, "utf8"))}` : null,
  };
}

/** The pool waits for all that handlers leave under way, and never ends where queues do not. */
async function optionsForPool() {
  const options = await readLocalOptions();
  const compatibilityFlags = options.compatibilityFlags.filter(
    (flag) => flag !== "queue_consumer_no_wait_for_wait_until",
  );
  // Placements of rows are tested with a second database, which no account takes by itself.
  const d1Databases = { ...options.d1Databases, SPARE: "spare" };
  return { ...options, compatibilityFlags, d1Databases };
}

export default defineConfig({
  test: {
    projects: [
      {
        resolve: WITHOUT_RUNTIME,
        plugins: [textOfAssets()],
        test: {
          name: "unit",
          ...PATIENCE,
          ...LOADED_ONCE,
          maxWorkers: 2,
          setupFiles: ["test/support/unit.ts"],
          include: ["test/unit/**/*.test.ts"],
          environment: "node",
        },
      },
      {
        plugins: [
          importsFromBundle(),
          cloudflareTest(async ({ inject }) => ({
            main: join(inject("workerBundle"), "index.mjs"),
            miniflare: {
              ...(await optionsForPool()),
              name: "prompthook",
              modulesRules: [{ type: "ESModule", include: [BUNDLED] }],
              serviceBindings: {
                ASSETS: { disk: { path: join(inject("workerBundle"), "site"), writable: false } },
                DOCUMENTS: async (request) => Response.json(await answerDocument(request)),
              },
              bindings: {
                ...workerBindings(inject("modelServerUrl")),
                ANTHROPIC_BASE_URL: inject("anthropicUrl"),
                SMTP_URL: inject("smtpUrl"),
                SEARXNG_URL: inject("searxngUrl"),
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          ...PATIENCE,
          ...LOADED_ONCE,
          // The pool keeps what an object writes until the runner sends something itself. A line behind the
          // last of that would never be sent, and the runner waits for it without end.
          disableConsoleIntercept: true,
          // A second runtime gets its files one by one, and the pool loses what objects load in between.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["test/support/worker/setup.ts"],
          globalSetup: [
            "test/support/worker/bundle.ts",
            "test/support/worker/model-server.ts",
            "test/support/worker/mail-servers.ts",
            "test/support/worker/mcp-servers.ts",
            "test/support/worker/search-server.ts",
          ],
        },
      },
      {
        test: {
          name: "fault",
          include: ["test/fault/**/*.test.ts"],
          globalSetup: ["test/fault/support/setup.ts"],
          ...STARTS_PROGRAMS,
          ...LOADED_ONCE,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "local",
          include: ["test/local/**/*.test.ts"],
          ...STARTS_PROGRAMS,
          ...LOADED_ONCE,
          sequence: { groupOrder: 9 },
        },
      },
      {
        test: {
          name: "stored",
          include: ["test/stored/**/*.test.ts"],
          ...STARTS_PROGRAMS,
          ...LOADED_ONCE,
          sequence: { groupOrder: 8 },
        },
      },
      {
        resolve: WITHOUT_RUNTIME,
        test: {
          name: "build",
          include: ["test/build/**/*.test.ts"],
          ...STARTS_PROGRAMS,
          ...LOADED_ONCE,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: "start",
          include: ["test/start/**/*.test.ts"],
          ...STARTS_PROGRAMS,
          sequence: { groupOrder: 6 },
        },
      },
      {
        test: {
          name: "deploy",
          include: ["test/deploy/**/*.test.ts"],
          ...STARTS_PROGRAMS,
          sequence: { groupOrder: 4 },
        },
      },
      ...browserProjects,
    ],
  },
});
