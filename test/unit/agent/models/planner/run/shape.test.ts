import { describe, expect, it } from "vitest";
import type { MaterialPage } from "../../../../../../src/agent/models/planner/program.ts";
import type { Result } from "../../../../../../src/agent/models/planner/run/result.ts";
import { shapeTo } from "../../../../../../src/agent/models/planner/run/shape.ts";
import { readAnswer } from "../../../../../../src/agent/models/planner/run/view.ts";
import { readPage } from "../../../../../../src/agent/tools/page/read-page.ts";
import type { Json, JsonObject } from "../../../../../../src/contract/json.ts";
import { partOf } from "./play.ts";

/** A result of this label. */
function result(label: string, data: Json, changes: Partial<Result> = {}): Result {
  return {
    part: partOf({ kind: "literal", text: "" }, { label }),
    columns: [label],
    rows: [[data]],
    data,
    sentence: `${label}: ${JSON.stringify(data)}.`,
    text: "",
    output: "json",
    callId: null,
    sources: [],
    notes: [],
    ...changes,
  };
}

const rows = (columns: string[], cells: Json[][]): Result =>
  result("Products", [], { columns, rows: cells, output: "table" });

const object = (properties: Record<string, JsonObject>, required?: string[]): JsonObject => ({
  type: "object",
  properties,
  ...(required && { required }),
});

const PRODUCTS = rows(
  ["Product", "Unit price", "In stock"],
  [
    ["Mug", "$7.50", "Yes"],
    ["Lamp", "$25.00", "No"],
  ],
);

describe("shapeTo", () => {
  it("fills a list of objects by the names of the columns", () => {
    const item = object({
      product: { type: "string" },
      unitPrice: { type: "number" },
      inStock: { type: "boolean" },
    });
    const schema = object({ products: { type: "array", items: item } });
    expect(shapeTo(schema, [PRODUCTS], [])).toEqual({
      ok: true,
      value: {
        products: [
          { product: "Mug", unitPrice: 7.5, inStock: true },
          { product: "Lamp", unitPrice: 25, inStock: false },
        ],
      },
    });
  });

  it("fills several fields from the parts of their names", () => {
    const parts = [result("Product count", 2), result("Total price", 32.5)];
    const schema = object({ totalPrice: { type: "number" }, productCount: { type: "integer" } });
    expect(shapeTo(schema, parts, [])).toEqual({
      ok: true,
      value: { totalPrice: 32.5, productCount: 2 },
    });
  });

  it("never fills a total with the number of rows, nor with a value of one row", () => {
    const total = object({ total: { type: "number" } });
    const price = object({ totalPrice: { type: "number" } });
    expect(shapeTo(total, [PRODUCTS], [])).toEqual({
      ok: false,
      message: expect.stringContaining('"total"'),
    });
    expect(shapeTo(price, [rows(["Product", "Price"], [["Mug", "$7.50"]])], []).ok).toBe(false);
  });

  it("names a column that the rows lack", () => {
    const item = object({ product: { type: "string" }, sku: { type: "string" } }, ["sku"]);
    const shaped = shapeTo({ type: "array", items: item }, [PRODUCTS], []);
    expect(shaped).toEqual({ ok: false, message: expect.stringContaining('"[].sku"') });
  });

  it("takes an amount for a field of a currency only in that currency", () => {
    const one = rows(["Price"], [["$7.50"]]);
    expect(shapeTo(object({ priceUsd: { type: "number" } }), [one], [])).toEqual({
      ok: true,
      value: { priceUsd: 7.5 },
    });
    expect(shapeTo(object({ priceEur: { type: "number" } }), [one], []).ok).toBe(false);
  });

  it("fills what a page says of itself, leaves out what is optional, and gives null where it may", () => {
    const html = "<h1>Desk</h1><dl><dt>Wood</dt><dd>Oak</dd></dl>";
    const reading = readAnswer("c1", {
      ok: true,
      content: { ...readPage(html, "http://a.test/"), mediaType: "text/html" },
    });
    const pages: MaterialPage[] = reading.ok ? [reading.value] : [];
    const properties = {
      wood: { type: "string" },
      weight: { type: ["string", "null"] },
      sku: { type: "string" },
    };
    expect(shapeTo(object(properties, ["wood", "weight"]), [], pages)).toEqual({
      ok: true,
      value: { wood: "Oak", weight: null },
    });
  });

  it("keeps to the values of an enumeration", () => {
    const state = { type: "string", enum: ["open", "closed"] };
    expect(shapeTo(object({ state }), [result("State", "open")], []).ok).toBe(true);
    expect(shapeTo(object({ state }), [result("State", "pending")], []).ok).toBe(false);
  });
});
