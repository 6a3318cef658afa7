import { afterAll, beforeAll, expect, test } from "vitest";
import type { Model, ModelRequest } from "../../../src/contract/conversation.ts";
import type { Json } from "../../../src/contract/json.ts";
import { value } from "../../eval/expectation.ts";
import { EvalExecution } from "../../eval/harness/execution.ts";
import { type SiteServer, startSites } from "../../eval/harness/server.ts";
import { MUSEUM_SITE } from "../../eval/sites/museum.ts";
import type { Task } from "../../eval/task.ts";

let sites: SiteServer;
beforeAll(async () => {
  sites = await startSites([MUSEUM_SITE]);
});
afterAll(() => sites.close());

type Step = [tool: string, input: Json];

/** Runs a task with a model that makes one call in each step. */
async function observe(steps: Step[], changes: Partial<Task> = {}) {
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
  const task: Task = { id: "task", prompt: "Do it", want: value(1), solution: [[]], ...changes };
  return { seen: await new EvalExecution(task, model, sites).run(), requests };
}

test("only the sites can be reached, under the names of their hosts", async () => {
  const { requests } = await observe([
    ["browse", { url: "http://museum.example/visit" }],
    ["browse", { url: "http://elsewhere.example/" }],
  ]);
  expect(JSON.stringify(requests[1]?.turns)).toContain("Thursday");
  expect(JSON.stringify(requests[2]?.turns)).toContain('"network"');
});

test("messages arrive one by one while the model thinks", async () => {
  const { requests } = await observe([], { messages: ["And this.", "And that."] });
  const texts = requests.map(({ turns }) =>
    turns.flatMap((turn) => (turn.role === "user" ? [turn.text] : [])),
  );
  expect(texts).toEqual([["Do it"], ["Do it", "And this."], ["Do it", "And this.", "And that."]]);
});

test("a question without a reply ends the run", async () => {
  const ask: Step[] = [["ask_user", { question: "Which one?" }]];
  const { seen } = await observe(ask, { interactive: true });
  expect(seen).toMatchObject({ status: "asked", summary: "Which one?" });
});

test("a model that breaks fails the execution with the error's message", async () => {
  const respond = () => Promise.reject(new Error("It broke."));
  const task: Task = { id: "task", prompt: "Do it", want: value(1), solution: [[]] };
  const seen = await new EvalExecution(task, { name: "test/model", respond }, sites).run();
  expect(seen).toMatchObject({ status: "failed", detail: "It broke." });
});
