import { expect, test } from "vitest";
import { surviveKills } from "../fault/support/survive.ts";

test("keeps every promise when it is killed ten times while executions run", async () => {
  expect(await surviveKills(10)).toBe(500);
});
