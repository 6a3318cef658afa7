import { describe, expect, it } from "vitest";
import { bind } from "../../../../../../src/agent/models/planner/parse/bind.ts";
import { understand } from "../../../../../../src/agent/models/planner/parse/understand.ts";
import type {
  Delivery,
  Part,
  RequestBody,
} from "../../../../../../src/agent/models/planner/program.ts";
import { Desk } from "../../../../../../src/agent/models/planner/run/desk.ts";
import type { Turn } from "../../../../../../src/contract/conversation.ts";
import { DELIVERY, outcomeOf, pageSource, partOf, play, queryOf, reading } from "./play.ts";

const SHOP = "http://shop.test/products";
const IN_STOCK = { op: "filter", column: "In stock", test: "eq", value: "Yes" } as const;

describe("an accepted program", () => {
  it("is read, computed by process_data, and answered with its plan", async () => {
    const reader = reading([pageSource(SHOP)], (materials) => ({
      parts: [
        partOf(
          { kind: "table", query: queryOf(materials, "table", [IN_STOCK]) },
          { says: "list the rows whose In stock is Yes", label: "Products in stock" },
        ),
      ],
    }));
    const played = await play("What is in stock?", reader);
    expect(outcomeOf(played)).toMatchObject([
      { Product: "Blue Mug" },
      { Product: "Green Chair" },
      { Product: "Steel Pan" },
    ]);
    expect(played.replies.map(({ plan }) => plan)).toEqual([
      ["read it"],
      ["list the rows whose In stock is Yes"],
      undefined,
    ]);
    expect(played.outputs).toMatchObject([{ label: "Products in stock", type: "table" }]);
    expect(played.finish.summary).toMatch(/^Products in stock: 3 rows\.\n- Blue Mug · \$7\.50/);
  });

  it("answers part by part", async () => {
    const reader = reading([pageSource(SHOP)], (materials) => ({
      parts: [
        partOf(
          {
            kind: "value",
            query: queryOf(materials, "table", [
              { op: "aggregate", by: [], aggregates: [{ fn: "sum", column: "Price" }] },
            ]),
          },
          { id: "p1", label: "Total price" },
        ),
        partOf(
          { kind: "count", query: queryOf(materials, "table", [IN_STOCK]) },
          { id: "p2", label: "Number of products in stock" },
        ),
      ],
    }));
    const { finish } = await play("Sum the prices and count what is in stock.", reader);
    expect(finish.data).toEqual({ "Total price": 274.4, "Number of products in stock": 3 });
    expect(finish.summary).toBe("1. Total price: 274.4.\n2. Number of products in stock: 3.");
  });

  it("points to the page that its rows are from, though process_data got a copy of them", async () => {
    const reader = reading([pageSource("http://api.test/users.json")], (materials) => ({
      parts: [partOf({ kind: "table", query: queryOf(materials, "record", []) })],
    }));
    const { calls } = await play("What is the total?", reader);
    expect(calls.find(({ tool }) => tool === "process_data")?.input).toMatchObject({
      sources: [{ data: '[{"total":3}]' }],
    });
    expect(calls.find(({ tool }) => tool === "emit_output")?.input).toMatchObject({
      sources: ["call_2", "call_1"],
    });
  });

  it("sends nothing before a schema can be filled", async () => {
    const reader = reading([pageSource(SHOP)], (materials) => ({
      parts: [
        partOf(
          { kind: "count", query: queryOf(materials, "table", []) },
          { label: "Number of products" },
        ),
      ],
      deliveries: [
        {
          ...DELIVERY,
          kind: "mail",
          to: ["ann@example.com"],
          cc: [],
          subject: null,
          body: [{ part: "p1" }],
          attachments: [],
        },
      ],
    }));
    const schema = {
      type: "object",
      required: ["total"],
      properties: { total: { type: "number" } },
    };
    const { finish, calls } = await play("Count.", reader, { outputSchema: schema });
    expect(finish).toMatchObject({ status: "failed", reason: "cannot_do" });
    expect(finish.summary).toContain('"total"');
    expect(calls.map(({ tool }) => tool)).not.toContain("send_email");
  });

  it("names a source that cannot be read", async () => {
    const reader = reading([pageSource("http://shop.test/none")], () => ({}));
    const { finish } = await play("Open it.", reader);
    expect(finish).toMatchObject({ status: "failed", reason: "source_unavailable" });
    expect(finish.summary).toContain("http://shop.test/none could not be read");
  });

  it("reads again what a message interrupted, ten times at most", () => {
    const answer = {
      ok: false,
      error: { code: "interrupted", message: "A message came." },
    } as const;
    const conversation = (times: number): Turn[] => [
      { role: "user", text: "Open it." },
      ...Array.from({ length: times }, (_, at): Turn[] => {
        const [callId, tool] = [`call_${at + 1}`, "browse"];
        const calls = [{ callId, tool, input: { url: SHOP } }];
        return [
          { role: "assistant", text: "", calls },
          { role: "tool", callId, tool, answer },
          { role: "user", text: "Still there?" },
        ];
      }).flat(),
    ];
    const foundAfter = (times: number) =>
      new Desk({
        turns: conversation(times),
        tools: [{ name: "browse", description: "", inputSchema: {} }],
      }).get("browse", { url: SHOP });
    expect(foundAfter(9)).toBeNull();
    expect(foundAfter(10)).toEqual({ callId: "call_10", answer });
  });

  it("fails before anything is opened if a delivery's tool is not allowed", async () => {
    const reader = reading([pageSource(SHOP)], () => ({}), { needs: ["send_email"] });
    const { finish, calls } = await play("Mail it.", reader, { tools: ["browse", "process_data"] });
    expect(finish).toMatchObject({ status: "failed", reason: "cannot_do" });
    expect(calls).toHaveLength(1);
  });
});

describe("deliveries", () => {
  const count: Part["id"] = "p1";
  const withPrice = (delivery: Delivery) =>
    reading([pageSource(SHOP)], (materials) => ({
      parts: [
        partOf(
          {
            kind: "value",
            query: queryOf(materials, "table", [
              { op: "filter", column: "Product", test: "eq", value: "Blue Mug" },
              { op: "select", columns: ["Price"] },
            ]),
          },
          { id: count, label: "Price of the Blue Mug" },
        ),
      ],
      deliveries: [delivery],
    }));

  it("fill the holes of a request's body with values of the wanted kind", async () => {
    const body: RequestBody = {
      kind: "template",
      value: { item: "mug", price: null },
      holes: [{ path: ["price"], part: count, as: "number", words: "price" }],
    };
    const post: Delivery = {
      ...DELIVERY,
      kind: "request",
      method: "POST",
      url: "http://api.test/orders",
      body,
    };
    const { sent, finish } = await play("Post the price.", withPrice(post));
    expect(sent).toEqual([
      { method: "POST", url: "http://api.test/orders", body: '{"item":"mug","price":7.5}' },
    ]);
    expect(finish.summary).toContain("answered with status 201");
  });

  it("put a value into the words of a mail, once, whatever is said later", async () => {
    const mail: Delivery = {
      ...DELIVERY,
      kind: "mail",
      to: ["ann@example.com"],
      cc: [],
      subject: "Mug",
      body: [{ text: "The mug is " }, { part: count }, { text: " now." }],
      attachments: [],
    };
    const { outputs, calls } = await play("Mail it.", withPrice(mail), {
      messages: [{ afterStep: 4, text: "Thanks" }],
    });
    expect(calls.filter(({ tool }) => tool === "send_email")).toHaveLength(1);
    expect(outputs).toMatchObject([
      { nodeType: "EMAIL", value: { text: "The mug is $7.50 now." } },
      {},
    ]);
  });

  it("end failed if the user does not allow them", async () => {
    const mail: Delivery = {
      ...DELIVERY,
      kind: "mail",
      to: ["ann@example.com"],
      cc: [],
      subject: "Mug",
      body: [{ part: count }],
      attachments: [],
    };
    const { finish } = await play("Mail it.", withPrice(mail), { denied: ["send_email"] });
    expect(finish).toMatchObject({ status: "failed", reason: "cannot_do" });
    expect(finish.summary).toContain("you did not allow it");
  });
});

describe("a long prompt", () => {
  it.each([
    ["words", "and then ".repeat(3_500)],
    ["brackets", "[{".repeat(16_000)],
    ["fences", "``` ".repeat(8_000)],
    ["addresses", "http://x.test/ ".repeat(2_100)],
  ])("of many %s is refused, not read for seconds", async (_, prompt) => {
    const begun = performance.now();
    const { finish } = await play(prompt, { understand, bind });
    expect(finish).toMatchObject({ status: "failed", reason: "cannot_do" });
    // Many times what it takes, and less than what reading each bracket to the end takes.
    expect(performance.now() - begun).toBeLessThan(4_000);
  });
});
