import { defineConfig } from "vitest/config";
import { TIMEOUT_MS } from "./test/soak/size.ts";

/** Long tests, which `npm test` leaves out. */
export default defineConfig({
  test: {
    include: ["test/soak/**/*.test.ts"],
    environment: "node",
    maxWorkers: 1,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
  },
});
