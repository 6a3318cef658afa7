import { expect, it } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { answer, type ScriptedService, serving } from "../../support/scripted-service.ts";
import { emptyResult, stateAt } from "../../support/states.ts";

let service: ScriptedService;

const accepted = (executionId: string) => ({ status: 202, executionId, availableCredits: 9 });
const refused = (status: number) => ({ status, problem: { status, code: "refused" } });

it("runAll retries executions refused for lack of room, and returns all results in order", async () => {
  service = await serving(
    answer({ results: [accepted("a"), refused(429), refused(400)] }),
    answer(stateAt(2, "completed")),
    answer({ ...emptyResult(), executionId: "a" }),
    answer({ results: [accepted("b")] }),
    answer(stateAt(2, "completed")),
    answer({ ...emptyResult(), executionId: "b" }),
  );
  const client = new Prompthook({ baseUrl: service.url, apiKey: "ph_live_key" });
  const results = await client.executions.runAll(
    ["one", "two", "three"].map((prompt) => ({ prompt })),
  );
  expect(results).toMatchObject([{ executionId: "a" }, { executionId: "b" }, { status: 400 }]);
  const batches = service.asked.filter(({ path }) => path.endsWith("/batch"));
  expect(batches.map(({ body }) => JSON.parse(body))).toEqual([
    { executions: [{ prompt: "one" }, { prompt: "two" }, { prompt: "three" }] },
    { executions: [{ prompt: "two" }] },
  ]);
});

it("runAll tells of each execution that has started, also where a wait then fails", async () => {
  service = await serving(
    answer({ results: [accepted("a"), refused(400), accepted("c")] }),
    answer({}, 500),
  );
  const client = new Prompthook({ baseUrl: service.url, apiKey: "ph_live_key", maxRetries: 0 });
  const started: [string, number][] = [];
  const running = client.executions.runAll(
    ["one", "two", "three"].map((prompt) => ({ prompt })),
    { onStarted: (executionId, at) => started.push([executionId, at]) },
  );
  await expect(running).rejects.toThrow("Unexpected response 500");
  expect(started).toEqual([
    ["a", 0],
    ["c", 2],
  ]);
});

it("runAll pauses while the account has no room", async () => {
  service = await serving(
    answer({ results: [refused(429)] }),
    answer({ results: [accepted("a")] }),
    answer(stateAt(2, "completed")),
    answer(emptyResult()),
  );
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const runtime = { sleep };
  const client = new Prompthook({ baseUrl: service.url, apiKey: "ph_live_key", runtime });
  expect(await client.executions.runAll([{ prompt: "one" }])).toHaveLength(1);
  expect(pauses).toContain(10_000);
});
