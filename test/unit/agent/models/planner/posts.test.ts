import { expect, test } from "vitest";
import { plan } from "../../../../../src/agent/models/planner/planner.ts";
import type { ToolCall } from "../../../../../src/contract/conversation.ts";
import { type Options, type Run, requestOf, run } from "./support/run.ts";
import { WEB } from "./support/sites/all.ts";

const on = (prompt: string, options: Options = {}): Promise<Run> =>
  run(prompt, { site: WEB, ...options });

const HOOK = "http://hooks.test/in";

const sentTo = (done: Run, url: string): ToolCall[] =>
  done.calls.filter(
    ({ tool, input }) => tool === "http_request" && JSON.stringify(input).includes(url),
  );

test("sends what was found to an address once, whatever the answer turns into later", async () => {
  const prompt = `Post the products on http://shop.test/products to ${HOOK}`;
  const done = await on(prompt, { messages: [{ afterStep: 3, text: "only the first 2 rows" }] });
  expect(sentTo(done, HOOK)).toHaveLength(1);
  expect(done.finish.status).toBe("completed");
});

test("sends nothing to an address when the user does not allow it, and fails", async () => {
  const prompt = `Post the products on http://shop.test/products to ${HOOK}`;
  const done = await on(prompt, { denied: ["http_request"] });
  expect(sentTo(done, HOOK)).toHaveLength(1);
  expect(done.finish).toMatchObject({
    status: "failed",
    summary: expect.stringContaining("you did not allow it"),
  });
});

test("makes a request that changes something only once, though no answer came back", async () => {
  const prompt = `POST {"a": 1} to ${HOOK}`;
  const done = await on(prompt);
  const sent = done.turns.findIndex((turn) => turn.role === "tool");
  const reply = plan(requestOf(done.turns.slice(0, sent)));
  expect(reply.calls.map(({ tool }) => tool)).toEqual(["finish"]);
  expect(JSON.stringify(reply.calls)).toContain("not known");
});

test.for(["Stop", "Don't post it", "please do not send it to the hook"])(
  "sends nothing to an address once it is called off: %j",
  async (text) => {
    const prompt = `Post the products on http://shop.test/products to ${HOOK}`;
    const done = await on(prompt, { messages: [{ afterStep: 1, text }] });
    expect(sentTo(done, HOOK)).toEqual([]);
  },
);
