import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

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

/** The unit tests of the rooms that stryker.config.mjs mutates; Stryker runs those that reach a mutant. */
export default defineConfig({
  resolve: { alias: { "cloudflare:workers": resolve("test/support/without-runtime.ts") } },
  test: {
    include: [
      ...ROOMS.map((room) => `test/unit/${room}/**/*.test.ts`),
      "test/unit/agent/*.test.ts",
      "test/unit/intake/*.test.ts",
      "test/unit/endpoints/*.test.ts",
    ],
    environment: "node",
    isolate: false,
    testTimeout: 60_000,
  },
});
