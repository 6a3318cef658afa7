import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { readText, startServer } from "../server.ts";
import {
  type Behaviour,
  type Conversation,
  type Failure,
  fails,
  type Reply,
  type Script,
} from "./behaviour.ts";
import type { ChatRequest } from "./chat-request.ts";
import { openAi } from "./openai.ts";
import { type Protocol, type StreamFrame, tokensOf } from "./protocol.ts";

/** A request that reached the server. */
interface SeenRequest<R> {
  headers: IncomingHttpHeaders;
  body: R;
  /** Resolves when the client goes away before it has its answer. */
  disconnected: Promise<void>;
}

export interface ModelServerOptions {
  /** Every answer waits this long, as a model thinks. */
  delayMs?: number;
  /** The key to ask for; none is asked for when absent. */
  apiKey?: string;
  /** Whether requests are kept; a long load would only pile them up. Default true. */
  record?: boolean;
  /** Tokens that a request may have; any number when absent. */
  window?: number;
  /** Any free port when absent. */
  port?: number;
}

/** A server of language models on loopback that does what its scripts say. */
export interface ModelServer<R extends Conversation = ChatRequest> {
  baseUrl: string;
  /** All requests of good shape so far, in the order of their arrival. */
  requests: SeenRequest<R>[];
  /** Sets what the model of this name does. */
  script(model: string, script: Script<R>): void;
  /** The next request of good shape that arrives after this call. */
  nextRequest(): Promise<SeenRequest<R>>;
  close(): Promise<void>;
}

/** Starts an OpenAI-compatible chat completions server. */
export const startModelServer = (options: ModelServerOptions = {}) =>
  startServerOf(openAi, options);

/** Starts a server. A model without a script, or at its end, is a 404. */
export async function startServerOf<R extends Conversation>(
  protocol: Protocol<R>,
  options: ModelServerOptions = {},
): Promise<ModelServer<R>> {
  const scripts = new Map<string, Script<R>>();
  const requests: SeenRequest<R>[] = [];
  const waiting: ((request: SeenRequest<R>) => void)[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = await readText(request);
    const parsed = protocol.read(request, body, options.apiKey);
    if (!("messages" in parsed)) return fail(protocol, parsed, response);
    const seen = { headers: request.headers, body: parsed, disconnected: disconnection(response) };
    if (options.record !== false) requests.push(seen);
    for (const tell of waiting.splice(0)) tell(seen);
    if (options.delayMs) await wait(options.delayMs);
    const tokens = tokensOf(parsed);
    if (options.window !== undefined && tokens > options.window) {
      return fail(protocol, protocol.tooLong(tokens, options.window), response);
    }
    await play(protocol, nextBehaviour(scripts.get(parsed.model), seen), parsed, response);
  }

  const server = await startServer(
    (request, response) => {
      handle(request, response).catch(() => response.destroy());
    },
    undefined,
    options.port,
  );
  return {
    baseUrl: server.origin + protocol.basePath,
    requests,
    script(model, script) {
      scripts.set(model, typeof script === "function" ? script : [...script]);
    },
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: server.close,
  };
}

function nextBehaviour<R extends Conversation>(
  script: Script<R> | undefined,
  { body, disconnected }: SeenRequest<R>,
): Behaviour {
  const behaviour = typeof script === "function" ? script(body, disconnected) : script?.shift();
  return behaviour ?? fails(404, `The model ${body.model} does not exist.`);
}

function disconnection(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
}

const JSON_TYPE = { "content-type": "application/json" };

function fail(
  protocol: Pick<Protocol<never>, "error">,
  failure: Failure,
  response: ServerResponse,
): void {
  response.writeHead(failure.status, { ...JSON_TYPE, ...failure.headers });
  response.end(JSON.stringify(protocol.error(failure)));
}

async function play<R extends Conversation>(
  protocol: Protocol<R>,
  behaviour: Behaviour,
  request: R,
  response: ServerResponse,
): Promise<void> {
  switch (behaviour.kind) {
    case "reply": {
      const reply = protocol.reply(behaviour, request);
      if (Array.isArray(reply)) return await stream(protocol, behaviour, reply, response);
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(reply.whole));
      return;
    }
    case "error":
      fail(protocol, behaviour, response);
      return;
    case "raw":
      response.writeHead(behaviour.status ?? 200, JSON_TYPE).end(behaviour.body);
      return;
    case "hang":
      return;
  }
}

/** Sends a stream, or its first half and what comes in place of the second. */
async function stream(
  protocol: Pick<Protocol<never>, "errorFrame">,
  { gapMs, ends }: Reply,
  frames: StreamFrame[],
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const sent = ends === undefined ? frames : frames.slice(0, Math.ceil(frames.length / 2));
  for (const frame of sent) {
    if (response.destroyed) return;
    response.write(frame);
    if (gapMs !== undefined) await wait(gapMs);
  }
  if (ends === "silent") return;
  if (ends === "broken") response.write(": x\n\n", () => response.destroy());
  else response.end(typeof ends === "object" ? protocol.errorFrame(ends) : "");
}
