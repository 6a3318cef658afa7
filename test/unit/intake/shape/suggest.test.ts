import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../src/contract/webhooks/payload.ts";
import type { InputType, WorkflowInput } from "../../../../src/contract/workflow.ts";
import { autoMap } from "../../../../src/intake/mapping/names.ts";
import { parsePath, readPath } from "../../../../src/intake/mapping/payload-path.ts";
import { emptyProfile, learn } from "../../../../src/intake/shape/profile.ts";
import { suggestMapping } from "../../../../src/intake/shape/suggest.ts";
import { inputOf } from "../../../support/mapping.ts";

const input = (name: string, type: InputType, required = false) =>
  inputOf(name, type, { required });

const payload: PayloadValue = {
  id: "evt_1",
  order: {
    id: 5_001,
    "Total-Price": "12.50",
    count: "3",
    paid: "true",
    placed: 1_763_600_000,
    due: "2026-12-01",
    lines: [{ sku: "a" }],
    "a.b": 1,
  },
  customer: { email: "c@example.com", id: 7 },
};

const NONE = { auto: true, fields: [] };

function suggested(inputs: WorkflowInput[], ...payloads: PayloadValue[]) {
  const seen = payloads.length === 0 ? [payload, payload] : payloads;
  return suggestMapping(seen.reduce(learn, emptyProfile()), inputs, NONE);
}

describe("a suggested mapping", () => {
  it.each<[WorkflowInput, from: string, transforms: unknown[]]>([
    [input("email", "string"), "customer.email", []],
    [input("totalPrice", "number"), "order.Total-Price", [{ type: "number" }]],
    [input("count", "integer"), "order.count", [{ type: "integer" }]],
    [input("paid", "boolean"), "order.paid", [{ type: "boolean" }]],
    [input("orderId", "string"), "order.id", [{ type: "string" }]],
    [input("order_id", "integer"), "order.id", []],
    [
      input("placed", "timestamp"),
      "order.placed",
      [{ type: "timestamp", from: "auto", to: "iso" }],
    ],
    [input("due", "timestamp"), "order.due", [{ type: "timestamp", from: "auto", to: "iso" }]],
    [input("lines", "array"), "order.lines", []],
    [input("customer", "object"), "customer", []],
    [input("a_b", "number"), "order.a\\.b", []],
  ])("finds the path of %j: %s", (wanted, from, transforms) => {
    expect(suggested([wanted]).mapping.fields).toEqual([{ to: wanted.name, from, transforms }]);
  });

  it("prefers the same name to a similar one, and shallow paths", () => {
    const seen = { Domain: "a.example", site: { domain: "b.example" } };
    expect(suggested([input("domain", "string")], seen).mapping.fields[0]?.from).toBe(
      "site.domain",
    );
    expect(suggested([input("id", "string")]).mapping.fields[0]?.from).toBe("id");
  });

  it("suggests nothing for an ambiguous name, and lists the candidates", () => {
    const seen = { owner: { email: "o@example.com" }, customer: { email: "c@example.com" } };
    expect(suggested([input("email", "string")], seen)).toEqual({
      mapping: NONE,
      notes: ["email: owner.email and customer.email could both be meant."],
    });
    expect(suggested([input("customer_email", "string")], seen).mapping.fields).toEqual([
      { to: "customer_email", from: "customer.email", transforms: [] },
    ]);
  });

  it("maps no object or list to a text, and searches no deeper for one that fits", () => {
    const seen = { customer: { name: "Ann" }, tags: ["a"], order: { customer: "Ann" } };
    const inputs = [input("customer", "string"), input("tags", "string", true)];
    expect(suggested(inputs, seen)).toEqual({
      mapping: NONE,
      notes: ["tags is required, but no value of this name and type was received."],
    });
  });

  it("treats the items of a list as other values", () => {
    const seen = { lines: [{ sku: "A" }], shipped: { sku: "B" }, ID: 7, list: [{ id: 1 }] };
    const { mapping, notes } = suggested([input("sku", "string"), input("id", "integer")], seen);
    expect(mapping).toEqual(NONE);
    expect(notes).toEqual([
      "sku: shipped.sku and lines[0].sku could both be meant.",
      "id: ID and list[0].id could both be meant.",
    ]);
  });

  it("treats a value that is sometimes an object and sometimes a list as other values", () => {
    const one = { paid: { sum: 1 }, parts: [{ sum: 2 }, ["a"]] };
    const notes = ["sum: paid.sum and parts[0].sum could both be meant."];
    expect(suggested([input("sum", "integer")], one)).toEqual({ mapping: NONE, notes });
    const { mapping } = suggested([input("sum", "integer")], { sum: 1 }, [{ sum: 2 }]);
    expect(mapping).toEqual(NONE);
  });

  const name = fc.constantFrom("id", "Id", "order", "order_id", "email", "a");
  const { payload: anyPayload } = fc.letrec<{ payload: PayloadValue }>((tie) => ({
    payload: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, 2, "x", "y", null),
      fc.dictionary(name, tie("payload"), { maxKeys: 4 }),
      fc.array(tie("payload"), { maxLength: 3 }),
    ),
  }));

  it("agrees with auto-mapping on the same name", () => {
    const names = ["id", "order_id", "email", "orderId"];
    const inputs = names.map((each) => input(each, "string"));
    fc.assert(
      fc.property(anyPayload, (seen) => {
        const { values } = autoMap(seen, names);
        for (const { to, from } of suggested(inputs, seen).mapping.fields) {
          expect(values.has(to), `${to} from ${from}`).toBe(true);
          expect(readPath(seen, from ?? "")).toEqual(values.get(to));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("omits inputs that never fit, with a note for required ones", () => {
    const inputs = [input("email", "object", true), input("lines", "boolean")];
    expect(suggested(inputs)).toEqual({
      mapping: NONE,
      notes: ["email is required, but no value of this name and type was received."],
    });
  });

  it("has valid paths for any names", () => {
    const hostile: PayloadValue = JSON.parse('{"a.b": 3, "a[0]": 5, "x": {"\\\\": 7}}');
    const inputs = ["a.b", "a[0]", "\\"].map((each) => input(each, "integer"));
    const { mapping } = suggested(inputs, hostile);
    expect(mapping.fields).toHaveLength(3);
    for (const { from } of mapping.fields) {
      expect(parsePath(from ?? "")).toMatchObject({ ok: true });
      expect(readPath(hostile, from ?? "")).toBeTypeOf("number");
    }
  });

  it("starts from the saved one", () => {
    const seen = learn(emptyProfile(), payload);
    const fields = [{ to: "email", from: "order.count", transforms: [] }];
    const saved = { auto: false, emptyIsAbsent: true, fields };
    const inputs = [input("email", "string"), input("count", "integer")];
    expect(suggestMapping(seen, inputs, saved)).toEqual({
      mapping: {
        ...saved,
        fields: [
          ...fields,
          { to: "count", from: "order.count", transforms: [{ type: "integer" }] },
        ],
      },
      notes: [],
    });
  });

  it("has only notes of required inputs before it has learned", () => {
    const inputs = [input("id", "string", true), input("name", "string")];
    expect(suggestMapping(emptyProfile(), inputs, NONE)).toEqual({
      mapping: NONE,
      notes: ["id is required, but no value of this name and type was received."],
    });
  });
});
