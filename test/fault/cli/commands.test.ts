import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { executionEvent } from "../../../src/contract/events.ts";
import { executionResult } from "../../../src/contract/execution.ts";
import { type LogEntry, logEntry, replayAccepted } from "../../../src/contract/webhooks/log.ts";
import { buildCli, jsonLines } from "../../support/cli/built.ts";
import { runProgram } from "../../support/cli/terminal.ts";
import { createAccount } from "../../support/client.ts";
import { byStep, call, callsTools, finishes, hangs } from "../../support/model-server/behaviour.ts";
import { startModelServer } from "../../support/model-server/server.ts";
import { startSite } from "../../support/site/server.ts";
import { folderOfTest, untilEnd } from "../../support/until-end.ts";
import { Webhooks } from "../../support/webhooks.ts";

const execute = promisify(execFile);

const service = inject("service");
const model = await untilEnd(startModelServer({ record: false, port: service.modelPort }));
const cli = await untilEnd(buildCli(service.url));
const site = await untilEnd(startSite());
const client = await createAccount(service);
model.script("finishes", () => finishes("All done.", { n: 1 }));
model.script("hangs", hangs);
model.script(
  "asks",
  byStep(callsTools(call("ask_user", { question: "Which year?" })), finishes("Thank you.")),
);
const file = {
  label: "Report",
  type: "file",
  value: "a,b\n",
  filename: "r.csv",
  mediaType: "text/csv",
};
model.script("writes", byStep(callsTools(call("emit_output", file)), finishes("Written.")));

/** Runs the program as it is installed. */
const runBuilt = (args: string[], input = "") => cli.run(args, { apiKey: client.apiKey, input });
/** Runs it in this process, which costs no start of Node. */
const run = (args: string[], input = "") =>
  runProgram(service.url, args, { env: { PROMPTHOOK_API_KEY: client.apiKey }, input });
const start = (args: string[]) => cli.start(args, { apiKey: client.apiKey });
const trigger = (model: string, ...args: string[]) => [
  "trigger",
  "Do it.",
  "--model",
  `openai/${model}`,
  ...args,
];

describe("trigger --watch", () => {
  test("follows an execution of the demo model to its end, and prints the result", async () => {
    const prompt = `List headings of ${site.origin}/prices.`;
    const { exit, stdout, stderr } = await runBuilt(["trigger", prompt, "--watch"]);
    expect(stdout).toContain("completed  ");
    expect(stdout).toContain("Headings: 1 row: Price list.");
    expect(stderr).toContain(`browse: Opening ${site.origin}/prices`);
    expect(stderr).toContain("completed (done)");
    expect(exit).toBe(0);
  });

  test("prints lines of JSON for a script: the acceptance, the log, the result", async () => {
    const { exit, stdout, stderr } = await runBuilt(trigger("finishes", "--watch", "--json"));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const [accepted, ...rest] = jsonLines(stdout);
    const events = rest.slice(0, -1).map((line) => executionEvent.parse(line));
    const result = executionResult.parse(rest.at(-1));
    expect(accepted).toMatchObject({ executionId: result.executionId, status: "active" });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.data).toMatchObject({ status: "completed" });
    expect(result.presentedResult).toEqual({ summary: "All done.", data: { n: 1 } });
  });

  test("ends at Ctrl-C, and the execution continues", async () => {
    const watching = start(trigger("hangs", "--watch", "--json"));
    await expect.poll(() => watching.said().stdout).toContain('"step.started"');
    watching.interrupt();
    const { exit, stdout, stderr } = await watching.ended;
    expect(exit).toBe(130);
    const id = stdout.match(/"executionId":"([^"]+)"/)?.[1] ?? "";
    expect(stderr).toContain(`Watch it again: prompthook watch ${id}`);
    expect(await client.status(id)).toMatchObject({ status: "active" });
    const again = start(["watch", id]);
    expect((await run(["stop", id, "--reason", "enough"])).stdout).toBe("Stopped.\n");
    const ended = await again.ended;
    expect(ended.exit).toBe(1);
    expect(ended.stdout).toContain("Stopped by request: enough");
  });

  test("prints an execution's question and how to answer it", async () => {
    const watching = start(trigger("asks", "--interactive", "--watch"));
    await expect.poll(() => watching.said().stderr).toContain('"your answer"');
    const { stderr } = watching.said();
    expect(stderr).toContain("asks: Which year?");
    const id = stderr.match(/prompthook message (\S+) "your answer"/)?.[1] ?? "";
    expect((await run(["status", id])).stdout).toContain("waiting_for_input (question)");
    expect((await run(["message", id, "1998"])).exit).toBe(0);
    expect(await watching.ended).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("Thank you."),
    });
  });
});

describe("an execution", () => {
  test("is started by a prompt from standard input, and only once under one key", async () => {
    const args = ["trigger", "-", "--model", "openai/finishes", "--idempotency-key", "order-7"];
    const first = await runBuilt(args, "A long prompt.\nOf two lines.");
    expect(first.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    expect((await run(args, "A long prompt.\nOf two lines.")).stdout).toBe(first.stdout);
    const other = await run(args, "Another prompt.");
    expect(other.exit).toBe(3);
    expect(other.stderr).toContain("422 idempotency_key_reused");
    const task = await client.request("GET", `/trigger/${first.stdout.trim()}/task`);
    expect(await task.json()).toMatchObject({ prompt: "A long prompt.\nOf two lines." });
  });

  test("is in the list, and has a result", async () => {
    const id = await client.trigger({ prompt: "List me.", model: "openai/hangs" });
    const listed = await run(["list", "--status", "active", "--limit", "1"]);
    expect(listed.stdout.split("\n")[1]).toMatch(new RegExp(`^${id}  active +\\S.*List me\\.$`));
    const early = await run(["result", id]);
    expect(early.exit).toBe(3);
    expect(early.stderr).toContain("result_not_ready");
    expect((await run(["result", id, "--partial", "--json"])).exit).toBe(0);
    await run(["stop", id]);
    const { stdout } = await run(["result", id, "--json"]);
    expect(executionResult.parse(JSON.parse(stdout))).toMatchObject({ status: "stopped" });
  });

  test("is compared with another one, and a difference is not a failure", async () => {
    const ids = [];
    for (const model of ["writes", "finishes"]) {
      const id = await client.trigger({ prompt: "Write.", model: `openai/${model}` });
      await client.ended(id);
      ids.push(id);
    }
    const { exit, stdout } = await run(["compare", ...ids]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^status +completed +completed$/m);
    expect(stdout).toMatch(/^step 1 {2}.*\n {2}- emit_output .*"Report"/m);
    expect(stdout).toContain("output Report  removed\n");
    expect(stdout).toContain("data  changed\n");
  });

  test("saves its files without overwriting", async () => {
    const id = await client.trigger({ prompt: "Write.", model: "openai/writes" });
    await client.ended(id);
    expect((await run(["stop", id])).stdout).toBe("Already finished: completed.\n");
    const folder = await folderOfTest();
    const first = await run(["result", id, "--save", folder]);
    expect(first.stdout).toContain("Report  r.csv, 4 bytes");
    expect(first.stderr).toBe(`Saved ${join(folder, "r.csv")}\n`);
    expect((await run(["result", id, "--save", folder])).stderr).toContain("2-r.csv");
    expect(await readFile(join(folder, "r.csv"), "utf8")).toBe("a,b\n");
  });
});

test("a closed pipe ends it silently", async () => {
  const command = `"${process.execPath}" "${cli.directory}/cli.js" --help | head -n 1`;
  const { stdout, stderr } = await execute("sh", ["-c", command]);
  expect({ stdout, stderr }).toEqual({
    stdout: expect.stringContaining("Starts and follows agents"),
    stderr: "",
  });
});

test("tail prints each webhook once, and replay repeats one with a payload exact to the last digit", async () => {
  const webhooks = new Webhooks(service, client.apiKey);
  const inputs = [{ name: "id", required: true }];
  const looking = { name: "look", prompt: "Look at {{id}}.", inputs, model: "openai/finishes" };
  const workflowId = await webhooks.workflow(looking);
  const { endpointId, url } = await webhooks.endpoint({ name: "shop orders", workflowId });
  const headers = { "Content-Type": "application/json" };
  const send = async (body: object) =>
    (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
  await send({ id: "before" });
  const tailing = start(["tail", "shop orders", "--lines", "1", "--json"]);
  await expect.poll(() => tailing.said().stdout).toContain("before");
  const wave = Array.from({ length: 20 }, (_, at) => at);
  for (const name of ["a", "b", "c"]) await Promise.all(wave.map((at) => send({ id: name + at })));
  await send({ id: "a0" });
  await send({ order: "without an id" });
  const told = () =>
    jsonLines(tailing.said().stdout.replace(/[^\n]*$/, "")).map((line) => logEntry.parse(line));
  await expect.poll(() => told().length, { timeout: 60_000 }).toBe(63);
  tailing.interrupt();
  expect(await tailing.ended).toMatchObject({ exit: 130, stderr: "" });
  const idsOf = (entries: LogEntry[]) => entries.map(({ requestId }) => requestId).sort();
  expect(idsOf(told())).toEqual(idsOf(await webhooks.log(endpointId)));

  const { requestId = "" } = told().find(({ status }) => status === "rejected") ?? {};
  const again = await run(["replay", endpointId, requestId]);
  expect(again).toMatchObject({ exit: 3, stderr: expect.stringContaining("422 mapping_failed") });
  const payload = '{"id":"edited","long":12345678901234567890}';
  const replay = ["replay", "shop orders", requestId, "--payload", "-"];
  const edited = await run([...replay, "--watch", "--json"], payload);
  expect(edited.exit).toBe(0);
  const [first, ...rest] = jsonLines(edited.stdout);
  const replayed = replayAccepted.parse(first);
  expect(replayed).toMatchObject({ replayOf: requestId, edited: true });
  expect(rest.at(-1)).toMatchObject({ executionId: replayed.executionId, status: "completed" });
  expect((await webhooks.entry(endpointId, replayed.requestId)).body).toBe(payload);
  const broken = await run(replay, "{");
  expect(broken).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("Standard input is not JSON"),
  });
});
