import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { smoke } from "../../scripts/smoke/run.ts";
import { type Client, createAccount } from "../support/client.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { choosePort } from "../support/ports.ts";
import { listeningPorts } from "../support/processes.ts";
import { runStart, type Start } from "../support/service.ts";
import { startSite } from "../support/site/server.ts";
import { folderUntilEnd, untilEnd } from "../support/until-end.ts";

const ADMIN_TOKEN = "the-operators-token-of-all-the-tests";

const site = await untilEnd(startSite());
const model = await untilEnd(startModelServer());
const stateDir = await folderUntilEnd();
let service: Start;
let url: string;
let client: Client;

beforeAll(async () => {
  const variables = {
    ADMIN_TOKEN,
    OPENAI_BASE_URL: model.baseUrl,
    PORT: String(await choosePort()),
    STATE_DIR: stateDir,
  };
  service = runStart(variables, ["--browser"]);
  ({ url } = await service.ready);
  client = await createAccount({ url, adminToken: ADMIN_TOKEN });
});

afterAll(() => service.kill9());

/** Has an agent do one `browse` and end; answers its id. */
function start(input: Record<string, unknown>): Promise<string> {
  model.script("browses", byStep(callsTools(call("browse", input)), finishes("Done.")));
  return client.trigger({ prompt: "Browse", model: "openai/browses" });
}

/** What the agent's model was told of the call's answer, and the execution's result. */
async function browse(input: Record<string, unknown>) {
  const id = await start(input);
  await client.ended(id);
  const told = model.requests.at(-1)?.body.messages.findLast(({ role }) => role === "tool");
  return { id, told: JSON.stringify(told), result: await client.result(id) };
}

test("a page made by scripts is rendered unless it is disabled, and charged", async () => {
  const rendered = await browse({ url: `${site.origin}/catalogue` });
  expect(rendered.told).toContain("Fog Bell");
  // Two model steps and the rendering.
  expect(rendered.result).toMatchObject({ creditsConsumed: 4, effects: [] });
  const plain = await browse({ url: `${site.origin}/catalogue`, render: "never" });
  expect(plain.told).not.toContain("Fog Bell");
  const whole = await browse({ url: `${site.origin}/prices` });
  expect(whole.told).toContain("Lighthouse Breakfast");
  expect(whole.told).not.toContain("rendered");
  for (const { result } of [plain, whole]) expect(result.creditsConsumed).toBe(3);
});

test("no page in a browser reaches this service", async () => {
  const page = `${site.origin}/away?to=${encodeURIComponent(`${url}/healthz`)}`;
  const { told } = await browse({ url: page, render: "always" });
  expect(told).toContain("address_refused");
});

test("no agent reaches the browser's debugging port", async () => {
  const pid = z.int().parse(service.child.pid);
  const before = await listeningPorts(pid);
  const slow = await start({ url: `${site.origin}/slow?ms=60000`, render: "always" });
  const opened = async () => (await listeningPorts(pid)).filter((port) => !before.includes(port));
  await expect.poll(opened).toHaveLength(1);
  const [port] = await opened();
  const address = `http://127.0.0.1:${port}/json/version`;
  expect(await (await fetch(address)).text()).toContain("webSocketDebuggerUrl");

  model.script("caller", byStep(callsTools(call("http_request", { url: address })), finishes("x")));
  const id = await client.trigger({ prompt: "Call", model: "openai/caller" });
  await client.ended(id);
  const finished = (await client.events(id)).filter(({ type }) => type === "tool.finished");
  expect(finished.map(({ data }) => [data.tool, data.ok])).toContainEqual(["http_request", false]);
  await client.request("POST", `/trigger/${slow}/stop`, {});
});

test("the smoke test of a service with a browser sees a page's request refused, and passes all checks", async () => {
  const target = { url, credential: { apiKey: client.apiKey }, callback: null };
  const report = await smoke(target, () => {});
  expect(report.checks.find(({ name }) => name === "browser")).toMatchObject({
    outcome: "passed",
    detail: "a page's script reached its own site, and not 169.254.169.254",
  });
  expect(report.unproven).toEqual([]);
});
