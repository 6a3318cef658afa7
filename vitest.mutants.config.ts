import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const ROOMS = [
  "accounts",
  "agent/journal",
  "agent/machine",
  "callbacks",
  "inbound/checks",
  "inbound/inbox",
  "inbound/routing",
  "inbound/signatures",
];

/** The unit tests of the rooms that stryker.config.mjs mutates; Stryker runs those that reach a mutant. */
export default defineConfig({
  resolve: { alias: { "cloudflare:workers": resolve("test/support/without-runtime.ts") } },
  test: {
    include: [
      ...ROOMS.map((room) => `test/unit/${room}/**/*.test.ts`),
      "test/unit/agent/*.test.ts",
      "test/unit/inbound/*.test.ts",
    ],
    environment: "node",
    isolate: false,
    testTimeout: 60_000,
  },
});
