import { expect, it } from "vitest";
import { mapPayload } from "../../../../src/intake/mapping/map.ts";
import { apply, inputOf, mappingOf } from "../../../support/mapping.ts";

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
