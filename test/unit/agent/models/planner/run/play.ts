import type {
  Draft,
  Material,
  Part,
  Program,
  Query,
  Source,
} from "../../../../../../src/agent/models/planner/program.ts";
import { type Reader, respond } from "../../../../../../src/agent/models/planner/run/respond.ts";
import type { OutboundResponse } from "../../../../../../src/agent/ports/fetch.ts";
import type { SearchClient } from "../../../../../../src/agent/ports/search.ts";
import { createToolset } from "../../../../../../src/agent/tools/registry.ts";
import type { NewOutput, ToolContext } from "../../../../../../src/agent/tools/tool.ts";
import type { ModelReply, ToolCall, Turn } from "../../../../../../src/contract/conversation.ts";
import type { Json, JsonObject } from "../../../../../../src/contract/json.ts";
import {
  type FinishInput,
  finishInput,
  type OutputFile,
  type ToolAnswer,
} from "../../../../../../src/contract/tools/call.ts";
import { TOOL_NAMES } from "../../../../../../src/contract/tools/names.ts";
import type { SearchResult } from "../../../../../../src/contract/tools/search-web.ts";
import { createOutbox } from "../../../../../../src/outbound/email/mailer.ts";
import { STEP_START } from "../../../../../support/execution.ts";
import { NO_SERVICES } from "../../../../../support/tool-services.ts";
import { SITE, type Site } from "../support/site.ts";

const MAX_STEPS = 60;

export interface PlayOptions {
  inputs?: JsonObject;
  outputSchema?: JsonObject;
  interactive?: boolean;
  tools?: string[];
  site?: Site;
  /** What a search finds; without it, the planner has no `search_web`. */
  found?: SearchResult[];
  /** Messages that come after so many steps; also the answers to questions. */
  messages?: { afterStep: number; text: string }[];
  /** The event that a wait ends with; without it, a wait times out. */
  event?: JsonObject;
  /** Tools that the user denies. */
  denied?: string[];
}

/** What an execution came to. */
export interface Played {
  finish: FinishInput;
  calls: ToolCall[];
  replies: ModelReply[];
  outputs: Omit<NewOutput, "bytes">[];
  files: OutputFile[];
  /** Requests other than GET, with their bodies. */
  sent: { method: string; url: string; body: string | undefined }[];
}

const ANYBODY = createOutbox({ from: "agent@prompthook.local", allowedRecipients: ["*"] });
const TIMED_OUT = { timedOut: true };
const DENIED: ToolAnswer = { ok: false, error: { code: "denied", message: "Denied." } };

/** Runs a reader's programs with the real tools, on a site in memory, until it finishes. */
export async function play(
  prompt: string,
  reader: Reader,
  options: PlayOptions = {},
): Promise<Played> {
  const { site = SITE, tools = [...TOOL_NAMES], interactive = false } = options;
  const turns: Turn[] = [{ role: "user", text: prompt }];
  const answers = new Map<string, ToolAnswer>();
  const files = new Map<string, OutputFile[]>();
  const messages = [...(options.messages ?? [])];
  const { outputSchema = null, found = null } = options;
  const capabilities = { browser: false, search: found !== null };
  const search: SearchClient | null = found && {
    provider: "searxng",
    form: "text",
    search: async () => ({ kind: "found", results: found }),
  };
  const toolset = createToolset({
    tools,
    interactive: true,
    outputSchema,
    capabilities,
    remote: [],
  });
  const played: Omit<Played, "finish"> = {
    calls: [],
    replies: [],
    outputs: [],
    files: [],
    sent: [],
  };

  const contextOf = (call: ToolCall): ToolContext => ({
    signal: new AbortController().signal,
    fetch: async ({ method, url, body }) => {
      if (method !== "GET") played.sent.push({ method, url, body });
      return method === "GET" ? responseOf(url, site) : acceptedAt(url);
    },
    answer: (callId) => answers.get(callId) ?? null,
    files: (callId) => files.get(callId) ?? [],
    ports: { ...NO_SERVICES, mailer: ANYBODY, search },
    onProgress: () => {},
    idempotencyKey: `run:${call.callId}`,
  });

  const answerOf = async (call: ToolCall): Promise<ToolAnswer> => {
    if (call.tool === "ask_user") return { ok: true, content: null };
    if (call.tool === "wait_for_event") return { ok: true, content: options.event ?? TIMED_OUT };
    if (options.denied?.includes(call.tool)) return DENIED;
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
    const reply = respond(
      {
        inputs: options.inputs ?? null,
        outputSchema,
        interactive,
        turns,
        tools: toolset.descriptions.filter(({ name }) => interactive || name !== "ask_user"),
        now: new Date("2026-03-04T05:06:07Z"),
        start: STEP_START,
      },
      reader,
    );
    played.replies.push(reply);
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
    }
    const [message] = messages;
    if (message !== undefined && message.afterStep <= step) {
      messages.shift();
      turns.push({ role: "user", text: message.text });
    } else if (finish !== null) return { ...played, finish };
  }
  throw new Error(`The planner did not finish within ${MAX_STEPS} steps.`);
}

function responseOf(url: string, site: Site): OutboundResponse {
  const {
    mediaType = "text/html",
    body,
    status = 200,
  } = site[url] ?? { body: "Not found", status: 404 };
  const headers = new Headers({ "content-type": `${mediaType}; charset=utf-8` });
  return { url, status, headers, bytes: new TextEncoder().encode(body), cut: false };
}

function acceptedAt(url: string): OutboundResponse {
  const headers = new Headers({ "content-type": "application/json" });
  return { url, status: 201, headers, bytes: new TextEncoder().encode('{"id":7}'), cut: false };
}

const ORIGIN = { from: 0, to: 1 };

/** A page to read. */
export function pageSource(
  url: string,
  changes: Partial<Extract<Source, { kind: "page" }>> = {},
): Source {
  return {
    kind: "page",
    id: "s1",
    url,
    hops: [],
    paging: { kind: "unsaid" },
    ...changes,
  };
}

/** A part with this answer. */
export function partOf(answer: Part["answer"], changes: Partial<Part> = {}): Part {
  return {
    id: "p1",
    says: "Answer it",
    label: "Answer",
    answer,
    form: "auto",
    clean: false,
    ...changes,
  };
}

/** The query over a table of the material: by its place among those of the first page, or of all pages. */
export function queryOf(
  materials: Material[],
  kind: string,
  operations: Query["operations"],
): Query {
  const tables = materials.flatMap(({ pages }) =>
    pages.flatMap(({ from, url, tables: all }) => {
      const table = all.find((each) => each.kind === kind);
      return table === undefined ? [] : [{ from: table.from ?? from, extract: table.extract, url }];
    }),
  );
  return { tables, operations };
}

/** A reader that opens these sources and then runs the program that is made of them. */
export function reading(
  sources: Source[],
  bind: (materials: Material[]) => Partial<Program>,
  draft: Partial<Draft> = {},
): Reader {
  const whole: Draft = {
    sources,
    deliveries: [],
    says: ["read it"],
    needs: [],
    parts: [],
    ...draft,
  };
  return {
    understand: () => ({ kind: "draft", draft: whole }),
    bind: (_draft, materials) => ({
      kind: "program",
      program: { parts: [], deliveries: [], ...bind(materials) },
    }),
  };
}

/** What a delivery has besides its kind. */
export const DELIVERY = { id: "d1", says: "Deliver it", when: null, origin: ORIGIN };

/** The data of an execution, and its summary on failure. */
export function outcomeOf({ finish }: Played): Json {
  return finish.status === "completed" ? (finish.data ?? null) : finish.summary;
}
