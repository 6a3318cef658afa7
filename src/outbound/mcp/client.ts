import {
  Client,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { json, jsonObject } from "../../contract/json.ts";
import { startDeadline } from "../../lib/async.ts";
import type {
  Exchanged,
  McpCall,
  McpClient,
  McpConnection,
  McpFailure,
  McpProgress,
  OfferedTool,
} from "../../ports/mcp.ts";
import { Exchange, type ExchangeLimits } from "./exchange.ts";

const LIST_TIMEOUT_MS = 20_000;
const LIST_LIMITS: ExchangeLimits = { maxBytes: 1_024 * 1_024, timeoutMs: LIST_TIMEOUT_MS };
const LIST_PAGES = 20;

/** With the connection before it, a call stays within a tool's own deadline. Progress gives it as long again. */
const CALL_TIMEOUT_MS = 90_000;
const LONGEST_CALL_MS = 10 * 60_000;
const CALL_LIMITS: ExchangeLimits = { maxBytes: 2 * 1_024 * 1_024, timeoutMs: LONGEST_CALL_MS };
const CONNECT_TIMEOUT_MS = 15_000;

const IDEMPOTENCY_KEY = "prompthook/idempotencyKey";
const MAX_MESSAGE_LENGTH = 2_000;

/** The JSON-RPC error of a stream that ended without its response; the code is free for own use. */
const STREAM_ENDED = -32_099;

const listed = z.object({
  name: z.string(),
  description: z.string().default(""),
  inputSchema: jsonObject,
  annotations: z.object({ readOnlyHint: z.boolean().optional() }).optional(),
});

const answered = z.object({
  content: z.array(json).default([]),
  structuredContent: z.exactOptional(json),
  isError: z.boolean().default(false),
});

/** Speaks the protocol's current and earlier versions over Streamable HTTP. */
export const mcpClient: McpClient = { list, call, request };

function list(connection: McpConnection): ReturnType<McpClient["list"]> {
  return exchanged(connection, LIST_TIMEOUT_MS, LIST_LIMITS, async (client) => {
    const { tools } = await client.listTools(undefined, { cacheMode: "bypass" });
    return tools.map(offered);
  });
}

function offered(tool: unknown): OfferedTool {
  const { name, description, inputSchema, annotations } = listed.parse(tool);
  return { name, description, inputSchema, readOnly: annotations?.readOnlyHint === true };
}

async function call(
  connection: McpConnection,
  { tool, arguments: input, idempotencyKey, traceparent }: McpCall,
): ReturnType<McpClient["call"]> {
  let called = false;
  const answer = await exchanged(connection, CALL_TIMEOUT_MS, CALL_LIMITS, async (client) => {
    called = true;
    const { remoteName: name, inputSchema } = tool;
    const _meta = {
      [IDEMPOTENCY_KEY]: idempotencyKey,
      ...(traceparent !== undefined && { traceparent }),
    };
    const result = await client.callTool(
      { name, arguments: input, _meta },
      // The definition names the arguments that go into headers, so the client need not look it up.
      {
        timeout: LONGEST_CALL_MS + 1_000,
        // Asks for progress, which the exchange reads.
        onprogress: () => {},
        toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
      },
    );
    return answered.parse(result);
  });
  if (answer.ok) return answer;
  // A failure before the call was sent changed nothing.
  const mayHaveTakenEffect = answer.failure.mayHaveTakenEffect && called;
  return { ok: false, failure: { ...answer.failure, mayHaveTakenEffect } };
}

function request(
  connection: McpConnection,
  asked: Parameters<McpClient["request"]>[1],
): ReturnType<McpClient["request"]> {
  return exchanged(connection, LIST_TIMEOUT_MS, LIST_LIMITS, (client) =>
    client.request(asked, jsonObject),
  );
}

/** Runs `work` with a client of its own, for at most `ms` without progress. */
async function exchanged<Value>(
  connection: McpConnection,
  ms: number,
  limits: ExchangeLimits,
  work: (client: Client) => Promise<Value>,
): Promise<Exchanged<Value>> {
  const deadline = startDeadline(ms, connection.signal);
  const onProgress = (progress: McpProgress) => {
    deadline.restart();
    connection.onProgress?.(progress);
  };
  const exchange = new Exchange({ ...connection, signal: deadline.signal, onProgress }, limits);
  try {
    return { ok: true, result: await withClient(connection, exchange, work) };
  } catch (error) {
    connection.signal.throwIfAborted();
    return { ok: false, failure: deadline.expired ? timedOut(ms) : failureOf(error, exchange) };
  } finally {
    deadline.clear();
  }
}

/** Connects, runs `work` and ends the session, so that the server keeps none. */
async function withClient<Value>(
  { url, signal }: McpConnection,
  exchange: Exchange,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const transport = new Transport(new URL(url), {
    fetch: exchange.fetch,
    // A response that broke off is not requested again, and the standalone stream is never open.
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  const client = new Client(
    { name: "prompthook", version: "1.0.0" },
    {
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      listMaxPages: LIST_PAGES,
    },
  );
  try {
    await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS });
    return await work(client);
  } finally {
    if (!signal.aborted) await transport.terminateSession().catch(() => {});
    await client.close();
  }
}

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport["send"]>[1]>;

/** Fails a request whose stream ended without its response; the library would keep waiting. */
class Transport extends StreamableHTTPClientTransport {
  override send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options: SendOptions = {},
  ): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return super.send(message, options);
    const { id } = message;
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      const error = { code: STREAM_ENDED, message: "The server ended its response early." };
      this.onmessage?.({ jsonrpc: "2.0", id, error });
    };
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

function timedOut(ms: number): McpFailure {
  const message = `The server neither answered nor reported progress within ${ms / 1_000} s.`;
  return { code: "timeout", message, mayHaveTakenEffect: true };
}

function failureOf(error: unknown, { failure }: Exchange): McpFailure {
  if (failure !== null) return failure;
  if (error instanceof ProtocolError) {
    const mayHaveTakenEffect = error.code === STREAM_ENDED;
    const code = mayHaveTakenEffect ? "network" : "tool_error";
    return { code, message: messageOf(error), mayHaveTakenEffect };
  }
  if (error instanceof SdkHttpError) {
    const message = `The server answered with status ${error.status}.`;
    return { code: "http_error", message, mayHaveTakenEffect: false };
  }
  const code = error instanceof SdkError ? error.code : null;
  if (code === SdkErrorCode.RequestTimeout) {
    const message = "The server did not answer in time.";
    return { code: "timeout", message, mayHaveTakenEffect: true };
  }
  if (code === SdkErrorCode.UnsupportedResultType) {
    const message = "The server asks for input from a person, which an agent cannot give.";
    return { code: "input_required", message, mayHaveTakenEffect: false };
  }
  const detail = error instanceof SdkError ? ` ${messageOf(error)}` : "";
  const message = `The response of the server violates the Model Context Protocol.${detail}`;
  return { code: "invalid_answer", message, mayHaveTakenEffect: true };
}

function messageOf({ message }: Error): string {
  return message.slice(0, MAX_MESSAGE_LENGTH);
}
