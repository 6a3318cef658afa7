import { expect, it } from "vitest";
import { hasFailedTooOften } from "../../../src/http/authentication.ts";

/** Returns the name under which failures of an address are counted. */
async function countedAs(address: string | undefined): Promise<string> {
  let name = "";
  const limit = async ({ key }: { key: string }) => {
    name = key;
    return { success: true };
  };
  await hasFailedTooOften({
    env: { FAILED_AUTHENTICATION: { limit } },
    req: { header: (header) => (header === "CF-Connecting-IP" ? address : undefined) },
  });
  return name;
}

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
])("counts the failures of %s with those of %s", async (address, other) => {
  expect(await countedAs(address)).toBe(await countedAs(other));
});

it("counts each IPv6 network separately", async () => {
  expect(await countedAs("2001:db8:1:2::1")).not.toBe(await countedAs("2001:db8:1:3::1"));
});

it("counts requests of unknown addresses together, apart from all others", async () => {
  expect(await countedAs(undefined)).toBe(await countedAs(""));
  expect(await countedAs(undefined)).not.toBe(await countedAs("203.0.113.7"));
});
