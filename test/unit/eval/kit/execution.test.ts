import { afterAll, beforeAll, expect, test } from "vitest";
import type { Model, ModelRequest } from "../../../../src/contract/conversation.ts";
import type { Json } from "../../../../src/contract/json.ts";
import { type CaseInput, evalCase } from "../../../eval/kit/expectation.ts";
import { EvalExecution } from "../../../eval/kit/harness/execution.ts";
import { type SiteServer, startSites } from "../../../eval/kit/harness/server.ts";
import type { Observed } from "../../../eval/kit/judge/judge.ts";
import { MUSEUM_SITE } from "../../../eval/kit/sites/museum.ts";
import { value } from "../../../eval/kit/wants.ts";

let sites: SiteServer;
beforeAll(async () => {
  sites = await startSites([MUSEUM_SITE]);
});
afterAll(() => sites.close());

type Step = [tool: string, input: Json];

/** Runs a case with a model that makes one call in each step. */
async function observe(steps: Step[], changes: Partial<CaseInput> = {}) {
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: "test/model",
    async respond(request) {
      requests.push(request);
      const [tool, input] = steps[requests.length - 1] ?? ["finish", { summary: "It is done." }];
      const calls = [{ callId: `call_${requests.length}`, tool, input }];
      return { text: "", calls, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 } };
    },
  };
  const one = evalCase.parse({
    id: "case",
    kind: "lookup",
    prompt: "Do it",
    want: value(1),
    ...changes,
  });
  const seen: Observed = await new EvalExecution(one, model, sites).run();
  return { seen, requests };
}

test("a page of a site is read under the name of its host", async () => {
  const { requests } = await observe([["browse", { url: "http://museum.example/visit" }]]);
  expect(JSON.stringify(requests[1]?.turns)).toContain("Child under 12");
});

test("a host that no site has is unreachable", async () => {
  const { requests } = await observe([["browse", { url: "http://elsewhere.example/" }]]);
  expect(JSON.stringify(requests[1]?.turns)).toContain('"network"');
});

test("e-mails and requests are seen as they were sent, and reads are not", async () => {
  const { seen } = await observe([
    ["http_request", { url: "http://museum.example/visit" }],
    ["http_request", { method: "POST", url: "http://desk.example/in", body: { n: 1 } }],
    ["send_email", { to: ["ann@a.example"], subject: "Hello", text: "Hi" }],
  ]);
  expect(seen.status).toBe("completed");
  expect(seen.requests).toEqual([
    { method: "POST", url: "http://desk.example/in", body: '{"n":1}' },
  ]);
  expect(seen.mails).toMatchObject([{ to: ["ann@a.example"], subject: "Hello", text: "Hi" }]);
});

test("the requests of one execution are not seen in the next", async () => {
  await observe([["http_request", { method: "DELETE", url: "http://desk.example/1" }]]);
  const { seen } = await observe([]);
  expect(seen.requests).toEqual([]);
});

test("the files of outputs are seen with their bytes", async () => {
  const file = { label: "List", type: "file", filename: "a.txt", value: "Heron" };
  const { seen } = await observe([["emit_output", file]]);
  expect(new TextDecoder().decode(seen.outputs[0]?.bytes)).toBe("Heron");
});

test("messages arrive one by one while the model thinks", async () => {
  const { requests } = await observe([], { messages: ["And this.", "And that."] });
  const texts = requests.map(({ turns }) =>
    turns.flatMap((turn) => (turn.role === "user" ? [turn.text] : [])),
  );
  expect(texts).toEqual([["Do it"], ["Do it", "And this."], ["Do it", "And this.", "And that."]]);
});

test("a question is answered by the case's replies, else it ends the run", async () => {
  const ask: Step[] = [["ask_user", { question: "Which one?" }]];
  const { seen } = await observe(ask, { interactive: true });
  expect(seen).toMatchObject({ status: "asked", summary: "Which one?" });
  const answered = await observe(ask, { interactive: true, replies: ["The first."] });
  expect(answered.seen.status).toBe("completed");
});

test("a model that breaks fails the execution with the error's message", async () => {
  const model: Model = {
    name: "test/model",
    respond: () => Promise.reject(new Error("It broke.")),
  };
  const one = evalCase.parse({ id: "case", kind: "lookup", prompt: "Do it", want: value(1) });
  const seen = await new EvalExecution(one, model, sites).run();
  expect(seen).toMatchObject({ status: "failed", detail: "It broke." });
});
