import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAllowed, refusedRecipients } from "../../../../../src/agent/tools/send-email.ts";

const LIST = ["ann@example.com", "@shop.example", "Ops@Mixed.Example", "@bücher.example"];

describe("the list of recipients covers", () => {
  it.each([
    "ann@example.com",
    "ANN@Example.COM",
    "anybody@shop.example",
    "anybody+tag@SHOP.example",
    "ops@mixed.example",
    "leser@xn--bcher-kva.example",
  ])("%s", (address) => {
    expect(isAllowed(address, LIST)).toBe(true);
  });
});

describe("the list of recipients does not cover", () => {
  it.each([
    ["another person of the domain", "bob@example.com"],
    ["a tag on an address", "ann+x@example.com"],
    ["a longer local part", "joann@example.com"],
    ["a subdomain", "ann@mail.shop.example"],
    ["a domain with the same end", "ann@evilshop.example"],
    ["a domain with the same beginning", "ann@shop.example.evil.com"],
    ["a root's trailing dot", "ann@shop.example."],
    ["two addresses in one", "evil@evil.com,ann@shop.example"],
    ["two addresses by a space", "evil@evil.com ann@shop.example"],
    ["a quoted address before the domain", '"evil@evil.com"@shop.example'],
    ["a quoted local part", '"ann"@shop.example'],
    ["a source route", "@evil.com:ann@shop.example"],
    ["a percent route", "evil%evil.com@shop.example"],
    ["a bang path", "evil.com!evil@shop.example"],
    ["a display name", "Ann <ann@shop.example>"],
    ["angle brackets", "<ann@shop.example>"],
    ["a comment", "ann(x)@shop.example"],
    ["a line break", "ann@shop.example\r\nBcc: evil@evil.com"],
    ["a bare CR", "ann@shop.example\r"],
    ["a bare LF", "ann@shop.example\n"],
    ["a NUL", "ann@shop.example\0"],
    ["a line separator", "ann@shop.example\u2028"],
    ["a Kelvin sign that lower-cases to k", "ann@boo\u212A.example"],
    ["a fullwidth letter", "ann@\uFF53hop.example"],
    ["a domain in letters of its own", "leser@bücher.example"],
    ["an address literal", "ann@[127.0.0.1]"],
    ["no domain", "ann"],
    ["no local part", "@shop.example"],
    ["nothing", ""],
  ])("%s", (_, address) => {
    expect(isAllowed(address, [...LIST, "@book.example", "@evil.example"])).toBe(false);
  });

  it.each([
    ["an entry without @", "shop.example"],
    ["an entry with a wildcard", "*@shop.example"],
    ["an entry for all of a top-level domain", "@example"],
    ["an empty domain", "@"],
    ["a domain with a path", "@shop.example/x"],
    ["a domain with a user", "@x@shop.example:25"],
  ])("anything by %s", (_, entry) => {
    expect(isAllowed("ann@shop.example", [entry])).toBe(false);
  });

  it("anything that is no address, even where everybody is allowed", () => {
    expect(isAllowed("ann@shop.example", ["*"])).toBe(true);
    expect(isAllowed("ann@shop.example\nBcc: evil@evil.com", ["*"])).toBe(false);
  });

  it("an address of any other domain", () => {
    const local = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const domain = fc.domain().filter((name) => name.toLowerCase() !== "shop.example");
    fc.assert(
      fc.property(local, domain, (user, host) => !isAllowed(`${user}@${host}`, ["@shop.example"])),
    );
  });
});

describe("an empty list", () => {
  it.each(["binding", "smtp"] as const)("allows nobody by %s", (route) => {
    const mailer = { route, allowedRecipients: [] };
    expect(refusedRecipients(["ann@shop.example"], mailer)).toEqual(["ann@shop.example"]);
  });

  it("allows everybody in the outbox, where nothing leaves", () => {
    const mailer = { route: "outbox", allowedRecipients: [] } as const;
    expect(refusedRecipients(["ann@shop.example", "no address"], mailer)).toEqual(["no address"]);
  });

  it("is the only one that the outbox does not hold to", () => {
    const mailer = { route: "outbox", allowedRecipients: ["@shop.example"] } as const;
    expect(refusedRecipients(["ann@shop.example", "x@evil.com"], mailer)).toEqual(["x@evil.com"]);
  });
});
