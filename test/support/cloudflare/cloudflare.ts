import { type IncomingMessage, request as open, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import * as z from "zod";
import { startServer, type TestServer } from "../server.ts";
import { CloudflareAccount } from "./account.ts";
import { cloudflareApi } from "./api.ts";
import { CloudflareRuntime } from "./runtime.ts";

/** A stand-in for Cloudflare on loopback, which really runs what is deployed to it. */
export type Cloudflare = Awaited<ReturnType<typeof startCloudflare>>;

const queried = z.tuple([z.object({ results: z.array(z.unknown()) })]);

type Listener = (change: string) => void | Promise<void>;

/** Starts the stand-in with an empty account. */
export async function startCloudflare() {
  const account = new CloudflareAccount();
  const runtime = new CloudflareRuntime(account);
  const api = cloudflareApi(account, runtime);
  const changes: string[] = [];
  let onChange: Listener = () => undefined;
  let forbidden: RegExp | null = null;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await toRequest(incoming);
    const path = new URL(request.url).pathname;
    const call = `${request.method} ${path.split(account.id)[1] ?? path}`;
    const isForbidden = forbidden?.test(call) ?? false;
    const answered = isForbidden ? refusal() : await api.fetch(request);
    if (request.method !== "GET" && answered.ok) {
      changes.push(call);
      await onChange(call);
    }
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  }

  const server = await startServer((request, response) => void answer(request, response));
  const fronts = new Map<string, TestServer>();
  const urlOf = async (worker: string) => {
    const known = fronts.get(worker);
    if (known !== undefined) return known.origin;
    const front = await startServer((request, response) => {
      const target = () => runtime.origin(worker);
      void pass(request, response, { target, onChange: (change) => onChange(change) });
    });
    fronts.set(worker, front);
    return front.origin;
  };
  return {
    account,
    /** Returns where a Worker of this name answers. */
    urlOf,
    /** What wrangler needs to use this in place of Cloudflare. */
    environment: {
      CLOUDFLARE_API_BASE_URL: `${server.origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: "a-token-of-the-operator",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_WRITE_LOGS: "false",
    },
    /** Every call that changed something at Cloudflare: its method and its path, within the account where it is in one. */
    changes,
    /** Returns the rows of a statement on one of the account's databases. */
    query: async (databaseId: string, sql: string): Promise<unknown[]> => {
      const [{ results }] = queried.parse(await runtime.query(databaseId, sql));
      return results;
    },
    /** Calls back once a change is made, there or in the deployed Worker, and before it is answered. */
    onChange: (listener: Listener) => {
      onChange = listener;
    },
    /** Answers calls that match with 403, as a sign-in that lacks a permission is answered. */
    forbid: (pattern: RegExp | null) => {
      forbidden = pattern;
    },
    close: async () => {
      await Promise.all([server, ...fronts.values()].map((each) => each.close()));
      await runtime.close();
    },
  };
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const { "content-type": type, authorization } = headers;
  const body = method === "GET" ? null : new Uint8Array(await buffer(incoming));
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: {
      ...(type !== undefined && { "Content-Type": type }),
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body,
  });
}

function refusal(): Response {
  const errors = [{ code: 10_000, message: "Authentication error" }];
  return Response.json({ success: false, errors, messages: [], result: null }, { status: 403 });
}

/** Passes a request on to the deployed Worker, under the name by which it came. */
async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, onChange }: { target: () => Promise<string>; onChange: Listener },
): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const outgoing = open(new URL(url, await target()).href, { method, headers }, async (answer) => {
    if (method !== "GET") await onChange(`${method} ${url}`);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.once("error", () => response.destroy());
  incoming.pipe(outgoing);
}
