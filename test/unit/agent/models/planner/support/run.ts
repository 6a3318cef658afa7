import { plan } from "../../../../../../src/agent/models/planner/planner.ts";
import { readPage } from "../../../../../../src/agent/tools/page/read-page.ts";
import { processData } from "../../../../../../src/agent/tools/process-data.ts";
import type {
  ModelReply,
  ModelRequest,
  ToolCall,
  ToolDescription,
  Turn,
} from "../../../../../../src/contract/conversation.ts";
import type { Json, JsonObject } from "../../../../../../src/contract/json.ts";
import type { ToolAnswer } from "../../../../../../src/contract/tools/answer.ts";
import { browseInput } from "../../../../../../src/contract/tools/browse.ts";
import { type FinishInput, finishInput } from "../../../../../../src/contract/tools/control.ts";
import { emitOutputInput } from "../../../../../../src/contract/tools/emit-output.ts";
import { httpRequestInput } from "../../../../../../src/contract/tools/http-request.ts";
import { processDataInput } from "../../../../../../src/contract/tools/process-data.ts";
import { NO_SERVICES } from "../../../../../support/tool-services.ts";
import { SITE, type Site } from "./site.ts";

const MAX_STEPS = 60;
const NAMES = ["browse", "http_request", "process_data", "emit_output", "ask_user", "finish"];

export interface Options {
  inputs?: JsonObject;
  outputSchema?: JsonObject;
  interactive?: boolean;
  tools?: string[];
  site?: Site;
  /** Messages that come after so many model steps; also the answers to questions. */
  messages?: { afterStep: number; text: string }[];
}

export interface Run {
  finish: FinishInput;
  calls: ToolCall[];
  outputs: Json[];
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
  };
}

const missing = (url: string): ToolAnswer => ({
  ok: false,
  error: { code: "http_error", message: `${url} answered 404 Not Found.` },
});

function browse(url: string, site: Site): ToolAnswer {
  const found = site[url];
  if (found === undefined || (found.status ?? 200) >= 400) return missing(url);
  const { mediaType = "text/html", body } = found;
  if (mediaType === "text/html")
    return { ok: true, content: JSON.parse(JSON.stringify(readPage(body, url))) };
  return {
    ok: true,
    content: {
      url,
      mediaType,
      title: "",
      text: body,
      headings: [],
      links: [],
      tables: [],
      cut: false,
    },
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

async function answer(
  call: ToolCall,
  site: Site,
  earlier: Map<string, ToolAnswer>,
): Promise<ToolAnswer> {
  switch (call.tool) {
    case "browse":
      return browse(browseInput.parse(call.input).url, site);
    case "http_request":
      return httpRequest(call.input, site);
    case "process_data": {
      const result = await processData.run(processDataInput.parse(call.input), {
        signal: new AbortController().signal,
        fetch: () => Promise.reject(new Error("process_data fetches nothing")),
        earlier: (callId) => earlier.get(callId) ?? null,
        files: () => [],
        services: NO_SERVICES,
        idempotencyKey: call.callId,
      });
      return result.answer;
    }
    case "emit_output":
      return { ok: true, content: { label: emitOutputInput.parse(call.input).label } };
    default:
      return { ok: true, content: null };
  }
}

/** Runs the planner and the tools in turns until it finishes, on the site in memory. */
export async function run(prompt: string, options: Options = {}): Promise<Run> {
  const site = options.site ?? SITE;
  const turns: Turn[] = [{ role: "user", text: prompt }];
  const earlier = new Map<string, ToolAnswer>();
  const done: Run = {
    finish: { status: "failed", summary: "?" },
    calls: [],
    outputs: [],
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
      if (call.tool === "browse") done.opened.push(browseInput.parse(call.input).url);
      if (call.tool === "http_request") done.opened.push(httpRequestInput.parse(call.input).url);
      if (call.tool === "emit_output") done.outputs.push(call.input);
      const result = await answer(call, site, earlier);
      earlier.set(call.callId, result);
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
