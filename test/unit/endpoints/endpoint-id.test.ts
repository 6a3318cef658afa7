import { expect, test } from "vitest";
import {
  ENDPOINT_RANDOM_BYTES,
  isIssuedEndpointId,
  newEndpointId,
} from "../../../src/endpoints/endpoint-id.ts";
import { placeOf } from "../../../src/lib/place.ts";

const MINE = [btoa("k".repeat(32))];
const OTHER = [btoa("x".repeat(32))];
const random = () => crypto.getRandomValues(new Uint8Array(ENDPOINT_RANDOM_BYTES));

test("an endpoint's id has 128 random bits and a check that only the service can write", async () => {
  const bytes = random();
  const id = await newEndpointId(bytes, MINE);
  expect(id).toMatch(/^ep_[0-9a-f]{40}$/);
  expect(id).toContain(Buffer.from(bytes).toString("hex"));
  expect(await isIssuedEndpointId(id, MINE)).toBe(true);
  expect(await isIssuedEndpointId(id, [...OTHER, ...MINE])).toBe(true);
  expect(await isIssuedEndpointId(id, OTHER)).toBe(false);
});

test("an endpoint's id names the place of its account, if that has one", async () => {
  const place = { kind: "jurisdiction", name: "eu" } as const;
  const id = await newEndpointId(random(), MINE, place);
  expect(await isIssuedEndpointId(id, MINE)).toBe(true);
  expect(placeOf(id)).toEqual(place);
  expect(placeOf(await newEndpointId(random(), MINE))).toBeNull();
});

test("an id with any digit changed is invalid", async () => {
  const id = await newEndpointId(random(), MINE);
  for (let at = "ep_".length; at < id.length; at += 1) {
    const digit = id[at] === "0" ? "1" : "0";
    const changed = id.slice(0, at) + digit + id.slice(at + 1);
    expect(await isIssuedEndpointId(changed, MINE)).toBe(false);
  }
  expect(await isIssuedEndpointId(id.toUpperCase(), MINE)).toBe(false);
  expect(await isIssuedEndpointId("acme/orders", MINE)).toBe(false);
});
