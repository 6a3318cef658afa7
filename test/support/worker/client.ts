import { env, exports } from "cloudflare:workers";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { expect } from "vitest";
import * as z from "zod";
import {
  type EventType,
  type ExecutionEvent,
  executionEvent,
} from "../../../src/contract/events.ts";
import { type ExecutionResult, executionResult } from "../../../src/contract/execution.ts";
import { accountCreated } from "../../../src/contract/operators.ts";
import { problem } from "../../../src/contract/problem.ts";
import { ADMIN_TOKEN } from "./bindings.ts";

export const ORIGIN = "https://prompthook.example";
export const AGENT = "/api/v1/agent";

/** A request to the Worker; `body` is sent as it is when it is text or bytes, else as JSON. */
export interface Send {
  method?: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** A body that comes piece by piece, in place of `body`. */
  stream?: ReadableStream<Uint8Array>;
}

/** An address of its own for each request: failed authentication is limited by address. */
export function anyAddress(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint16Array(2));
  return `2001:db8:${a.toString(16)}:${b.toString(16)}::1`;
}

/** Makes a request of the service. */
export function requestTo(path: string, { method = "GET", token, body, headers, stream }: Send) {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return new Request(new URL(path, ORIGIN), {
    method,
    redirect: "manual",
    headers: {
      "CF-Connecting-IP": anyAddress(),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    ...(stream && { body: stream }),
  });
}

/** Sends a request through the Worker's own entry. */
export const send = (path: string, request: Send = {}) =>
  exports.default.fetch(requestTo(path, request));

/** An account of its own with a key that may do all, and its calls of the API. */
export async function newAccount(settings: { credits?: number; requestsPerMinute?: number } = {}) {
  const response = await send("/api/v1/admin/accounts", {
    method: "POST",
    token: ADMIN_TOKEN,
    body: { name: "test", credits: 10_000, requestsPerMinute: 100_000, ...settings },
  });
  expect(response.status).toBe(201);
  const { accountId, apiKey, keyId } = accountCreated.parse(await response.json());
  return { accountId, apiKey, keyId, ...callsOf(apiKey) };
}

/** Another key of the account. */
export async function newKey(
  apiKey: string,
  body: Record<string, unknown>,
): Promise<{ apiKey: string; keyId: string }> {
  const response = await send("/api/v1/keys", { method: "POST", token: apiKey, body });
  expect(response.status).toBe(201);
  return z.object({ apiKey: z.string(), keyId: z.string() }).parse(await response.json());
}

/** Starts an execution; the default model keeps it active until the test ends. */
export async function trigger(apiKey: string, body: Record<string, unknown> = {}): Promise<string> {
  const response = await send(`${AGENT}/trigger`, {
    method: "POST",
    token: apiKey,
    body: { prompt: "Do it.", ...body },
  });
  expect(response.status).toBe(202);
  return z.object({ executionId: z.uuid() }).parse(await response.json()).executionId;
}

/** Waits until the execution is in one of these statuses. */
export async function untilStatus(
  apiKey: string,
  executionId: string,
  ...statuses: string[]
): Promise<void> {
  const path = `${AGENT}/trigger/${executionId}/status`;
  let query = "";
  for (;;) {
    const response = await send(path + query, { token: apiKey });
    const { status, version } = z
      .object({ status: z.string(), version: z.int() })
      .parse(await response.json());
    if (statuses.includes(status)) return;
    query = `?sinceVersion=${version}&waitSeconds=10`;
  }
}

const page = z.object({ events: z.array(executionEvent) });

/** The execution's log so far, or its entries of one type. */
export async function eventsOf(
  apiKey: string,
  executionId: string,
  type?: EventType,
): Promise<ExecutionEvent[]> {
  const response = await send(`${AGENT}/trigger/${executionId}/events?limit=1000`, {
    token: apiKey,
    headers: { Accept: "application/json" },
  });
  const { events } = page.parse(await response.json());
  return type === undefined ? events : events.filter((event) => event.type === type);
}

/** The result of an execution that has ended. */
export async function resultOf(apiKey: string, executionId: string): Promise<ExecutionResult> {
  const response = await send(`${AGENT}/trigger/${executionId}/result`, { token: apiKey });
  return executionResult.parse(await response.json());
}

const frame = z.object({ type: z.string() });

/** Follows the execution's log until an entry of this type. */
export async function untilEvent(apiKey: string, executionId: string, type: string): Promise<void> {
  const { body } = await send(`${AGENT}/trigger/${executionId}/events`, { token: apiKey });
  if (body === null) throw new Error("there is no log");
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    if (frame.parse(JSON.parse(data)).type === type) return;
  }
  throw new Error(`the log ended without ${type}`);
}

/** Checks that an answer is a problem of this status and code, whole and safe; answers its body. */
export async function expectProblem(
  response: Response,
  status: number,
  code: string,
): Promise<z.infer<typeof problem>> {
  const text = await response.text();
  expect(text).toContain(`"code":"${code}"`);
  expect(response.status).toBe(status);
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  const body = z.strictObject(problem.shape).parse(JSON.parse(text));
  expect(body).toMatchObject({ status, code, requestId: response.headers.get("X-Request-Id") });
  expect(text).not.toMatch(/\bat .*\.ts:|SQLITE|node_modules/);
  return body;
}

/** Checks that an answer is a 400, and returns the paths of what is wrong with the request. */
export async function faultsOf(response: Response): Promise<string[]> {
  const { errors } = await expectProblem(response, 400, "invalid_request");
  return errors?.map(({ path }) => path) ?? [];
}

/** Returns a text in the answer to a call that succeeded, such as the id of what was created. */
export async function textIn(response: Response, name: string): Promise<string> {
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return z.looseObject({ [name]: z.string() }).parse(JSON.parse(text))[name] ?? "";
}

/** The calls of the API with one key. */
export function callsOf(token: string) {
  const call =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(path, { method, token, body, headers });
  return {
    get: (path: string) => send(path, { token }),
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    remove: (path: string) => send(path, { method: "DELETE", token }),
  };
}

const listPage = z.looseObject({ nextCursor: z.string().nullable() });

/** Returns all items of a list, read page by page. */
export async function allPages<Item extends z.ZodType>(
  token: string,
  path: string,
  name: string,
  item: Item,
): Promise<z.output<Item>[]> {
  const items: z.output<Item>[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await send(path + query, { token });
    expect(response.status).toBe(200);
    const page = listPage.parse(await response.json());
    items.push(...z.array(item).parse(page[name]));
    cursor = page.nextCursor;
  }
  return items;
}

export { env };
