import { defineConfig } from "vitest/config";

/** Long runs, which `npm test` leaves out. */
export default defineConfig({
  test: {
    include: ["test/soak/**/*.test.ts"],
    environment: "node",
    maxWorkers: 1,
    testTimeout: 900_000,
  },
});
