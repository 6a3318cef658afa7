import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test, vi } from "vitest";
import type { DemoTask } from "../../scripts/demo/agent.ts";
import { callbackTask } from "../../scripts/demo/callback-task.ts";
import { caseTask } from "../../scripts/demo/case-task.ts";
import { webhookTask } from "../../scripts/demo/webhook-task.ts";
import { ROOT } from "../../scripts/local/project.ts";
import { createAccount } from "../support/client.ts";
import { BARE } from "../support/processes.ts";
import { startSite } from "../support/site/server.ts";
import { folderUntilEnd } from "../support/until-end.ts";

const temporary = await folderUntilEnd();

/** Runs the demo on the embedded model, with nothing of this shell's environment but the way to its programs. */
async function demo(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["scripts/demo.ts", ...args], {
    cwd: ROOT,
    env: { ...BARE, TMPDIR: temporary, DEFAULT_MODEL: "builtin/demo" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await once(child, "close");
  return { code: child.exitCode, output };
}

test("shows a workbook and an e-mail made from three pages, on the embedded defaults", async () => {
  const { code, output } = await demo("--task", "spreadsheet");
  expect(output).toContain("run_code: Running code on 3 answers");
  expect(output).toContain('Sheet "prices", 9 rows:');
  expect(output).toContain("To: buyer@harbourlane.example");
  expect(output).toMatch(/Attached: prices\.xlsx \(\d+ bytes\)/);
  expect(output).toContain("Effect: send_email, e-mail to buyer@harbourlane.example");
  expect(code).toBe(0);
  expect(output).toContain("--task webhook");
  expect(output).not.toContain("--task spreadsheet");
  const [folder = ""] = (await readdir(temporary)).filter((name) => name.includes("workbook"));
  expect(await readdir(join(temporary, folder))).toEqual(["prices.xlsx"]);
});

/** What a task prints, on the service of all test files. */
async function printedBy(task: DemoTask): Promise<string> {
  const service = inject("service");
  const { apiKey } = await createAccount(service);
  const print = vi.spyOn(console, "log").mockReturnValue();
  const site = await startSite();
  try {
    await task.run({ url: service.url, apiKey }, site.origin);
    return print.mock.calls.map(([line]) => `${line}\n`).join("");
  } finally {
    print.mockRestore();
    await site.close();
  }
}

test("shows what an agent read on two pages, as a signed callback", async () => {
  const output = await printedBy(callbackTask);
  expect(output).toContain("Callback received, its signature verified.");
  expect(output).toMatch(/[1-9]\d* outputs, \d+ credits\./);
});

test("shows a signed event start an execution, its duplicate and two refusals", async () => {
  const output = await printedBy(webhookTask);
  expect(output).toMatch(/202 {2}\{.*"status":"accepted"/);
  expect(output).toMatch(/200 {2}\{.*"status":"duplicate"/);
  expect(output.match(/ {2}401 {2}\{/g)).toHaveLength(2);
  expect(output).toMatch(/status: succeeded, answered 202/);
  expect(output).toMatch(/started after \d+ ms, ended after \d+ ms/);
  expect(output).not.toMatch(/x-hub-signature-256: sha256=/);
  expect(output).toMatch(/diagnosis: .+/);
});

test("shows a pull request whose pushes reach one agent while another waits for the build", async () => {
  const output = await printedBy(caseTask);
  expect(output).toContain("waiting_for_input (event)");
  expect(output.match(/"status":"queued"/g)).toHaveLength(3);
  expect(output).toMatch(/one execution gets all three:\n\n.*3/);
  expect(output.match(/"status":"unrouted"/g)).toHaveLength(2);
  expect(output).toContain("completed (done)");
  const [, pushes = ""] = output.split("pushes, #7:");
  expect(pushes.match(/event pull_request/g)).toHaveLength(3);
  expect(pushes.match(/execution\.started/g)).toHaveLength(1);
});

test.each(["deploy", "smoke", "start"])("%s prints its usage, and does nothing", async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, [`scripts/${name}.ts`, "--help"], {
    cwd: ROOT,
    env: { ...BARE, TMPDIR: temporary },
  });
  expect(stdout).toMatch(/^Usage: npm (?:run )?\w+ -- /);
});

test("lists its tasks for an unknown one", async () => {
  const { code, output } = await demo("--task", "chess");
  expect(output).toContain(
    'Unknown task "chess". The tasks are: callback, spreadsheet, webhook, case.',
  );
  expect(code).not.toBe(0);
});
