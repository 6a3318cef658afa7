import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { readLocalOptions } from "./scripts/local/options.ts";
import { workerBindings } from "./test/support/worker/bindings.ts";

/** How long a test may wait for a state, and as a whole: a busy machine may be slow, never wrong. */
const PATIENCE = { testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

const LIBRARIES = [
  "@ai-sdk/anthropic",
  "@ai-sdk/openai-compatible",
  "@ai-sdk/provider",
  "@cfworker/json-schema",
  "@eslint-community/regexpp",
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "convert",
  "d3-scale",
  "d3-shape",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "hono",
  "hono/route",
  "htmlparser2",
  "hucre/xlsx",
  "ipaddr.js",
  "jsonata",
  "papaparse",
  "re2js",
  "temporal-polyfill",
  "tldts",
  "uuid",
  "workers-ai-provider",
  "zod",
  "zod-openapi",
];

/** The Chromium that npm installs is a program for Linux on x64. */
const hasChromium = process.platform === "linux" && process.arch === "x64";

const browserProject = hasChromium
  ? [
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          ...PATIENCE,
          hookTimeout: 120_000,
          // A real browser takes a whole core.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ]
  : [];

/** What wrangler's rules bundle as text, where Vite gives it a version and the rules miss it. */
const scriptsAsText = {
  name: "scripts-as-text",
  enforce: "pre" as const,
  async load(id: string) {
    const [path = ""] = id.split("?");
    if (!path.endsWith(".min.js")) return null;
    return `export default ${JSON.stringify(await readFile(path, "utf8"))}`;
  },
};

/** The service's lines about what goes well, which would bury what a test says. */
const isGoodNews = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .every((line) => line.startsWith('{"level":"info"'));

export default defineConfig({
  test: {
    onConsoleLog: (text) => !isGoodNews(text),
    projects: [
      {
        // Routes are described without a runtime; what serves them leaves work to it.
        resolve: { alias: { "cloudflare:workers": resolve("test/support/without-runtime.ts") } },
        test: {
          name: "unit",
          ...PATIENCE,
          include: ["test/unit/**/*.test.ts"],
          environment: "node",
        },
      },
      {
        plugins: [
          scriptsAsText,
          cloudflareTest(async ({ inject }) => ({
            main: "src/index.ts",
            miniflare: {
              ...(await readLocalOptions()),
              name: "prompthook",
              // As the rules in wrangler.toml say, and wrangler's own.
              modulesRules: [
                {
                  type: "Text",
                  include: ["**/*.css", "**/*.svg", "**/*.min.js", "**/islands/*.js"],
                },
                { type: "CompiledWasm", include: ["**/*.wasm"] },
              ],
              bindings: {
                ...workerBindings(inject("modelServerUrl")),
                ANTHROPIC_BASE_URL: inject("anthropicUrl"),
                SMTP_URL: inject("smtpUrl"),
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          ...PATIENCE,
          // Each file loads the Worker anew, module by module; of these libraries each is one module.
          deps: { optimizer: { ssr: { enabled: true, include: LIBRARIES } } },
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["test/support/worker/setup.ts"],
          globalSetup: [
            "test/support/worker/model-server.ts",
            "test/support/worker/mail-servers.ts",
            "test/support/worker/mcp-servers.ts",
          ],
        },
      },
      {
        test: {
          name: "fault",
          include: ["test/fault/**/*.test.ts", "test/build/**/*.test.ts"],
          environment: "node",
          ...PATIENCE,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file runs a whole service or measures one: alone, or they only disturb each other.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      ...browserProject,
    ],
  },
});
