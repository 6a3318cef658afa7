import { afterAll, beforeAll, expect, test } from "vitest";
import type { Model, ModelRequest } from "../../../src/contract/conversation.ts";
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

test("only the sites can be reached, under the names of their hosts", async () => {
  const requests: ModelRequest[] = [];
  const pages = ["http://museum.example/visit", "http://elsewhere.example/"];
  const model: Model = {
    name: "test/model",
    async respond(request) {
      requests.push(request);
      const url = pages[requests.length - 1];
      const calls = url === undefined ? [] : [{ callId: "open", tool: "browse", input: { url } }];
      return { text: "Done.", calls, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 } };
    },
  };
  const task: Task = { id: "task", prompt: "Do it", want: value(1), solution: [[]] };
  await new EvalExecution(task, model, sites).run();
  expect(JSON.stringify(requests[1]?.turns)).toContain("Thursday");
  expect(JSON.stringify(requests[2]?.turns)).toContain('"network"');
});
