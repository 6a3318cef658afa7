import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { withOperations } from "../../../scripts/package/python.ts";
import { referenceOf } from "../../../scripts/package/reference.ts";
import { apiDocument } from "../../../src/http/routes.ts";
import { answer, refuse, startScript } from "../../support/scripted-service.ts";
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
