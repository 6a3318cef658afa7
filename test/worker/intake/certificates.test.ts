import { expect, it } from "vitest";
import { keyOfChain } from "../../../src/intake/signatures/public-key.ts";
import { CHAIN, pemOf } from "../../support/certificates.ts";

it("the Workers runtime verifies certificates, and refuses those of another root", () => {
  const { leaf, intermediate, root } = CHAIN;
  const rules = { leaf: "1.2.840.113635.100.6.11.1", issuer: "1.2.840.113635.100.6.2.1" };
  const now = Date.parse("2026-01-31T09:30:00Z");
  const keyUnder = (trusted: string) =>
    keyOfChain([leaf, intermediate, root], pemOf(trusted), rules, now);
  expect(keyUnder(root)).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(() => keyUnder(leaf)).toThrow("do not lead to the root");
  expect(() => keyOfChain([leaf, intermediate], pemOf(root), rules, 0)).toThrow("valid only from");
});
