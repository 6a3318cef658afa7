import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { readText, startServer } from "../server.ts";
import { type Behaviour, fails, type Script } from "./behaviour.ts";
import { type ChatRequest, parseChatRequest } from "./chat-request.ts";
import { completion } from "./completion.ts";

/** A request that reached the server. */
export interface SeenRequest {
  headers: IncomingHttpHeaders;
  body: ChatRequest;
  /** Resolves when the client goes away before it has its answer. */
  disconnected: Promise<void>;
}

export interface ModelServerOptions {
  /** Every answer waits this long, as a model thinks. */
  delayMs?: number;
  /** The bearer token to ask for; none is asked for when absent. */
  apiKey?: string;
  /** Whether requests are kept; a long load would only pile them up. Default true. */
  record?: boolean;
}

/** An OpenAI-compatible chat completions server on loopback that does what its scripts say. */
export interface ModelServer {
  baseUrl: string;
  /** All requests of good shape so far, in the order of their arrival. */
  requests: SeenRequest[];
  /** Sets what the model of this name does. */
  script(model: string, script: Script): void;
  /** The next request of good shape that arrives after this call. */
  nextRequest(): Promise<SeenRequest>;
  close(): Promise<void>;
}

/** Starts the server on a port of its own. A model without a script, or at its end, is a 404. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const scripts = new Map<string, Script>();
  const requests: SeenRequest[] = [];
  const waiting: ((request: SeenRequest) => void)[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = await readText(request);
    const parsed = check(request, body, options.apiKey);
    if (!("messages" in parsed)) return play(parsed, "", response);
    const seen = { headers: request.headers, body: parsed, disconnected: disconnection(response) };
    if (options.record !== false) requests.push(seen);
    for (const tell of waiting.splice(0)) tell(seen);
    if (options.delayMs) await wait(options.delayMs);
    play(nextBehaviour(scripts.get(parsed.model), parsed), parsed.model, response);
  }

  const server = await startServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return {
    baseUrl: `${server.origin}/v1`,
    requests,
    script(model, script) {
      scripts.set(model, typeof script === "function" ? script : [...script]);
    },
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: server.close,
  };
}

/** The request, or how it is refused. */
function check(
  { method, url, headers }: IncomingMessage,
  body: string,
  apiKey: string | undefined,
): ChatRequest | Behaviour {
  if (method !== "POST" || url !== "/v1/chat/completions") return fails(404, "No such route.");
  if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
    return fails(401, `Incorrect API key provided: ${headers.authorization}.`);
  }
  const parsed = parseChatRequest(body);
  return parsed.ok ? parsed.request : fails(400, parsed.problem);
}

function nextBehaviour(script: Script | undefined, request: ChatRequest): Behaviour {
  const behaviour = typeof script === "function" ? script(request) : script?.shift();
  return behaviour ?? fails(404, `The model ${request.model} does not exist.`);
}

function disconnection(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
}

function play(behaviour: Behaviour, model: string, response: ServerResponse): void {
  const json = { "content-type": "application/json" };
  switch (behaviour.kind) {
    case "reply":
      response.writeHead(200, json).end(completion(behaviour, model));
      return;
    case "error": {
      const error = { message: behaviour.message, type: "scripted", param: null, code: null };
      response.writeHead(behaviour.status, { ...json, ...behaviour.headers });
      response.end(JSON.stringify({ error }));
      return;
    }
    case "raw":
      response.writeHead(200, json).end(behaviour.body);
      return;
    case "cut": {
      const whole = completion({ kind: "reply", text: "half of it", calls: [] }, model);
      response.writeHead(200, { ...json, "content-length": String(whole.length) });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    }
    case "hang":
      return;
  }
}
