import { expect, test } from "vitest";
import { logEntry, replayAccepted } from "../../../src/contract/webhooks/log.ts";
import { jsonLines } from "../../support/cli/built.ts";
import { startCliService } from "../../support/cli/service.ts";
import { runProgram } from "../../support/cli/terminal.ts";
import { finishes } from "../../support/model-server/behaviour.ts";
import { untilEnd } from "../../support/until-end.ts";
import { Webhooks } from "../../support/webhooks.ts";

const service = await untilEnd(startCliService());
service.model.script("finishes", () => finishes("All done."));
const client = await service.account();
const webhooks = new Webhooks(service, client.apiKey);
const workflowId = await webhooks.workflow({
  name: "look",
  prompt: "Look at {{id}}.",
  inputs: [{ name: "id", required: true }],
  model: "openai/finishes",
});
const endpoint = await webhooks.endpoint({ name: "shop orders", workflowId });

const run = (args: string[], input = "") =>
  runProgram(service.url, args, { env: { PROMPTHOOK_API_KEY: client.apiKey }, input });

async function send(body: object): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  await (await fetch(endpoint.url, { method: "POST", headers, body: JSON.stringify(body) })).text();
}

const entriesIn = (stdout: string) => jsonLines(stdout).map((line) => logEntry.parse(line));

test("tail prints each webhook once on arrival", async () => {
  await send({ id: "before" });
  const tailing = service.cli.start(["tail", "shop orders", "--lines", "1", "--json"], {
    apiKey: client.apiKey,
  });
  await expect.poll(() => tailing.said().stdout).toContain("before");
  const waves = [0, 1, 2].map((wave) =>
    Array.from({ length: 20 }, (_, index) => wave * 20 + index),
  );
  for (const wave of waves) await Promise.all(wave.map((id) => send({ id: `evt_${id}` })));
  await send({ id: "evt_0" });
  await send({ order: "without an id" });

  const told = () => entriesIn(tailing.said().stdout.replace(/[^\n]*$/, ""));
  await expect.poll(() => told().length, { timeout: 60_000 }).toBe(63);
  tailing.interrupt();
  const { exit, stdout, stderr } = await tailing.ended;
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: "" });

  const log = await webhooks.log(endpoint.endpointId);
  expect(
    entriesIn(stdout)
      .map(({ requestId }) => requestId)
      .sort(),
  ).toEqual(log.map(({ requestId }) => requestId).sort());
});

test("tail prints the last requests of an endpoint named by its URL", async () => {
  const { exit, stdout } = await run(["tail", endpoint.url, "--no-follow", "--lines", "1"]);
  expect(exit).toBe(0);
  expect(stdout).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}422 {2}rejected {4}\S{36} {2}mapping: id: is required\n$/,
  );
});

test("replay repeats a request, with another payload exact to the last digit", async () => {
  const refused = (await webhooks.log(endpoint.endpointId)).find(
    ({ status }) => status === "rejected",
  );
  const requestId = refused?.requestId ?? "";
  const again = await run(["replay", endpoint.endpointId, requestId]);
  expect(again.exit).toBe(3);
  expect(again.stderr).toContain("422 mapping_failed");

  const payload = '{"id":"edited","long":12345678901234567890}';
  const edited = await run(
    ["replay", "shop orders", requestId, "--payload", "-", "--watch", "--json"],
    payload,
  );
  expect(edited.exit).toBe(0);
  const [first, ...rest] = jsonLines(edited.stdout);
  const replayed = replayAccepted.parse(first);
  expect(replayed).toMatchObject({ replayOf: requestId, edited: true });
  expect(rest.at(-1)).toMatchObject({ executionId: replayed.executionId, status: "completed" });
  const entry = await webhooks.entry(endpoint.endpointId, replayed.requestId);
  expect(entry.body).toBe(payload);

  const broken = await run(["replay", "shop orders", requestId, "--payload", "-"], "{");
  expect(broken.exit).toBe(2);
  expect(broken.stderr).toContain("Standard input is not JSON");
});
