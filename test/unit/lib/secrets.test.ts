import { expect, it } from "vitest";
import { Resealer } from "../../../src/lib/resealer.ts";
import { equalInConstantTime, open, seal } from "../../../src/lib/secrets.ts";

const key = (byte: number) => btoa(String.fromCharCode(byte).repeat(32));
const [first, second] = [key(1), key(2)];

it("opens its own boxes, which are never the same twice", async () => {
  const sealed = await seal("whsec_grüße", [first], "callback");
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
  expect(sealed).not.toContain("grüße");
  expect(await open(sealed, [first], "callback")).toBe("whsec_grüße");
  expect(await seal("whsec_grüße", [first], "callback")).not.toBe(sealed);
});

it("seals with the newest key and opens boxes of older ones", async () => {
  const old = await seal("secret", [first], "callback");
  const rotated = [second, first];
  expect(await open(old, rotated, "callback")).toBe("secret");
  const fresh = await seal("secret", rotated, "callback");
  expect(await open(fresh, [second], "callback")).toBe("secret");
  expect(await open(fresh, [first], "callback")).toBeNull();
});

it("does not open in another context", async () => {
  expect(await open(await seal("x", [first], "callback"), [first], "endpoint")).toBeNull();
});

it("does not open an altered or invalid box", async () => {
  const sealed = await seal("secret", [first], "callback");
  const [version, id, box = ""] = sealed.split(".");
  const changed = `${version}.${id}.${box.startsWith("A") ? "B" : "A"}${box.slice(1)}`;
  for (const bad of [changed, `v2.${id}.${box}`, `${version}.${id}.`, "", "a.b", `${sealed}.x`]) {
    expect(await open(bad, [first], "callback")).toBeNull();
  }
});

it("refuses to seal without a key or with one that is not 32 bytes", async () => {
  await expect(seal("x", [], "callback")).rejects.toThrow("no encryption key");
  await expect(seal("x", [btoa("short")], "callback")).rejects.toThrow("32 bytes");
  await expect(seal("x", ["%%%"], "callback")).rejects.toThrow("32 bytes");
});

it.each([
  ["", "", true],
  ["secret", "secret", true],
  ["secret", "Secret", false],
  ["secret", "secret ", false],
  ["secret", "", false],
  ["\u00e9", "e\u0301", false],
])("equalInConstantTime compares %j with %j", async (left, right, equal) => {
  expect(await equalInConstantTime(left, right)).toBe(equal);
});

it("re-seals once with the newest key, and counts boxes that no key opens", async () => {
  const sealer = new Resealer([second, first]);
  const before = await seal("secret", [first], "here");
  const after = await sealer.reseal(before, "here");
  expect(await open(after, [second], "here")).toBe("secret");
  expect(await sealer.reseal(after, "here")).toBe(after);
  expect(await sealer.reseal(before, "elsewhere")).toBe(before);
  expect(sealer.counts).toEqual({ count: 1, lost: 1 });
});
