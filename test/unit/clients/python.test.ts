import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { withOperations } from "../../../scripts/package/python.ts";
import { referenceOf } from "../../../scripts/package/reference.ts";
import { apiDocument } from "../../../src/http/routes.ts";
import { type Act, answer, refuse, startScript } from "../../support/scripted-service.ts";
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
