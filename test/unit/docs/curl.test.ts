import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { curlOf, idNamesIn, prettyJson, variableOf } from "../../../src/docs/curl.ts";
import type { ReferenceOperation } from "../../../src/docs/reference.ts";

const READ: ReferenceOperation = {
  id: "getOrder",
  method: "GET",
  path: "/orders/{orderId}",
  tag: "Orders",
  summary: "",
  description: "",
  security: [{ apiKey: ["orders:read"] }],
  parameters: [],
  body: null,
  responses: [],
  problems: [],
  callbacks: [],
};
const target = { origin: "https://service.example", idNames: new Set(["orderId"]) };

const withBody = (example: unknown, method = "POST"): ReferenceOperation => ({
  ...READ,
  method,
  body: { required: true, contents: [{ mediaType: "application/json", schema: {}, example }] },
});

/** What the shell makes of the command: the arguments that curl would get. */
function argumentsOf(command: string, variables: Record<string, string> = {}): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`;
  const out = execFileSync("sh", ["-c", script], { env: variables, encoding: "utf8" });
  return out.split("\0").slice(0, -1);
}

describe("the command of an operation", () => {
  it("reads with a key, at an address with ids", () => {
    const variables = { ORDER_ID: "o 1", PROMPTHOOK_API_KEY: "ph_live_1" };
    expect(argumentsOf(curlOf(READ, target), variables)).toEqual([
      "https://service.example/orders/o 1",
      "-H",
      "Authorization: Bearer ph_live_1",
    ]);
  });

  it("names the method where curl would take another", () => {
    expect(curlOf({ ...READ, method: "DELETE" }, target)).toContain("curl -X DELETE ");
    expect(curlOf(withBody({}, "PATCH"), target)).toContain("curl -X PATCH ");
    expect(curlOf(withBody({}), target)).not.toContain("-X");
    expect(curlOf({ ...READ, method: "POST" }, target)).toContain("curl -X POST ");
  });

  it("carries a body through the shell as it is", () => {
    const body = { text: 'it\'s $HOME `date` \\ "done"', list: [1, { deep: null }] };
    const sent = argumentsOf(curlOf(withBody(body), target)).at(-1) ?? "";
    expect(JSON.parse(sent)).toEqual(body);
  });

  it("puts the reader's ids in the place of those in the body", () => {
    const command = curlOf(withBody({ orderId: "o_example", note: "orderId" }), target);
    const sent = argumentsOf(command, { ORDER_ID: "o_mine" }).at(-1) ?? "";
    expect(JSON.parse(sent)).toEqual({ orderId: "o_mine", note: "orderId" });
  });

  it("lets an address do nothing in the shell", () => {
    const origin = 'https://$(touch x)`id`".example';
    expect(argumentsOf(curlOf(READ, { ...target, origin }))[0]).toBe(`${origin}/orders/`);
  });

  it("has the query of the examples", () => {
    const parameter = {
      name: "waitSeconds",
      in: "query" as const,
      description: "",
      required: false,
      schema: {},
    };
    const operation = { ...READ, parameters: [{ ...parameter, example: 10 }, parameter] };
    expect(curlOf(operation, target)).toContain('$ORDER_ID?waitSeconds=10"');
  });

  it("has the operators' token, an endpoint's token or nothing, as it is asked for", () => {
    const head = (security: ReferenceOperation["security"]) =>
      curlOf({ ...READ, security }, target).split("\n")[1];
    expect(head([{ adminToken: [] }])).toContain("Bearer $ADMIN_TOKEN");
    expect(head([{ webhookToken: [] }, {}])).toContain("X-Webhook-Token: $WEBHOOK_TOKEN");
    expect(head([])).toBeUndefined();
  });
});

it("takes the parameters of paths for ids", () => {
  const parameter = { description: "", required: true, schema: {} };
  const parameters = [
    { ...parameter, name: "orderId", in: "path" as const },
    { ...parameter, name: "limit", in: "query" as const },
  ];
  expect([...idNamesIn([{ ...READ, parameters }])]).toEqual(["orderId"]);
  expect(variableOf("orderId")).toBe("ORDER_ID");
});

it("keeps what is short on one line and lays out the rest", () => {
  expect(prettyJson({ id: 1, list: [], none: {} })).toBe('{ "id": 1, "list": [], "none": {} }');
  const long = { text: "x".repeat(70), list: [{ a: 1 }, "y".repeat(70)] };
  expect(prettyJson(long)).toBe(
    `{\n  "text": "${"x".repeat(70)}",\n  "list": [\n    { "a": 1 },\n    "${"y".repeat(70)}"\n  ]\n}`,
  );
});

it("says the same as the value, whatever it is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(prettyJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
