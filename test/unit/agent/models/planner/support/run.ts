import { plan } from "../../../../../../src/agent/models/planner/planner.ts";
import type { Renderer } from "../../../../../../src/agent/ports/browser.ts";
import type { OutboundResponse } from "../../../../../../src/agent/ports/fetch.ts";
import { createToolset } from "../../../../../../src/agent/tools/registry.ts";
import type { NewOutput, ToolContext } from "../../../../../../src/agent/tools/tool.ts";
import type {
  ModelReply,
  ModelRequest,
  ToolCall,
  ToolDescription,
  Turn,
} from "../../../../../../src/contract/conversation.ts";
import type { Json, JsonObject } from "../../../../../../src/contract/json.ts";
import { browseInput } from "../../../../../../src/contract/tools/browse.ts";
import {
  type FinishInput,
  finishInput,
  type OutputFile,
  type ToolAnswer,
} from "../../../../../../src/contract/tools/call.ts";
import { httpRequestInput } from "../../../../../../src/contract/tools/http-request.ts";
import { TOOL_NAMES } from "../../../../../../src/contract/tools/names.ts";
import { createOutbox } from "../../../../../../src/outbound/email/mailer.ts";
import { STEP_START } from "../../../../../support/execution.ts";
import { NO_SERVICES } from "../../../../../support/tool-services.ts";
import { SITE, type Site } from "./site.ts";

const MAX_STEPS = 60;
const NAMES = [...TOOL_NAMES];
const ANYBODY = createOutbox({ from: "agent@prompthook.local", allowedRecipients: ["*"] });

export interface Options {
  inputs?: JsonObject;
  outputSchema?: JsonObject;
  interactive?: boolean;
  tools?: string[];
  site?: Site;
  /** Messages that come after so many model steps; also the answers to questions. */
  messages?: { afterStep: number; text: string }[];
  /** Tools that the user does not allow when asked. */
  denied?: string[];
  /** A real browser, where one is bound. */
  renderer?: Renderer;
}

export interface Run {
  finish: FinishInput;
  calls: ToolCall[];
  /** The inputs of the calls that handed something over. */
  outputs: Json[];
  /** What the tools handed over themselves. */
  made: Omit<NewOutput, "bytes">[];
  files: OutputFile[];
  replies: ModelReply[];
  turns: Turn[];
  opened: string[];
}

export function describeTools(names: string[]): ToolDescription[] {
  return names.map((name) => ({ name, description: name, inputSchema: {} }));
}

export function requestOf(turns: Turn[], options: Options = {}): ModelRequest {
  return {
    inputs: options.inputs ?? null,
    outputSchema: options.outputSchema ?? null,
    interactive: options.interactive ?? false,
    turns,
    tools: describeTools(options.tools ?? NAMES),
    now: new Date("2026-03-04T05:06:07Z"),
    start: STEP_START,
  };
}

function fetched(url: string, site: Site): OutboundResponse {
  const found = site[url];
  const { mediaType = "text/html", body = "Not found", status = 200 } = found ?? { status: 404 };
  return {
    url,
    status,
    headers: new Headers({ "content-type": `${mediaType}; charset=utf-8` }),
    bytes: new TextEncoder().encode(body),
    cut: false,
  };
}

function httpRequest(input: Json, site: Site): ToolAnswer {
  const { url, method, body } = httpRequestInput.parse(input);
  const found = site[url];
  const head = { url, headers: { "content-type": found?.mediaType ?? "text/html" }, cut: false };
  if (method !== "GET" && method !== "HEAD") {
    return {
      ok: true,
      content: {
        ...head,
        status: 201,
        mediaType: "application/json",
        json: { id: 7, method, received: body ?? null },
      },
    };
  }
  if (found === undefined)
    return {
      ok: true,
      content: { ...head, status: 404, mediaType: "text/html", text: "Not found" },
    };
  const mediaType = found.mediaType ?? "text/html";
  const content =
    mediaType === "application/json" ? { json: JSON.parse(found.body) } : { text: found.body };
  return { ok: true, content: { ...head, status: found.status ?? 200, mediaType, ...content } };
}

/** The world of one run: what was answered, and the files that were made. */
interface World {
  site: Site;
  answers: Map<string, ToolAnswer>;
  files: Map<string, OutputFile[]>;
  denied: string[];
  renderer: Renderer | null;
}

function contextOf(call: ToolCall, { site, answers, files, renderer }: World): ToolContext {
  return {
    signal: new AbortController().signal,
    fetch: ({ url }) => Promise.resolve(fetched(url, site)),
    answer: (callId) => answers.get(callId) ?? null,
    files: (callId) => files.get(callId) ?? [],
    ports: { ...NO_SERVICES, mailer: ANYBODY, ...(renderer && { renderer }) },
    idempotencyKey: `run:${call.callId}`,
  };
}

const DENIED: ToolAnswer = {
  ok: false,
  error: { code: "denied", message: "The user denied this call." },
};

/** Runs a call as the service does: its input is checked by the tool's schema first. */
async function answer(call: ToolCall, world: World, done: Run): Promise<ToolAnswer> {
  if (call.tool === "ask_user") return { ok: true, content: null };
  if (world.denied.includes(call.tool)) return DENIED;
  if (call.tool === "http_request") return httpRequest(call.input, world.site);
  const toolset = createToolset({
    tools: [...TOOL_NAMES],
    interactive: true,
    capabilities: { browser: world.renderer !== null, search: false },
    remote: [],
    outputSchema: null,
  });
  const checked = toolset.check(call.tool, call.input);
  if (!checked.ok) throw new Error(`${call.tool} was called wrongly: ${checked.message}`);
  const { answer, outputs = [] } = await toolset.run(call.tool, call.input, contextOf(call, world));
  const made = outputs.flatMap(({ filename, mediaType, bytes }) =>
    filename === undefined || bytes === undefined ? [] : [{ filename, mediaType, bytes }],
  );
  world.files.set(call.callId, made);
  done.files.push(...made);
  for (const { bytes: _bytes, ...output } of outputs) done.made.push(output);
  return answer;
}

/** Runs the planner and the tools in turns until it finishes, on the site in memory. */
export async function run(prompt: string, options: Options = {}): Promise<Run> {
  const site = options.site ?? SITE;
  const turns: Turn[] = [{ role: "user", text: prompt }];
  const world: World = {
    site,
    answers: new Map(),
    files: new Map(),
    denied: options.denied ?? [],
    renderer: options.renderer ?? null,
  };
  const done: Run = {
    finish: { status: "failed", summary: "?" },
    calls: [],
    outputs: [],
    made: [],
    files: [],
    replies: [],
    turns,
    opened: [],
  };
  const waiting = [...(options.messages ?? [])];
  for (let step = 1; step <= MAX_STEPS; step++) {
    const reply = plan(requestOf(turns, options));
    done.replies.push(reply);
    turns.push({ role: "assistant", text: reply.text, calls: reply.calls });
    let finish: FinishInput | null = null;
    for (const call of reply.calls) {
      done.calls.push(call);
      if (call.tool === "finish") {
        finish = finishInput.parse(call.input);
        continue;
      }
      if (call.tool === "browse") done.opened.push(browseInput.parse(call.input).url ?? "");
      if (call.tool === "http_request") done.opened.push(httpRequestInput.parse(call.input).url);
      if (call.tool === "emit_output") done.outputs.push(call.input);
      const result = await answer(call, world, done);
      world.answers.set(call.callId, result);
      turns.push({ role: "tool", callId: call.callId, tool: call.tool, answer: result });
    }
    const message = waiting[0];
    if (message !== undefined && message.afterStep <= step) {
      waiting.shift();
      turns.push({ role: "user", text: message.text });
      continue;
    }
    if (finish !== null) return { ...done, finish };
  }
  throw new Error(`The planner did not finish within ${MAX_STEPS} steps.`);
}
