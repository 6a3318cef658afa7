import { expect, test } from "vitest";
import type { CloudflareApi } from "../../../../scripts/deploy/api.ts";
import { readDeployed } from "../../../../scripts/deploy/config.ts";
import { regionOf, withRegion } from "../../../../scripts/deploy/region.ts";
import { CONFIG } from "../../../../scripts/local/project.ts";

const config = await readDeployed(CONFIG);
const deployedIn =
  (text: string): CloudflareApi =>
  async () => ({
    ok: true,
    result: { bindings: [{ type: "plain_text", name: "DEFAULT_REGION", text }] },
  });
const never = () => Promise.reject(new Error("asked"));

test("asks for the region once, at the first deployment", async () => {
  const first = { exists: false, ask: async () => " apac " };
  expect(await regionOf(never, config, null, first)).toBe("apac");
  const later = { exists: true, ask: never };
  expect(await regionOf(deployedIn("apac"), config, null, later)).toBe("apac");
  expect(await regionOf(deployedIn("apac"), config, "oc", later)).toBe("oc");
});

test("continues without a region if the operator has none or cannot be asked", async () => {
  for (const answer of ["", null]) {
    const dependencies = { exists: false, ask: async () => answer };
    expect(await regionOf(never, config, null, dependencies)).toBeNull();
  }
  expect(withRegion(config, null)).toBe(config);
});

test("takes the configuration's region, and refuses one that does not exist", async () => {
  const dependencies = { exists: true, ask: never };
  const inMars = withRegion(config, "weur");
  expect(await regionOf(never, inMars, null, dependencies)).toBe("weur");
  inMars.raw.vars.DEFAULT_REGION = "mars";
  await expect(regionOf(never, inMars, null, dependencies)).rejects.toThrow(
    '"mars" is not a region. Choose one of wnam',
  );
});
