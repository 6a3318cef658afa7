import { randomBytes, randomUUID } from "node:crypto";
import type { EndpointRecord } from "../../src/contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../src/contract/webhooks/log.ts";
import { hookAnswer, Webhooks } from "../../test/support/webhooks.ts";
import { UserError } from "../local/project.ts";
import { AgentApi, type DemoTask } from "./agent.ts";
import { deliver } from "./github.ts";

/** A signed GitHub event starts an agent; its duplicate does not, and a forgery is refused. */
export const webhookTask: DemoTask = {
  shows: "a signed event from GitHub, its duplicate, and a forgery",
  async run(service, site) {
    const hooks = new Webhooks(service, service.apiKey);
    const api = new AgentApi(service);
    const secret = randomBytes(24).toString("hex");
    const endpoint = await openEndpoint(hooks, secret);
    const event = {
      action: "opened",
      issue: { number: 42, title: "Prices are out of date", html_url: `${site}/prices` },
      repository: { full_name: "harbour-lane/teas" },
    };
    const body = JSON.stringify(event);
    const { url } = endpoint;
    const issue = { url, secret, event: "issues", body };
    const delivery = randomUUID();

    console.log("\nGitHub sends an event, signed by its own code:\n");
    const first = await deliver({ ...issue, delivery });
    const { executionId, requestId } = hookAnswer.parse(first.body);
    if (executionId === null)
      throw new UserError("The event was held although its endpoint has a workflow.");
    console.log("\nThe execution that it started:\n");
    await api.follow(executionId);
    const result = await api.result(executionId);
    if (result.status !== "completed") {
      throw new UserError(`The execution failed: ${result.presentedResult.summary}`);
    }
    console.log(`\nResult of ${result.model}:\n\n${result.presentedResult.summary}`);
    console.log("\nIts entry in the log:\n");
    showEntry(await settledEntry(hooks, endpoint, requestId));

    console.log("\nGitHub sends it again:\n");
    const second = await deliver({ ...issue, delivery });
    if (hookAnswer.parse(second.body).executionId !== executionId) {
      throw new UserError("The duplicate started an execution.");
    }

    console.log("\nA sender without the secret sends another:\n");
    const forged = body.replace('"number":42', '"number":43');
    const third = await deliver({ ...issue, body: forged, signed: body });
    if (third.status !== 401) throw new UserError("The forgery was not refused.");

    console.log("\nGitHub sends one with a wrong secret, which ends with a line break:\n");
    await deliver({ ...issue, secret: `${secret}\n` });
    const [latest, forgery] = await hooks.log(endpoint.endpointId);
    console.log("\nThe log explains both, and the responses did not:\n");
    for (const entry of [forgery, latest]) if (entry !== undefined) showRefusal(entry);
  },
};

async function openEndpoint(hooks: Webhooks, secret: string): Promise<EndpointRecord> {
  const workflowId = await hooks.workflow({
    name: "Look into an issue",
    prompt: "Count rows per kind from {{page}}.",
    inputs: [
      { name: "page", required: true },
      { name: "title", required: true },
      { name: "repository", required: true },
    ],
  });
  const endpoint = await hooks.endpoint({
    name: "GitHub issues",
    workflowId,
    auth: { hmac: { preset: "github", secret } },
    validation: { required: ["issue.number"], types: { "issue.number": "integer" } },
    mapping: {
      fields: [
        { to: "page", from: "issue.html_url" },
        { to: "repository", from: "repository.full_name" },
      ],
    },
  });
  console.log(`\nEndpoint: ${endpoint.url}`);
  return endpoint;
}

/** Returns the log entry once its execution has ended. */
async function settledEntry(
  hooks: Webhooks,
  { endpointId }: EndpointRecord,
  requestId: string,
): Promise<LogEntry> {
  for (;;) {
    const entry = await hooks.entry(endpointId, requestId);
    if (entry.status !== "queued" && entry.status !== "running") return entry;
  }
}

function showEntry({
  status,
  httpStatus,
  eventId,
  latencyMs,
  mappedInputs,
  headers,
}: LogEntry): void {
  console.log(`  status: ${status}, answered ${httpStatus}, event ${eventId}`);
  console.log(`  started after ${latencyMs.toStart} ms, ended after ${latencyMs.toCompletion} ms`);
  console.log(`  inputs: ${JSON.stringify(mappedInputs)}`);
  console.log(`  x-hub-signature-256: ${headers["x-hub-signature-256"]}`);
}

function showRefusal({ status, httpStatus, errors, diagnosis }: LogEntry): void {
  console.log(`  status: ${status}, answered ${httpStatus}`);
  for (const { stage, message } of errors) console.log(`  ${stage}: ${message}`);
  for (const sentence of diagnosis) console.log(`  diagnosis: ${sentence}`);
  console.log();
}
