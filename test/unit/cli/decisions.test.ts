import { expect, it } from "vitest";
import { runAgainst } from "../../support/cli/terminal.ts";
import { answer } from "../../support/scripted-service.ts";

const ID = "dec_4kQ0mYb2Zt7RcX1a";
const open = {
  decisionId: ID,
  executionId: "019a8b2c-6f00-7000-8000-000000000000",
  kind: "approval",
  title: "Sending POST https://shop.example/pay",
  tool: "http_request",
  state: "open",
  requestedAt: "2026-11-20T09:30:00.000Z",
  expiresAt: "2026-11-21T09:30:00.000Z",
};

async function cli(argv: string[], body: unknown) {
  const { stdout, asked } = await runAgainst([answer(body)], argv);
  return { stdout, asked: asked[0] };
}

it("decisions list shows open decisions with their calls", async () => {
  const { stdout, asked } = await cli(["decisions", "list"], {
    decisions: [open],
    nextCursor: null,
  });
  expect(asked?.path).toContain("state=open");
  expect(stdout.split("\n")[1]).toContain("http_request: Sending POST https://shop.example/pay");
});

it.each([
  [["approve", ID], { decision: "approve" }, "Approved.\n"],
  [["deny", ID, "--comment", "Too dear."], { decision: "deny", comment: "Too dear." }, "Denied.\n"],
  [["answer", ID, "2026"], { answer: "2026" }, "Answered.\n"],
])("decisions %j sends %j", async ([verb = "", ...args], body, said) => {
  const { decision } = body as { decision?: string };
  const decided = { ...open, state: "answered", ...(decision && { decision }) };
  const { stdout, asked } = await cli(["decisions", verb, ...args], decided);
  expect(JSON.parse(asked?.body ?? "")).toEqual(body);
  expect(stdout).toBe(said);
});
