import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type Credits, credits, triggerAccepted } from "../../src/contract/account.ts";
import { type CallbackLog, callbackLog } from "../../src/contract/callbacks.ts";
import { type ExecutionEvent, executionEvent } from "../../src/contract/events.ts";
import {
  type ExecutionResult,
  type ExecutionRow,
  type ExecutionState,
  executionResult,
  executionRow,
  executionState,
  isFinal,
} from "../../src/contract/execution.ts";
import {
  type AccountRecord,
  accountCreated,
  accountRecord,
  type Quotas,
} from "../../src/contract/operators.ts";
import type { triggerBody } from "../../src/contract/trigger.ts";

export type TriggerInput = z.input<typeof triggerBody>;

/** An account's view of a running service. Methods that parse throw on any status but the good one. */
export interface Client {
  apiKey: string;
  accountId: string;
  /** A request as it is; `body` is sent as JSON. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response>;
  /** Starts an execution and answers its id. */
  trigger(
    body: TriggerInput,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<string>;
  status(executionId: string, query?: string): Promise<ExecutionState>;
  /** Waits for a state by long polls; rejects after `timeoutMs`. */
  reached(
    executionId: string,
    holds: (state: ExecutionState) => boolean,
    timeoutMs?: number,
  ): Promise<ExecutionState>;
  /** Waits until the execution waits for a person or an event. */
  waiting(executionId: string): Promise<ExecutionState>;
  /** Waits for the final status. */
  ended(executionId: string, timeoutMs?: number): Promise<ExecutionState>;
  result(executionId: string): Promise<ExecutionResult>;
  /** The whole log so far. */
  events(executionId: string): Promise<ExecutionEvent[]>;
  callbacks(executionId: string): Promise<CallbackLog>;
  credits(): Promise<Credits>;
  /** All executions of the account, page after page. */
  list(): Promise<ExecutionRow[]>;
}

const eventPage = z.object({ events: z.array(executionEvent) });
const page = z.object({ executions: z.array(executionRow), nextCursor: z.string().nullable() });

/** Creates an account on the service at `url` and answers its client. */
export async function createAccount(
  service: { url: string; adminToken: string },
  {
    quotas,
    ...account
  }: {
    name?: string;
    credits?: number;
    requestsPerMinute?: number;
    quotas?: Partial<Quotas>;
  } = {},
): Promise<Client> {
  const response = await fetch(`${service.url}/api/v1/admin/accounts`, {
    method: "POST",
    headers: jsonHeaders(service.adminToken),
    body: JSON.stringify({
      name: `test ${randomUUID()}`,
      credits: 100_000,
      requestsPerMinute: 1_000_000,
      ...account,
    }),
  });
  const { accountId, apiKey } = accountCreated.parse(await read(response));
  if (quotas !== undefined) {
    await fetch(`${service.url}/api/v1/admin/accounts/${accountId}`, {
      method: "PATCH",
      headers: jsonHeaders(service.adminToken),
      body: JSON.stringify({ quotas }),
    }).then(read);
  }
  return connect(service.url, accountId, apiKey);
}

/** The operators' view of the accounts. */
export async function listAccounts(service: {
  url: string;
  adminToken: string;
}): Promise<AccountRecord[]> {
  const response = await fetch(`${service.url}/api/v1/admin/accounts`, {
    headers: jsonHeaders(service.adminToken),
  });
  return z.object({ accounts: z.array(accountRecord) }).parse(await read(response)).accounts;
}

/** Returns the client of an account that exists on the service at `url`. */
export function connect(url: string, accountId: string, apiKey: string): Client {
  const agent = `${url}/api/v1/agent`;

  const request: Client["request"] = (method, path, body, headers = {}, signal) =>
    fetch(agent + path, {
      method,
      headers: { ...jsonHeaders(apiKey), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  // A read whose connection is closed under it has no answer, good or bad: it is asked again.
  const get = async (path: string): Promise<unknown> => {
    const response = await request("GET", path).catch(ifConnected);
    return response === null ? get(path) : read(response);
  };

  const client: Client = {
    apiKey,
    accountId,
    request,
    trigger: async (body, headers, signal) => {
      const response = await request("POST", "/trigger", body, headers, signal);
      return triggerAccepted.parse(await read(response)).executionId;
    },
    status: async (id, query = "") =>
      executionState.parse(await get(`/trigger/${id}/status${query}`)),
    reached: async (id, holds, timeoutMs = 60_000) => {
      const deadline = Date.now() + timeoutMs;
      let state = await client.status(id);
      while (!holds(state)) {
        if (Date.now() > deadline) throw new Error(`not reached: ${JSON.stringify(state)}`);
        state = await client.status(id, `?sinceVersion=${state.version}&waitSeconds=5`);
      }
      return state;
    },
    waiting: (id) => client.reached(id, ({ status }) => status === "waiting_for_input"),
    ended: (id, timeoutMs = 30_000) =>
      client.reached(id, ({ status }) => isFinal(status), timeoutMs),
    result: async (id) => executionResult.parse(await get(`/trigger/${id}/result`)),
    events: async (id) => {
      const path = `/trigger/${id}/events?limit=1000`;
      const response = await request("GET", path, undefined, { Accept: "application/json" });
      return eventPage.parse(await read(response)).events;
    },
    callbacks: async (id) => callbackLog.parse(await get(`/trigger/${id}/callbacks`)),
    credits: async () => credits.parse(await get("/credits")),
    list: async () => {
      const rows: ExecutionRow[] = [];
      let query = "?limit=100";
      for (;;) {
        const { executions, nextCursor } = page.parse(await get(`/trigger/list${query}`));
        rows.push(...executions);
        if (nextCursor === null) return rows;
        query = `?limit=100&cursor=${encodeURIComponent(nextCursor)}`;
      }
    },
  };
  return client;
}

/**
 * Null for a connection that was closed before the answer: at saturation workerd does not get to some
 * of its sockets in time, and closes them. Anything else, a refused connection too, is a failure.
 */
function ifConnected(error: unknown): null {
  const cause = error instanceof TypeError ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET") return null;
  throw error;
}

function jsonHeaders(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(`${response.status} ${response.url}: ${text}`);
}
