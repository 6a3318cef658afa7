import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { triggerAccepted } from "../src/contract/account.ts";
import { executionResult } from "../src/contract/execution.ts";
import { startSite } from "../test/support/site/server.ts";
import { type CallbackListener, listenForCallback } from "./demo/callback.ts";
import { tellProgress } from "./demo/progress.ts";
import { type LocalService, startService } from "./local/service.ts";
import { failWith, Trouble } from "./local/trouble.ts";

/** `npm run demo`: one agent from its prompt to its signed callback, with nothing but this machine. */
async function main(): Promise<void> {
  const begun = performance.now();
  console.log("Starting the service ...");
  const stateDir = await mkdtemp(join(tmpdir(), "prompthook-demo-"));
  const service = await startService({
    port: 0,
    stateDir,
    fresh: false,
    browser: false,
    environment: {},
  });
  const site = await startSite();
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const callback = await listenForCallback(secret);
  try {
    await runAgent(service, site.origin, callback, secret);
  } finally {
    callback.close();
    await Promise.all([service.server.stop(), site.close()]);
    await rm(stateDir, { recursive: true, force: true });
  }
  console.log(farewell((performance.now() - begun) / 1_000));
}

async function runAgent(
  { server, apiKey }: LocalService,
  site: string,
  callback: CallbackListener,
  secret: string,
): Promise<void> {
  const prompt =
    `Extract the table from ${site}/prices, and count the teas per kind with the average price. ` +
    `Also list the e-mail addresses on ${site}/contact.`;
  console.log(`\nPrompt: ${prompt}\n`);

  const agent = `${server.url}/api/v1/agent`;
  const authorization = { Authorization: `Bearer ${apiKey}` };

  const accepted = await fetch(`${agent}/trigger`, {
    method: "POST",
    headers: { ...authorization, "Content-Type": "application/json" },
    body: JSON.stringify({ prompt, callbackUrl: callback.url, callbackSecret: secret }),
  });
  const { executionId } = triggerAccepted.parse(await answerOf(accepted));
  console.log(`POST /api/v1/agent/trigger  ${accepted.status}  ${executionId}\n`);

  const events = await fetch(`${agent}/trigger/${executionId}/events`, { headers: authorization });
  if (events.body === null) throw new Trouble("The event stream is empty.");
  await tellProgress(events.body);

  const result = executionResult.parse(await callback.received());
  if (result.executionId !== executionId || result.status !== "completed") {
    throw new Trouble(`The callback tells of another end: ${JSON.stringify(result)}`);
  }
  console.log(`\nCallback received, its signature verified. Result of ${result.model}:\n`);
  console.log(`${result.presentedResult.summary}\n`);
  console.log(`${result.outputs.length} outputs, ${result.creditsConsumed} credits.`);
}

async function answerOf(response: Response): Promise<unknown> {
  const body = await response.text();
  if (response.ok) return JSON.parse(body);
  throw new Trouble(`The service answered ${response.status}: ${body}`);
}

function farewell(seconds: number): string {
  return `
All of it took ${seconds.toFixed(1)} s. To go on:

  npm start                  the service at http://127.0.0.1:8787, with an API key of your own
  <its address>/openapi.json the API reference
  a real model               OPENAI_API_KEY=... DEFAULT_MODEL=openai/<model> npm start
                             (any OpenAI-compatible server: add OPENAI_BASE_URL=...)
`;
}

main().then(() => process.exit(0), failWith);
