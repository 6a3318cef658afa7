import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { extractEmails } from "../../../../../../src/agent/tools/process-data/extract.ts";
import { page, plain } from "../sources.ts";

function emailsIn(text: string): unknown[] {
  return extractEmails(plain(text)).table.rows.flat();
}

describe("extractEmails", () => {
  test.each([
    ["Write to Info@Example.com.", ["info@example.com"]],
    ["<a.b+c@mail.example.co.uk>", ["a.b+c@mail.example.co.uk"]],
    ["a@x.org, b@x.org; a@X.org", ["a@x.org", "b@x.org"]],
    ["'quoted@x.org' o'brien@x.org", ["quoted@x.org", "o'brien@x.org"]],
    ["jürgen@müller.de", ["jürgen@müller.de"]],
    ["me@xn--mller-kva.de", ["me@xn--mller-kva.de"]],
    ["[mail](mailto:sales@x.org?subject=Hi)", ["sales@x.org"]],
    ["see x@y.org/path", ["x@y.org"]],
  ])("finds the addresses of %j", (text, addresses) => {
    expect(emailsIn(text)).toEqual(addresses);
  });

  test.each([
    "user@localhost",
    "@example.com",
    "a@b@example.com",
    "logo@2x.png",
    "pkg@1.2.3",
    "a..b@example.com",
    "a@example..com",
    "a@-example.com",
    `${"x".repeat(65)}@example.com`,
    "price @ $5.00",
  ])("finds none in %j", (text) => {
    expect(emailsIn(text)).toEqual([]);
  });

  it("reads the recipients of mailto links, encoded ones too", () => {
    const source = page({
      links: [
        { text: "Write", url: "mailto:a%2Bb@x.org,c@x.org?cc=d@x.org" },
        { text: "Broken", url: "mailto:%zz" },
        { text: "Page", url: "https://x.org/?u=no" },
      ],
    });
    expect(extractEmails(source).table).toEqual({
      columns: ["email"],
      rows: [["a+b@x.org"], ["c@x.org"]],
    });
  });

  test.each(["a", "a.", "a@", "@", "a@a.", "a.b@c-", "%", "'"])(
    "takes linear time on a long run of %j",
    (part) => {
      const started = performance.now();
      emailsIn(part.repeat(500_000));
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );

  it("finds plain addresses between any separators", () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,20}$/);
    const address = fc.tuple(name, name).map(([user, host]) => `${user}@${host}.org`);
    fc.assert(
      fc.property(
        fc.uniqueArray(address),
        fc.constantFrom(" ", ", ", "; ", "\n", " | "),
        (all, gap) => {
          expect(emailsIn(all.join(gap))).toEqual(all);
        },
      ),
    );
  });
});
