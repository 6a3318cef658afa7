import { expect, it } from "vitest";
import { mapPayload } from "../../../src/intake/mapping/map.ts";
import { readBody } from "../../../src/intake/payload/body.ts";
import { parsePayload } from "../../../src/intake/payload/parse.ts";
import { keyOfChain } from "../../../src/intake/signatures/public-key.ts";
import { CHAIN, pemOf } from "../../support/certificates.ts";
import { apply, inputOf, mappingOf } from "../../support/mapping.ts";

const ADDRESS = "https://hooks.example/hooks/a";

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(ADDRESS, { method: "POST", body, headers });

it("the Workers runtime inflates gzip, and keeps the bytes on the wire", async () => {
  const zipped = new Response("hello").body?.pipeThrough(new CompressionStream("gzip"));
  const wire = new Uint8Array(await new Response(zipped).arrayBuffer());
  const body = await readBody(post(wire, { "Content-Encoding": "gzip" }), 1_000);
  if (body.kind !== "whole") throw new Error(body.kind);
  expect(body.raw).toEqual(wire);
  expect(body.content()).toEqual({ kind: "whole", bytes: new TextEncoder().encode("hello") });
});

it("the Workers runtime reads a multipart form", async () => {
  const form = new FormData();
  form.append("a", "1");
  form.append("__proto__", "2");
  form.append("f", new File(["abc"], "a.txt", { type: "text/plain" }));
  const request = post(form);
  const body = await readBody(request, 10_000);
  if (body.kind !== "whole") throw new Error(body.kind);
  const { method, headers } = request;
  const parsed = await parsePayload({ method, url: new URL(ADDRESS), headers }, body.raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  expect(Object.entries(Object(parsed.payload))).toEqual([
    ["a", "1"],
    ["__proto__", "2"],
    ["f", { filename: "a.txt", mediaType: "text/plain", size: 3 }],
  ]);
});

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

const MONEY = { type: "unit", from: "minor", to: "major" } as const;

it("maps a payload in the Workers runtime with all its libraries", async () => {
  const mapping = mappingOf({
    fields: [
      { to: "at", from: "at", transforms: [{ type: "timestamp", timeZone: "Europe/Berlin" }] },
      { to: "domain", from: "mail", transforms: [{ type: "domain" }] },
      { to: "weight", from: "lb", transforms: [{ type: "unit", from: "lb", to: "kg" }] },
      { to: "price", from: "fils", transforms: [{ ...MONEY, currency: "KWD" }] },
      {
        to: "digits",
        from: "text",
        transforms: [{ type: "replace", search: "\\D+", pattern: true }],
      },
      {
        to: "words",
        from: "text",
        transforms: [{ type: "jsonata", expression: "$split($, /\\d/)" }],
      },
    ],
  });
  const payload = {
    at: 1_593_597_600,
    mail: "a@x.example.co.uk",
    lb: 5,
    fils: 1999,
    text: "a1b",
    n: 7,
  };
  expect(
    await mapPayload(payload, mapping, [inputOf("at", "timestamp"), inputOf("N")]),
  ).toMatchObject({
    ok: true,
    inputs: {
      at: "2020-07-01T12:00:00.000+02:00",
      domain: "example.co.uk",
      weight: 2.26796185,
      price: 1.999,
      digits: "1",
      words: ["a", "b"],
      N: "7",
    },
  });
});

it.each([
  "($f := function($x) { $f($x) }; $f(1))",
  "$map([1..20000], function($x) { $map([1..20000], function($y) { $y }) })",
  `(${"(".repeat(1_000)}1${")".repeat(1_000)} ; $pad('x', 1000000000))`,
])("ends endless work even while the clock stands still: %s", async (expression) => {
  const outcome = await apply({}, { type: "jsonata", expression });
  expect(outcome).toEqual({ refused: expect.stringMatching(/^(?:cannot be|is no JSONata)/) });
});
