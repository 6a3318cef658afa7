import { respond } from "../../../../../src/agent/models/demo/demo.ts";
import type { NewOutput, ToolContext } from "../../../../../src/agent/tools/tool.ts";
import { createToolset } from "../../../../../src/agent/tools/toolset.ts";
import type { ToolCall, Turn } from "../../../../../src/contract/conversation.ts";
import type { Json, JsonObject } from "../../../../../src/contract/json.ts";
import {
  type FinishInput,
  finishInput,
  type OutputFile,
  type ToolAnswer,
} from "../../../../../src/contract/tools/call.ts";
import { TOOL_NAMES } from "../../../../../src/contract/tools/names.ts";
import { createOutbox } from "../../../../../src/outbound/email/mailer.ts";
import type { OutboundResponse } from "../../../../../src/ports/fetch.ts";
import { STEP_START } from "../../../../support/execution.ts";
import { ownTools } from "../../../../support/own-tools.ts";
import { toolContext } from "../../tools/support.ts";

const MAX_STEPS = 60;
const ANYBODY = createOutbox({ from: "agent@prompthook.local", allowedRecipients: ["*"] });

/** A small web site in memory: the body of each address; JSON and CSV are known by their ends. */
export type Site = Record<string, string>;

export interface PlayOptions {
  inputs?: JsonObject;
  outputSchema?: JsonObject;
  tools?: string[];
  site?: Site;
  /** Messages that arrive after so many steps. */
  messages?: { afterStep: number; text: string }[];
  /** The answers to questions; without any, the execution is not interactive. */
  answers?: string[];
  /** The event that a wait ends with; without it, a wait times out. */
  event?: JsonObject;
  /** The status of requests other than GET. */
  status?: number;
}

/** What an execution came to. */
export interface Played extends FinishInput {
  calls: ToolCall[];
  plans: string[][];
  outputs: Omit<NewOutput, "bytes">[];
  files: OutputFile[];
  /** Requests other than GET, with their bodies. */
  sent: { method: string; url: string; body: string | undefined }[];
}

/** Carries a prompt out with the real tools, on a site in memory, until the model finishes. */
export async function play(prompt: string, options: PlayOptions = {}): Promise<Played> {
  const { site = {}, tools = [...TOOL_NAMES], inputs = null, outputSchema = null } = options;
  const interactive = options.answers !== undefined;
  const replies = [...(options.answers ?? [])];
  const messages = [...(options.messages ?? [])];
  const turns: Turn[] = [{ role: "user", text: prompt }];
  const answers = new Map<string, ToolAnswer>();
  const files = new Map<string, OutputFile[]>();
  const toolset = createToolset({
    tools,
    interactive: true,
    outputSchema,
    own: ownTools({ mailer: ANYBODY }),
    remote: [],
  });
  const played: Omit<Played, keyof FinishInput> = {
    calls: [],
    plans: [],
    outputs: [],
    files: [],
    sent: [],
  };

  const contextOf = (call: ToolCall): ToolContext => ({
    ...toolContext({}),
    fetch: async ({ method, url, body }) => {
      if (method === "GET") return responseOf(url, site);
      played.sent.push({ method, url, body });
      return jsonResponse(url, options.status ?? 201, options.status === 204 ? "" : '{"id":7}');
    },
    answer: (callId) => answers.get(callId) ?? null,
    files: (callId) => files.get(callId) ?? [],
    idempotencyKey: `run:${call.callId}`,
  });

  const answerOf = async (call: ToolCall): Promise<ToolAnswer> => {
    if (call.tool === "ask_user") return { ok: true, content: null };
    if (call.tool === "wait_for_event") {
      const { event: payload } = options;
      if (payload === undefined) return { ok: true, content: { timedOut: true } };
      // As the inbox of an endpoint tells of an event.
      const received = { requestId: "req_1", receivedAt: "2026-03-04T05:06:07.000Z" };
      return { ok: true, content: { ...received, payload } };
    }
    const checked = toolset.check(call.tool, call.input);
    if (!checked.ok) throw new Error(`${call.tool} was called wrongly: ${checked.message}`);
    const { answer, outputs = [] } = await toolset.run(call.tool, call.input, contextOf(call));
    const made = outputs.flatMap(({ filename, mediaType, bytes }) =>
      filename === undefined || bytes === undefined ? [] : [{ filename, mediaType, bytes }],
    );
    files.set(call.callId, made);
    played.files.push(...made);
    for (const { bytes: _bytes, ...output } of outputs) played.outputs.push(output);
    return answer;
  };

  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const descriptions = toolset.descriptions.filter(
      ({ name }) => interactive || name !== "ask_user",
    );
    const now = new Date("2026-03-04T05:06:07Z");
    const reply = respond({
      ...{ inputs, outputSchema, interactive, turns, now },
      ...{ tools: descriptions, start: STEP_START },
    });
    if (reply.plan !== undefined) played.plans.push(reply.plan);
    played.calls.push(...reply.calls);
    turns.push({ role: "assistant", ...reply });
    let finish: FinishInput | null = null;
    for (const call of reply.calls) {
      if (call.tool === "finish") {
        finish = finishInput.parse(call.input);
        continue;
      }
      const answer = await answerOf(call);
      answers.set(call.callId, answer);
      turns.push({ role: "tool", callId: call.callId, tool: call.tool, answer });
      if (call.tool === "ask_user") turns.push({ role: "user", text: replies.shift() ?? "" });
    }
    const [message] = messages;
    if (message !== undefined && message.afterStep <= step) {
      messages.shift();
      turns.push({ role: "user", text: message.text });
    } else if (finish !== null) return { ...played, ...finish };
  }
  throw new Error(`The model did not finish within ${MAX_STEPS} steps.`);
}

function responseOf(url: string, site: Site): OutboundResponse {
  const body = site[url];
  if (body === undefined) return jsonResponse(url, 404, "{}");
  const mediaType = url.endsWith(".csv") ? "text/csv" : "text/html";
  if (url.endsWith(".json")) return jsonResponse(url, 200, body);
  const headers = new Headers({ "content-type": `${mediaType}; charset=utf-8` });
  return { url, status: 200, headers, bytes: new TextEncoder().encode(body), cut: false };
}

function jsonResponse(url: string, status: number, body: string): OutboundResponse {
  const headers = new Headers({ "content-type": "application/json" });
  return { url, status, headers, bytes: new TextEncoder().encode(body), cut: false };
}

/** The data of an execution, or the summary of its failure. */
export function outcomeOf({ status, data, summary }: Played): Json {
  return status === "completed" ? (data ?? null) : summary;
}
