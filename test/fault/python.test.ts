import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../support/client.ts";
import { hasPython } from "../support/python-version.ts";
import { startTestService, type TestService } from "../support/service.ts";

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, "../support/python/use.py");

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test.runIf(hasPython)(
  "the Python client runs, follows and lists executions, and verifies callbacks",
  async () => {
    const { apiKey } = await createAccount(service);
    const { stdout } = await run("python3", ["-B", SCRIPT, service.url, apiKey]);
    expect(JSON.parse(stdout)).toEqual({
      status: "completed",
      "last progress": "completed",
      "first and last event": ["status", "status"],
      callback: true,
      verdicts: {
        genuine: "completed",
        altered: "wrong_signature",
        "other secret": "wrong_signature",
        late: "outdated",
        unsigned: "missing_header",
      },
      "one execution for one key": true,
      listed: 3,
      "timed out": true,
      problem: { status: 404, code: "not_found", requestId: true },
      "plain HTTP": "refused",
    });
  },
);
