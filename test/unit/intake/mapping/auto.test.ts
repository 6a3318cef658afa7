import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import { autoMap } from "../../../../src/intake/mapping/names.ts";

function found(payload: PayloadValue, ...names: string[]) {
  const { values, ambiguous, warnings } = autoMap(payload, names);
  return { values: Object.fromEntries(values), ambiguous: Object.fromEntries(ambiguous), warnings };
}

describe("matching inputs by name", () => {
  it.each(["orderId", "order_id", "ORDER-ID", "Order Id", "order.id"])(
    "finds orderId under %s",
    (name) => {
      expect(found({ [name]: 1 }, "orderId")).toMatchObject({
        values: { orderId: 1 },
        ambiguous: {},
      });
    },
  );

  it("prefers the exact name, at any depth, to a similar one", () => {
    const payload = { order_id: 1, deep: { deeper: { orderId: 2 } } };
    expect(found(payload, "orderId").values).toEqual({ orderId: 2 });
  });

  it("prefers a member to those of its own object's parts, and to no others", () => {
    const order = { id: "order", customer: { id: "customer" }, items: [{ id: 1 }, { id: 2 }] };
    expect(found({ order }, "id")).toMatchObject({ values: { id: "order" }, ambiguous: {} });
    expect(found({ a: { b: { id: "deep" } }, z: { id: "shallow" } }, "id")).toMatchObject({
      values: {},
      ambiguous: { id: "z.id and a.b.id differ, and either could be meant" },
    });
  });

  it("ignores values inside one of several similar elements", () => {
    const lines = [{ sku: "A" }, { sku: "B" }];
    expect(found({ lines, shipped: { sku: "A" } }, "sku")).toMatchObject({
      values: {},
      ambiguous: { sku: "shipped.sku and lines[1].sku differ, and either could be meant" },
    });
    expect(found({ lines, SKU: "C" }, "sku").values).toEqual({ sku: "C" });
    expect(found({ lines: [{ sku: "A" }, { sku: "A" }] }, "sku")).toMatchObject({
      values: {},
      ambiguous: { sku: "lines[0].sku is in one of several items of a list" },
    });
  });

  it("leaves an ambiguous name unmapped, and lists the candidates", () => {
    const payload = { order: { id: 1 }, customer: { id: 2 } };
    expect(found(payload, "id")).toEqual({
      values: {},
      ambiguous: { id: "order.id and customer.id differ, and either could be meant" },
      warnings: [],
    });
    expect(found({ order_id: 1, "order-id": 2 }, "orderId").values).toEqual({});
  });

  it.each<[string, PayloadValue, object]>([
    ["a name that stands twice for the same", { a: { id: 1 }, b: { id: 1 } }, { id: 1 }],
    ["null under the very name", { id: null, a: { id: 1 } }, { id: null }],
    ["no null under a name that resembles it", { ID: null, a: { Id: 1 } }, { id: 1 }],
    ["the element of an array of one", [{ event: { items: [{ id: 1 }] } }], { id: 1 }],
    ["an object or an array", { data: { id: { list: [1] } } }, { id: { list: [1] } }],
  ])("accepts %s", (_, payload, values) => {
    expect(found(payload, "id").values).toEqual(values);
  });

  it("finds a field of a member named by the first word, with a note", () => {
    expect(found({ id: "evt_1", order: { id: 7 } }, "order_id")).toEqual({
      values: { order_id: 7 },
      ambiguous: {},
      warnings: ["the input order_id is taken from order.id"],
    });
    const twice = { a: { order: { id: 1 } }, b: { order: { id: 2 } } };
    expect(found(twice, "orderId")).toMatchObject({
      values: {},
      ambiguous: { orderId: expect.any(String) },
    });
    expect(found({ order_id: 1, order: { id: 7 } }, "orderId").values).toEqual({ orderId: 1 });
  });

  it("maps several inputs at once, even from one member", () => {
    const values = { order_id: 7, orderId: 7, total: 3 };
    expect(
      found({ "order id": 7, x: { TOTAL: 3 } }, "order_id", "orderId", "total").values,
    ).toEqual(values);
  });

  it("reads nothing from prototypes", () => {
    expect(found({}, "constructor", "toString").values).toEqual({});
    expect(found({ constructor: 1 }, "constructor").values).toEqual({ constructor: 1 });
  });

  it("reports endless names in few words", () => {
    const [one, two] = ["x", "y"].map((letter) => letter.repeat(10_000));
    const { ambiguous } = found({ [`${one}`]: { id: 1 }, [`${two}`]: { id: 2 } }, "id");
    expect(ambiguous.id?.length).toBeLessThan(1_000);
  });

  it("limits its work, and reports where it stopped", () => {
    const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, at]));
    const { values, warnings } = found({ wide, late: { id: 1 } }, "id");
    expect(values).toEqual({});
    expect(warnings).toEqual([
      "only the first 30000 members of the payload were searched for inputs",
    ]);
  });
});
