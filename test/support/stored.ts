import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { byStep, call, callsTools, fails, finishes } from "./model-server/behaviour.ts";
import { promptOf } from "./model-server/chat-request.ts";
import { type ModelServer, startModelServer } from "./model-server/server.ts";

/** Where the archives of stored states are. */
export const ARCHIVES = join(import.meta.dirname, "../stored/archives");
/** The secret of the endpoint that has one, and that of callbacks. */
export const HOOK_SECRET = "the-secret-of-the-sender";
export const CALLBACK_SECRET = "the-secret-of-callbacks";

/** The names of stored executions by what they do, and of endpoints. */
const named = z.object({
  /** Finished, and called back. */
  written: z.uuid(),
  /** Waits for an answer. */
  asking: z.uuid(),
  /** Waits for an approval. */
  approving: z.uuid(),
  /** Waits for an event of the endpoint `jobs`. */
  waiting: z.uuid(),
  workflowId: z.string(),
  /** Endpoints: one that holds requests, one with a signed sender, one with a case, one that is waited for. */
  held: z.string(),
  signed: z.string(),
  cases: z.string(),
  jobs: z.string(),
});
export type Named = z.infer<typeof named>;

/** What an archive holds beside the state: what the API answered when the state was stored. */
export const storedAnswers = z.object({
  apiKey: z.string(),
  names: named,
  answers: z.record(z.string(), z.unknown()),
});
export type StoredAnswers = z.infer<typeof storedAnswers>;

/** Starts the model of the stored executions, which goes on with those that wait. */
export async function startStoredModel(): Promise<ModelServer> {
  const model = await startModelServer({ record: false });
  const rows = [
    ["Ann", 3],
    ["Bo", 4],
  ];
  const columns = [{ name: "name" }, { name: "age" }];
  const sheet = { format: "csv", filename: "people.csv", columns, rows };
  model.script(
    "writer",
    byStep(
      callsTools(call("write_spreadsheet", sheet)),
      callsTools(call("emit_output", { label: "Note", type: "text", value: "Two people." })),
      finishes("Wrote the list.", { people: 2 }),
    ),
  );
  const asks = callsTools(call("ask_user", { question: "Which year?" }));
  model.script("asker", byStep(asks, finishes("Answered.")));
  const computes = callsTools(call("run_code", { code: "return 6 * 7;" }));
  model.script("approver", byStep(computes, finishes("Computed.")));
  model.script("broken", () => fails(400, "no such model"));
  model.script("waiter", (request) => {
    const when = { path: "job", equals: "done" };
    const wait = { endpointId: promptOf(request), when, timeoutSeconds: 90 * 86_400 };
    return byStep(callsTools(call("wait_for_event", wait)), finishes("Woken."))(request);
  });
  return model;
}

/** A JSON call to a running service. Throws for any status but the good ones. */
export type Api = (method: string, path: string, body?: unknown) => Promise<unknown>;

export function apiOf(url: string, token: string): Api {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: "application/json",
        "Content-Type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    if (text === "") return null;
    // Endpoints show the address at which the service is reached, and keys when they were used.
    const value: unknown = JSON.parse(text.replaceAll(url, "http://service"), (name, value) =>
      name === "lastUsedAt" ? undefined : value,
    );
    return value;
  };
}

const executions = z.object({ executions: z.array(z.object({ executionId: z.string() })) });
const workflows = z.object({ workflows: z.array(z.object({ workflowId: z.string() })) });
const endpoints = z.object({ endpoints: z.array(z.object({ endpointId: z.string() })) });
const requests = z.object({ requests: z.array(z.object({ requestId: z.string() })) });

/** Reads all that the API shows of an account, by path. */
export async function readAll(api: Api): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const read = async (path: string) => {
    answers[path] = await api("GET", path);
    return answers[path];
  };
  const agent = "/api/v1/agent";
  const list = executions.parse(await read(`${agent}/trigger/list?limit=100`));
  for (const { executionId } of list.executions) {
    for (const part of ["status", "task", "events?limit=1000", "callbacks"]) {
      await read(`${agent}/trigger/${executionId}/${part}`);
    }
    await read(`${agent}/trigger/${executionId}/result`).catch(() => undefined);
  }
  for (const path of ["agent/credits", "keys", "connections", "mcp-servers", "schedules"]) {
    await read(`/api/v1/${path}`);
  }
  for (const { workflowId } of workflows.parse(await read("/api/v1/workflows")).workflows) {
    await read(`/api/v1/workflows/${workflowId}`);
    await read(`/api/v1/workflows/${workflowId}/revisions`);
  }
  for (const { endpointId } of endpoints.parse(await read("/api/v1/webhooks")).endpoints) {
    const path = `/api/v1/webhooks/${endpointId}`;
    for (const part of ["", "/revisions"]) await read(path + part);
    await read(`/api/v1/cases?endpointId=${endpointId}`);
    for (const { requestId } of requests.parse(await read(`${path}/requests?limit=100`)).requests) {
      await read(`${path}/requests/${requestId}`);
    }
  }
  return answers;
}

/** Runs a program to its end. Throws if it fails. */
export async function run(program: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode}`);
}

/** Unpacks an archive into a new directory. */
export async function unpack(archive: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "prompthook-stored-"));
  await run("tar", ["xzf", join(ARCHIVES, archive)], directory);
  return directory;
}
