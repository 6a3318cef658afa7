import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import { mapPayload } from "../../../../src/intake/mapping/map.ts";
import { NO_SOURCES } from "../../../../src/intake/mapping/sources.ts";
import { inputOf, mappingOf } from "../../../support/mapping.ts";

const BIG = 12345678901234567890n;
const ROUNDED =
  "contains a whole number with more digits than a number can hold, which is rounded; map it to a string input to keep its digits";

/** The mapping of the specification. */
const SHOP = mappingOf({
  auto: true,
  fields: [
    { to: "orderId", from: "order.id", transforms: [{ type: "string" }] },
    {
      to: "domain",
      from: "customer.email",
      transforms: [{ type: "domain", level: "registrable" }],
    },
    {
      to: "total",
      from: "order.cents",
      transforms: [{ type: "unit", from: "minor", to: "major", currency: "USD" }],
    },
    { to: "weight", from: "order.lb", transforms: [{ type: "unit", from: "lb", to: "kg" }] },
    {
      to: "placedAt",
      from: "order.placed",
      transforms: [{ type: "timestamp", from: "epoch_seconds", to: "iso" }],
    },
  ],
});
const SHOP_INPUTS = [
  inputOf("orderId", "string", { required: true }),
  inputOf("domain"),
  inputOf("total", "number"),
  inputOf("weight", "number"),
  inputOf("placedAt", "timestamp"),
];

describe("the mapping of the specification", () => {
  const customer = { email: "ann@mail.shop.co.uk" };

  it("maps an order to the workflow's inputs", async () => {
    const order = { id: BIG, cents: 1999, lb: 5, placed: 1_700_000_000 };
    expect(await mapPayload({ order, customer }, SHOP, SHOP_INPUTS)).toEqual({
      ok: true,
      inputs: {
        orderId: "12345678901234567890",
        domain: "shop.co.uk",
        total: 19.99,
        weight: 2.26796185,
        placedAt: "2023-11-14T22:13:20.000Z",
      },
      warnings: [],
    });
  });

  it("reports all failed fields at once, each with its reason", async () => {
    const order = { cents: "much", lb: true, placed: "today" };
    const mapped = await mapPayload({ order, customer: { email: "nobody" } }, SHOP, SHOP_INPUTS);
    expect(mapped).toMatchObject({
      faults: [
        { path: "domain", message: "customer.email must be a URL, an e-mail address or a host" },
        { path: "total", rule: "unit" },
        {
          path: "weight",
          rule: "unit",
          message: "order.lb must be a number or its text; got true",
        },
        { path: "placedAt", rule: "timestamp" },
        { path: "orderId", rule: "required", message: "is required" },
      ],
    });
  });
});

describe("a field", () => {
  type Field = Omit<NonNullable<Parameters<typeof mappingOf>[0]["fields"]>[number], "to">;

  const LAST: Field["transforms"] = [
    { type: "split", separator: ";" },
    { type: "last" },
    { type: "trim" },
  ];
  const UPPER: Field["transforms"] = [{ type: "upper" }];
  const BOTH: Field["transforms"] = [{ type: "template", template: "{{a}}-{{value}}" }];
  const MISSING: Field = { from: "x", transforms: [{ type: "jsonata", expression: "missing" }] };

  it.each<[string, Field, PayloadValue, PayloadValue | undefined]>([
    ["goes through its transforms in order", { from: "x", transforms: LAST }, { x: "a; b " }, "b"],
    ["does not transform its default", { from: "x", transforms: UPPER, default: "low" }, {}, "low"],
    ["takes its default for null", { from: "x", default: "d" }, { x: null }, "d"],
    ["is absent where a transform gives null", { ...MISSING, default: "d" }, { x: {} }, "d"],
    ["starts from the whole payload without a path", { transforms: BOTH }, { a: 1 }, '1-{"a":1}'],
    ["may be a default alone", { default: { b: 1 } }, [], { b: 1 }],
    ["comes before what would be found by name", { from: "b" }, { a: 1, b: "x" }, "x"],
    ["is not found by name where its path leads nowhere", { from: "b" }, { a: "x" }, undefined],
  ])("%s", async (_, field, payload, value) => {
    const mapping = mappingOf({ fields: [{ to: "a", ...field }] });
    const type = typeof value === "object" ? "object" : "string";
    const mapped = await mapPayload(payload, mapping, [inputOf("a", type)]);
    expect(mapped).toMatchObject({ ok: true, inputs: value === undefined ? {} : { a: value } });
    expect(mapped.ok && Object.keys(mapped.inputs)).toEqual(value === undefined ? [] : ["a"]);
  });

  it("names the step that failed", async () => {
    const transforms = [{ type: "trim" }, { type: "integer" }] as const;
    const mapping = mappingOf({ fields: [{ to: "a", from: "x", transforms: [...transforms] }] });
    const message = /^x, after trim, must be a whole number/;
    expect(await mapPayload({ x: " y " }, mapping, [inputOf("a")])).toMatchObject({
      faults: [{ path: "a", rule: "integer", message }],
    });
  });

  it("reads a header, the query or the whole payload", async () => {
    const fields = [
      { to: "event", in: "header", from: "X-GitHub-Event" },
      { to: "shop", in: "query", from: "shop" },
      { to: "all", from: "$" },
    ] as const;
    const sources = {
      headers: new Headers({ "x-github-event": "push" }),
      query: new URLSearchParams("shop=north"),
      isForm: false,
    };
    const inputs = [inputOf("event"), inputOf("shop"), inputOf("all", "array")];
    const mapping = mappingOf({ fields: [...fields] });
    expect(await mapPayload([1], mapping, inputs, sources)).toEqual({
      ok: true,
      inputs: { event: "push", shop: "north", all: [1] },
      warnings: [],
    });
    expect(await mapPayload([1], mapping, inputs)).toMatchObject({
      warnings: [
        "the header X-GitHub-Event, for the input event, matched nothing",
        "the query parameter shop, for the input shop, matched nothing",
      ],
    });
  });

  it("that matches nothing adds a warning, unless it has a default", async () => {
    const mapped = (body: Parameters<typeof mappingOf>[0]) =>
      mapPayload({ order: { total: 7, note: null } }, mappingOf(body), [inputOf("a")]);
    expect(await mapped({ fields: [{ to: "a", from: "order.customer" }] })).toMatchObject({
      warnings: ["order.customer, for the input a, matched nothing"],
    });
    const silent = { fields: [{ to: "a", from: "order.customer", default: "0" }] };
    expect(await mapped(silent)).toMatchObject({ warnings: [] });
    expect(await mapped({ fields: [{ to: "a", from: "order.note" }] })).toMatchObject({
      warnings: [],
    });
  });

  it("for an undeclared name is passed on with a warning", async () => {
    const mapping = mappingOf({ fields: [{ to: "extra", from: "x" }] });
    const warning = "extra is mapped but is not an input of the workflow; it is passed unchecked";
    const mapped = await mapPayload({ x: [BIG] }, mapping, [inputOf("a")]);
    expect(mapped).toEqual({
      ok: true,
      inputs: { extra: [Number(BIG)] },
      warnings: [warning, `extra ${ROUNDED}`],
    });
  });

  it("cannot grow far beyond the payload", async () => {
    const fields = Array.from({ length: 200 }, (_, at) => ({ to: `f${at}`, from: "big" }));
    const mapped = await mapPayload({ big: "x".repeat(100_000) }, mappingOf({ fields }), []);
    expect(mapped).toMatchObject({ ok: false, faults: [{ rule: "size" }] });
  });
});

describe("an input found by name", () => {
  const mapping = mappingOf({});

  it("is converted if nothing is lost", async () => {
    const inputs = [
      ...["id", "flag", "long"].map((name) => inputOf(name)),
      ...["placed", "paidAt", "mailed"].map((name) => inputOf(name, "timestamp")),
      inputOf("count", "integer"),
      inputOf("price", "number"),
      inputOf("paid", "boolean"),
    ];
    const payload = {
      ...{ count: "12", price: "-1.50", id: 42, flag: true, paid: "false", long: BIG },
      ...{ placed: 1_700_000_000, paidAt: 1_700_000_000_123 },
      mailed: "Tue, 14 Nov 2023 23:13:20 +0100",
    };
    expect(await mapPayload(payload, mapping, inputs)).toEqual({
      ok: true,
      inputs: {
        ...{ count: 12, price: -1.5, id: "42", flag: "true", paid: false, long: String(BIG) },
        ...{ placed: "2023-11-14T22:13:20.000Z", paidAt: "2023-11-14T22:13:20.123Z" },
        mailed: "2023-11-14T22:13:20.000Z",
      },
      warnings: [],
    });
  });

  it("names the candidates if it is ambiguous", async () => {
    const payload = { a: { orderId: "1" }, b: { orderId: "2" } };
    const why = "a.orderId and b.orderId differ, and either could be meant";
    const optional = await mapPayload(payload, mapping, [inputOf("orderId")]);
    expect(optional).toMatchObject({ warnings: [`the input orderId is left unmapped: ${why}`] });
    const required = [inputOf("orderId", "string", { required: true })];
    expect(await mapPayload(payload, mapping, required)).toEqual({
      ok: false,
      faults: [{ path: "orderId", rule: "required", message: `is required: ${why}` }],
    });
  });

  it.each([
    ["integer", "1.5"],
    ["boolean", "yes"],
    ["timestamp", -1],
    ["integer", "12345678901234567890"],
    ["number", "0.12345678901234567890"],
    ["number", "007"],
    ["number", "1e3"],
    ["number", ""],
    ["boolean", 1],
    ["timestamp", 1e300],
    ["timestamp", "2026-01-31 09:30"],
    ["string", { a: 1 }],
    ["object", "{}"],
  ] as const)("is omitted, or refused if it is required, as %s of %j", async (type, value) => {
    const warnings = [expect.stringMatching(/^the input it is left unmapped: it must be /)];
    const optional = await mapPayload({ it: value }, mapping, [inputOf("it", type)]);
    expect(optional).toEqual({ ok: true, inputs: {}, warnings });
    const required = [inputOf("it", type, { required: true })];
    const faults = [{ path: "it", rule: "type" }];
    expect(await mapPayload({ it: value }, mapping, required)).toMatchObject({ ok: false, faults });
  });

  it("takes the default for an empty form field, or if the mapping says so", async () => {
    const inputs = [inputOf("a", "string", { default: "d" }), inputOf("b"), inputOf("c")];
    const given = (emptyIsAbsent: boolean | undefined, isForm: boolean) => {
      const fields = [{ to: "c", from: "c", default: "e" }];
      const mapping = mappingOf({ fields, ...(emptyIsAbsent !== undefined && { emptyIsAbsent }) });
      return mapPayload({ a: "", b: "", c: "" }, mapping, inputs, { ...NO_SOURCES, isForm });
    };
    const replaced = { inputs: { a: "d", b: "", c: "e" } };
    const kept = { inputs: { a: "", b: "", c: "" } };
    expect(await given(undefined, true)).toMatchObject(replaced);
    expect(await given(true, false)).toMatchObject(replaced);
    expect(await given(undefined, false)).toMatchObject(kept);
    expect(await given(false, true)).toMatchObject(kept);
  });

  it("is the last form field of its name, and never an item of a JSON list", async () => {
    const inputs = [inputOf("tag"), inputOf("tags", "array")];
    const payload = { tag: ["a", "b"], tags: ["a", "b"] };
    expect(await mapPayload(payload, mapping, inputs, { ...NO_SOURCES, isForm: true })).toEqual({
      ok: true,
      inputs: { tag: "b", tags: ["a", "b"] },
      warnings: ["the input tag is the last of 2 fields of this name"],
    });
    expect(await mapPayload(payload, mapping, inputs)).toMatchObject({
      inputs: { tags: ["a", "b"] },
    });
  });

  it.each<[string, PayloadValue]>([
    ["does not fit", { a: {} }],
    ["is null", { a: null, deep: { a: "x" } }],
    ["is missing", { b: null }],
  ])("takes the definition's default if the value %s", async (_, payload) => {
    const inputs = [inputOf("a", "string", { default: "d" }), inputOf("b")];
    expect(await mapPayload(payload, mapping, inputs)).toMatchObject({ inputs: { a: "d" } });
  });

  it("is not matched if the mapping turns that off", async () => {
    const mapped = await mapPayload({ a: "x" }, mappingOf({ auto: false }), [inputOf("a")]);
    expect(mapped).toEqual({ ok: true, inputs: {}, warnings: [] });
  });
});

describe("a workflow without inputs", () => {
  it("gets the whole payload", async () => {
    const payload = { id: BIG, list: [1] };
    expect(await mapPayload(payload, mappingOf({}), [])).toEqual({
      ok: true,
      inputs: { payload: { id: Number(BIG), list: [1] } },
      warnings: [`payload ${ROUNDED}`],
    });
    expect(await mapPayload(["a"], mappingOf({}), [])).toMatchObject({
      inputs: { payload: ["a"] },
    });
  });

  it("gets only the mapped fields if there are any, and nothing without auto", async () => {
    const one = mappingOf({ fields: [{ to: "a", from: "x" }] });
    expect(await mapPayload({ x: 1, y: 2 }, one, [])).toEqual({
      ok: true,
      inputs: { a: 1 },
      warnings: [],
    });
    expect(await mapPayload({ x: 1 }, mappingOf({ auto: false }), [])).toMatchObject({
      inputs: {},
    });
  });
});
