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
import type {
  McpCall,
  McpClient,
  McpConnection,
  McpFailure,
  McpResult,
  OfferedTool,
} from "../../agent/ports/mcp.ts";
import { json, jsonObject } from "../../contract/json.ts";
import { startDeadline } from "../../lib/async.ts";
import { Exchange, type ExchangeLimits } from "./exchange.ts";

const LIST_TIMEOUT_MS = 20_000;
const LIST_LIMITS: ExchangeLimits = { maxBytes: 1_024 * 1_024, timeoutMs: LIST_TIMEOUT_MS };
const LIST_PAGES = 20;

/** With what comes before it, a call stays within the time that a tool has. */
const CALL_TIMEOUT_MS = 90_000;
const CALL_LIMITS: ExchangeLimits = { maxBytes: 2 * 1_024 * 1_024, timeoutMs: CALL_TIMEOUT_MS };
const CONNECT_TIMEOUT_MS = 15_000;

const IDEMPOTENCY_KEY = "prompthook/idempotencyKey";
const MAX_MESSAGE_LENGTH = 2_000;

/** An error code of ours, free for use by JSON-RPC: the answer's stream ended without the answer. */
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

/** Speaks with servers of the protocol's current and earlier versions, over Streamable HTTP. */
export const mcpClient: McpClient = { list, call };

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
    return { ok: false, failure: deadline.expired ? tooLate() : failureOf(error, exchange) };
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
  { tool, arguments: input, idempotencyKey }: McpCall,
): ReturnType<McpClient["call"]> {
  const exchange = new Exchange(connection, CALL_LIMITS);
  let called = false;
  try {
    const result = await withClient(connection, exchange, async (client): Promise<McpResult> => {
      called = true;
      const { remoteName: name, inputSchema } = tool;
      const answer = await client.callTool(
        { name, arguments: input, _meta: { [IDEMPOTENCY_KEY]: idempotencyKey } },
        // The definition says which arguments go into headers; the client is not to look it up.
        {
          timeout: CALL_TIMEOUT_MS + 1_000,
          toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
        },
      );
      return answered.parse(answer);
    });
    return { ok: true, result };
  } catch (error) {
    connection.signal.throwIfAborted();
    const failure = failureOf(error, exchange);
    // What failed before the call was sent has done nothing.
    return {
      ok: false,
      failure: { ...failure, mayHaveTakenEffect: failure.mayHaveTakenEffect && called },
    };
  }
}

/** Connects, works, and leaves: the server keeps no session of ours. */
async function withClient<Value>(
  { url, signal }: McpConnection,
  exchange: Exchange,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const transport = new Transport(new URL(url), {
    fetch: exchange.fetch,
    // An answer that broke off is not asked for again: the standalone stream is not open either.
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

/** Answers a request whose stream ended without its answer; the protocol's client would wait on. */
class Transport extends StreamableHTTPClientTransport {
  override send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options: SendOptions = {},
  ): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return super.send(message, options);
    const { id } = message;
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      const error = { code: STREAM_ENDED, message: "The server ended its answer too early." };
      this.onmessage?.({ jsonrpc: "2.0", id, error });
    };
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

function tooLate(): McpFailure {
  const message = `The server did not answer within ${LIST_TIMEOUT_MS / 1_000} s.`;
  return { code: "timeout", message, mayHaveTakenEffect: true };
}

function failureOf(error: unknown, { failure }: Exchange): McpFailure {
  if (failure !== null) return failure;
  if (error instanceof ProtocolError) {
    const mayHaveTakenEffect = error.code === STREAM_ENDED;
    return {
      code: mayHaveTakenEffect ? "network" : "tool_error",
      message: said(error),
      mayHaveTakenEffect,
    };
  }
  if (error instanceof SdkHttpError) {
    const message = `The server answered with status ${error.status}.`;
    return { code: "http_error", message, mayHaveTakenEffect: false };
  }
  if (error instanceof SdkError) return failureOfSdk(error);
  return notOfProtocol(error);
}

function notOfProtocol(error: unknown): McpFailure {
  const detail = error instanceof SdkError ? ` ${said(error)}` : "";
  const message = `The server does not answer as the Model Context Protocol says.${detail}`;
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
      const message = "The server asks for input of a person, which an agent cannot give.";
      return { code: "input_required", message, mayHaveTakenEffect: false };
    }
    default:
      return notOfProtocol(error);
  }
}

function said({ message }: Error): string {
  return message.slice(0, MAX_MESSAGE_LENGTH);
}
