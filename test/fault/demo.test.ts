import { expect, inject, test, vi } from "vitest";
import type { DemoTask } from "../../scripts/demo/agent.ts";
import { callbackTask } from "../../scripts/demo/callback-task.ts";
import { caseTask } from "../../scripts/demo/case-task.ts";
import { webhookTask } from "../../scripts/demo/webhook-task.ts";
import { createAccount } from "../support/client.ts";
import { startSite } from "../support/site/server.ts";

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
