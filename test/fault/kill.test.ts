import { expect, test } from "vitest";
import { surviveKills } from "./support/survive.ts";

test("keeps every promise when it is killed while executions run", async () => {
  expect(await surviveKills(2)).toBe(100);
});
