import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import type { PrompthookOptions } from "../../src/client/prompthook.ts";
import { Prompthook } from "../../src/client/prompthook.ts";
import type { ProblemCode } from "../../src/contract/problem.ts";
import { readText, startServer } from "./server.ts";

/** What a request is met with. */
export type Act = (response: ServerResponse, request: Asked) => void;

/** A request as it came. */
interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A server that meets each request with the next act, the last one over and over. */
export interface ScriptedService {
  url: string;
  asked: Asked[];
  /** A client of it. It does not pause before it tries again, but says how long it would have. */
  client(options?: Partial<PrompthookOptions>): { client: Prompthook; pauses: number[] };
  close(): Promise<void>;
}

/** Starts such a server on loopback. */
export async function startScript(...acts: Act[]): Promise<ScriptedService> {
  const asked: Asked[] = [];
  const server = await startServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const seen = { method, path, headers, body: await readText(request) };
    asked.push(seen);
    acts[Math.min(asked.length, acts.length) - 1]?.(response, seen);
  });
  return {
    url: server.origin,
    asked,
    client(options = {}) {
      const pauses: number[] = [];
      const sleep = async (ms: number, signal: AbortSignal) => {
        signal.throwIfAborted();
        pauses.push(ms);
      };
      const runtime = { sleep, random: () => 0.5, ...options.runtime };
      const settings = { baseUrl: server.origin, apiKey: "ph_live_key", ...options, runtime };
      return { client: new Prompthook(settings), pauses };
    },
    close: server.close,
  };
}

/** Starts such a server until the test ends that runs. */
export async function serving(...acts: Act[]): Promise<ScriptedService> {
  const service = await startScript(...acts);
  onTestFinished(service.close);
  return service;
}

/** Breaks the connection off without an answer. */
export const drop: Act = (response) => void response.destroy();

/** Never answers. */
export const hang: Act = () => undefined;

/** Answers with JSON. */
export function answer(body: unknown, status = 200, headers: Record<string, string> = {}): Act {
  return (response) =>
    void response
      .writeHead(status, { "Content-Type": "application/json", ...headers })
      .end(JSON.stringify(body));
}

/** Answers as the service does when it refuses. */
export function refuse(
  status: number,
  code: ProblemCode,
  { errors, ...headers }: { errors?: object[] } & Record<string, unknown> = {},
): Act {
  const problem = { type: "about:blank", title: code, status, detail: `It is ${code}.`, code };
  return answer({ ...problem, requestId: "req_1", errors }, status, {
    "Content-Type": "application/problem+json",
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  });
}
