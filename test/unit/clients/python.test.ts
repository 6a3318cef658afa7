import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { withOperations } from "../../../scripts/package/python.ts";
import { referenceOf } from "../../../scripts/package/reference.ts";
import { apiDocument } from "../../../src/http/routes.ts";
import { type Act, answer, drop, refuse, startScript } from "../../support/scripted-service.ts";
import { EXECUTION_ID, emptyResult, stateAt } from "../../support/states.ts";

const CLIENT = "clients/python/prompthook/client.py";

it("the Python client has the types and operations of the API document", async () => {
  const client = withOperations(await readFile(CLIENT, "utf8"), referenceOf({ ...apiDocument() }));
  await expect(client).toMatchFileSnapshot(`../../../${CLIENT}`);
});

const run = promisify(execFile);
const version = await run("python3", ["--version"]).then(
  ({ stdout }) => /^Python 3\.(\d+)/.exec(stdout)?.[1],
  () => undefined,
);

const WAITS = `
import sys
sys.path.insert(0, "clients/python")
from prompthook import Problem, Prompthook, WaitTimeout
client = Prompthook(sys.argv[1], "ph_live_key", max_retries=0)
try:
    print(client.wait(sys.argv[2], timeout_seconds=float(sys.argv[3]))["status"])
except (Problem, WaitTimeout) as error:
    print(type(error).__name__, error.execution_id)
`;

it.runIf(Number(version) >= 11)(
  "the Python client waits while its polls are rate-limited, and names the execution in errors",
  async () => {
    const limited = (seconds: number) =>
      refuse(429, "rate_limited", { "Retry-After": String(seconds) });
    const waits = async (timeoutSeconds: string, ...acts: Parameters<typeof startScript>) => {
      const service = await startScript(...acts);
      const args = ["-B", "-c", WAITS, service.url, EXECUTION_ID, timeoutSeconds];
      const { stdout } = await run("python3", args);
      await service.close();
      return stdout.trim();
    };
    const ended = [answer(stateAt(2, "completed")), limited(0), answer(emptyResult())];
    expect(await waits("60", limited(0), limited(0), limited(0), ...ended)).toBe("completed");
    expect(await waits("0.1", limited(3_600))).toBe(`WaitTimeout ${EXECUTION_ID}`);
    expect(await waits("60", refuse(403, "insufficient_scope"))).toBe(`Problem ${EXECUTION_ID}`);
  },
);

const READS = `
import sys
sys.path.insert(0, "clients/python")
from prompthook import ConnectionFailed, Prompthook
client = Prompthook(sys.argv[1], "ph_live_key", max_retries=1)
for read in (lambda: client.wait(sys.argv[2]), lambda: list(client.stream(sys.argv[2]))):
    try:
        got = read()
        print(got["status"] if isinstance(got, dict) else [event["seq"] for event in got])
    except ConnectionFailed as error:
        print(type(error).__name__, error.execution_id)
`;

it.runIf(Number(version) >= 11)(
  "the Python client repeats a read whose answer breaks off, and raises ConnectionFailed if it stays so",
  async () => {
    const reads = async (...acts: Act[]) => {
      const service = await startScript(...acts);
      const { stdout } = await run("python3", ["-B", "-c", READS, service.url, EXECUTION_ID]);
      await service.close();
      return stdout.trim().split("\n");
    };
    const half: Act = (response) => {
      response.writeHead(200, { "Content-Length": "100" }).write("{");
      response.socket?.end();
    };
    const event = { seq: 1, type: "status", data: { status: "completed" } };
    const piece = 'event: text\ndata: {"text":"Hel"}\n\n';
    const events: Act = (response) =>
      void response.end(`${piece}id: 1\ndata: ${JSON.stringify(event)}\n\n`);
    const state = answer(stateAt(2, "completed"));
    const quiet: Act = (response) => void response.end(": keep-alive\n\n");
    const busy = refuse(503, "unavailable", { "Retry-After": "0" });
    expect(
      await reads(half, state, half, answer(emptyResult()), busy, quiet, quiet, events),
    ).toEqual(["completed", "[1]"]);
    const failed = `ConnectionFailed ${EXECUTION_ID}`;
    expect(await reads(half)).toEqual([failed, "ConnectionFailed None"]);
    const page: Act = (response) => void response.end("<html>");
    expect(await reads(page)).toEqual([failed, "ConnectionFailed None"]);
  },
);

const CALLS = `
import sys
sys.path.insert(0, "clients/python")
from prompthook import ConnectionFailed, Problem, Prompthook
client = Prompthook(sys.argv[1] + "/api/v1/", "ph_live_key\\n", max_retries=1)
print(client.put_workflow("look", {"name": "look", "prompt": "Look."})["changed"])
for call in (client.get_credits, lambda: client.create_workflow({"name": "look", "prompt": "Look."})):
    try:
        call()
    except (ConnectionFailed, Problem) as error:
        print(type(error).__name__, error)
for key in (None, "ph_live_two\\nlines"):
    try:
        Prompthook(sys.argv[1], key)
    except ValueError as error:
        print(error)
`;

it.runIf(Number(version) >= 11)(
  "the Python client repeats a put, takes a key with a line break at its end, and shows none in errors",
  async () => {
    const busy = refuse(503, "unavailable", { "Retry-After": "61" });
    const service = await startScript(drop, answer({ changed: false }), busy, drop);
    const { stdout } = await run("python3", ["-B", "-c", CALLS, service.url]);
    await service.close();
    expect(stdout.trim().split("\n")).toEqual([
      "False",
      expect.stringMatching(/^Problem /),
      expect.stringContaining(
        `ConnectionFailed No response from ${service.url}/api/v1/workflows: `,
      ),
      "api_key must be an API key, which begins with ph_live_",
      "api_key must be an API key, which begins with ph_live_",
    ]);
    const { authorization } = service.asked[1]?.headers ?? {};
    expect([service.asked.length, authorization]).toEqual([4, "Bearer ph_live_key"]);
  },
);

/** More waits than the pool of asyncio has threads. */
const WAITS_AT_ONCE = 40;

const MANY = `
import asyncio
import sys
sys.path.insert(0, "clients/python")
from prompthook import AsyncPrompthook

async def main():
    client = AsyncPrompthook(sys.argv[1], "ph_live_key")
    reported = asyncio.Queue()
    def wait():
        return client.wait(sys.argv[2], on_progress=lambda state: reported.put_nowait(state["version"]))
    waits = [asyncio.create_task(wait()) for _ in range(${WAITS_AT_ONCE})]
    print(sorted([await reported.get() for _ in range(len(waits) + 1)])[-1])
    for each in waits:
        each.cancel()

asyncio.run(main())
`;

it.runIf(Number(version) >= 11)(
  "the Python client waits for many executions at once with asyncio, and a program that cancels the waits ends",
  async () => {
    const open: ServerResponse[] = [];
    const service = await startScript((response, asked) => {
      open.push(response);
      // The first polls are answered once all of them are there, then one of the long ones.
      if (open.length === WAITS_AT_ONCE)
        for (const one of open) answer(stateAt(1, "active"))(one, asked);
      if (open.length === 2 * WAITS_AT_ONCE) answer(stateAt(2, "active"))(response, asked);
    });
    const { stdout } = await run("python3", ["-B", "-c", MANY, service.url, EXECUTION_ID]);
    await service.close();
    expect(stdout.trim()).toBe("2");
  },
);
