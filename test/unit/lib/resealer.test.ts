import { expect, it } from "vitest";
import { Resealer } from "../../../src/lib/resealer.ts";
import { open, seal } from "../../../src/lib/secrets.ts";

const OLD = btoa("0123456789abcdef0123456789abcdef");
const NEW = btoa("fedcba9876543210fedcba9876543210");

it("seals once with the newest key, and counts what no key opens", async () => {
  const sealer = new Resealer([NEW, OLD]);
  const before = await seal("secret", [OLD], "here");
  const after = await sealer.reseal(before, "here");
  expect(await open(after, [NEW], "here")).toBe("secret");
  expect(await sealer.reseal(after, "here")).toBe(after);
  expect(await sealer.reseal(before, "elsewhere")).toBe(before);
  expect(sealer.counts).toEqual({ count: 1, lost: 1 });
});
