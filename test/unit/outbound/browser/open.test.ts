import { expect, test } from "vitest";
import { guardrailsFor } from "../../../../src/outbound/browser/open.ts";

test("Cloudflare gets the allowed hosts without their ports", () => {
  const hosts = ["shop.example", "shop.example:8443", "*.shop.example"];
  expect(guardrailsFor(hosts)).toEqual(["shop.example", "*.shop.example"]);
  expect(guardrailsFor(null)).toBeNull();
});

test.each([[["203.0.113.7"]], [["[2001:db8::1]:8080"]], [["localhost"]]])(
  "no policy is sent that Cloudflare could not read, which would refuse every page: %j",
  (hosts) => {
    expect(guardrailsFor(["shop.example", ...hosts])).toBeNull();
  },
);

test("no policy is sent that is too long for Cloudflare", () => {
  const hosts = Array.from({ length: 51 }, (_, n) => `shop-${n}.example`);
  expect(guardrailsFor(hosts)).toBeNull();
  expect(guardrailsFor(hosts.slice(1))).toHaveLength(50);
});
