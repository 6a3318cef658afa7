import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createAccount } from "../support/client.ts";
import { hasPython } from "../support/python-version.ts";
import { startTestRuntime } from "../support/runtime.ts";
import { folderUntilEnd, untilEnd } from "../support/until-end.ts";

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, "../support/python/use.py");

const folder = await folderUntilEnd();
const service = await untilEnd(startTestRuntime());

/** Builds a wheel, installs it in an environment of its own, without a network, and returns its Python. */
async function installed(): Promise<string> {
  const pip = (...args: string[]) => run("python3", ["-m", "pip", ...args]);
  const client = join(import.meta.dirname, "../../clients/python");
  const environment = join(folder, "environment");
  await Promise.all([
    pip("wheel", "--no-index", "--wheel-dir", folder, client),
    run("python3", ["-m", "venv", "--without-pip", environment]),
  ]);
  const wheel = (await readdir(folder)).find((name) => name.endsWith(".whl")) ?? "";
  const python = join(environment, "bin/python");
  await pip("--python", python, "install", "--no-index", join(folder, wheel));
  return python;
}

test.runIf(hasPython)(
  "the Python client, built and installed, runs, follows and lists executions, also with asyncio, and verifies callbacks",
  async () => {
    const { apiKey } = await createAccount(service);
    const { stdout } = await run(await installed(), ["-B", SCRIPT, service.url, apiKey]);
    expect(JSON.parse(stdout)).toEqual({
      installed: "site-packages",
      typed: true,
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
      async: [["completed", "completed"], "status", 5, true],
    });
  },
);
