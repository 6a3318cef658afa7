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
  McpCall,
  McpClient,
  McpConnection,
  McpFailure,
  McpProgress,
  McpResult,
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

async function list(connection: McpConnection): ReturnType<McpClient["list"]> {
  const deadline = startDeadline(LIST_TIMEOUT_MS, connection.signal);
  const exchange = new Exchange({ ...connection, signal: deadline.signal }, LIST_LIMITS);
  try {
    const tools = await withClient(connection, exchange, async (client) => {
      const { tools: found } = await client.listTools(undefined, { cacheMode: "bypass" });
      return found.map(offered);
    });
    return { ok: true, tools };
  } catch (error) {
    connection.signal.throwIfAborted();
    return {
      ok: false,
      failure: deadline.expired ? timedOut(LIST_TIMEOUT_MS) : failureOf(error, exchange),
    };
  } finally {
    deadline.clear();
  }
}

function offered(tool: unknown): OfferedTool {
  const { name, description, inputSchema, annotations } = listed.parse(tool);
  return { name, description, inputSchema, readOnly: annotations?.readOnlyHint === true };
}

async function call(
  connection: McpConnection,
  { tool, arguments: input, idempotencyKey, traceparent }: McpCall,
): ReturnType<McpClient["call"]> {
  const deadline = startDeadline(CALL_TIMEOUT_MS, connection.signal);
  const onProgress = (progress: McpProgress) => {
    deadline.restart();
    connection.onProgress?.(progress);
  };
  const exchange = new Exchange(
    { ...connection, signal: deadline.signal, onProgress },
    CALL_LIMITS,
  );
  let called = false;
  try {
    const result = await withClient(connection, exchange, async (client): Promise<McpResult> => {
      called = true;
      const { remoteName: name, inputSchema } = tool;
      const answer = await client.callTool(
        {
          name,
          arguments: input,
          _meta: {
            [IDEMPOTENCY_KEY]: idempotencyKey,
            ...(traceparent !== undefined && { traceparent }),
          },
        },
        // The definition names the arguments that go into headers, so the client need not look it up.
        {
          timeout: LONGEST_CALL_MS + 1_000,
          // Asks for progress, which the exchange reads.
          onprogress: () => {},
          toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
        },
      );
      return answered.parse(answer);
    });
    return { ok: true, result };
  } catch (error) {
    connection.signal.throwIfAborted();
    const failure = deadline.expired ? timedOut(CALL_TIMEOUT_MS) : failureOf(error, exchange);
    // A failure before the call was sent changed nothing.
    return {
      ok: false,
      failure: { ...failure, mayHaveTakenEffect: failure.mayHaveTakenEffect && called },
    };
  } finally {
    deadline.clear();
  }
}

async function request(
  connection: McpConnection,
  asked: Parameters<McpClient["request"]>[1],
): ReturnType<McpClient["request"]> {
  const deadline = startDeadline(LIST_TIMEOUT_MS, connection.signal);
  const exchange = new Exchange({ ...connection, signal: deadline.signal }, LIST_LIMITS);
  try {
    const result = await withClient(connection, exchange, (client) =>
      client.request(asked, jsonObject),
    );
    return { ok: true, result };
  } catch (error) {
    connection.signal.throwIfAborted();
    const failure = deadline.expired ? timedOut(LIST_TIMEOUT_MS) : failureOf(error, exchange);
    return { ok: false, failure };
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
    return {
      code: mayHaveTakenEffect ? "network" : "tool_error",
      message: messageOf(error),
      mayHaveTakenEffect,
    };
  }
  if (error instanceof SdkHttpError) {
    const message = `The server answered with status ${error.status}.`;
    return { code: "http_error", message, mayHaveTakenEffect: false };
  }
  if (error instanceof SdkError) return failureOfSdk(error);
  return protocolViolation(error);
}

function protocolViolation(error: unknown): McpFailure {
  const detail = error instanceof SdkError ? ` ${messageOf(error)}` : "";
  const message = `The response of the server violates the Model Context Protocol.${detail}`;
  return { code: "invalid_answer", message, mayHaveTakenEffect: true };
}

function failureOfSdk(error: SdkError): McpFailure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return {
        code: "timeout",
        message: "The server did not answer in time.",
        mayHaveTakenEffect: true,
      };
    case SdkErrorCode.UnsupportedResultType: {
      const message = "The server asks for input from a person, which an agent cannot give.";
      return { code: "input_required", message, mayHaveTakenEffect: false };
    }
    default:
      return protocolViolation(error);
  }
}

function messageOf({ message }: Error): string {
  return message.slice(0, MAX_MESSAGE_LENGTH);
}
