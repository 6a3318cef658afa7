import type { ChatRequest } from "./chat-request.ts";

/** One tool call of a scripted reply. */
export interface ScriptedCall {
  tool: string;
  /** The arguments as they are sent: JSON, unless a test wants something else. */
  arguments: string;
  /** Made up when absent. */
  id?: string;
}

export interface ScriptedUsage {
  /** All of them, cached or not. */
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

/** How the server meets one request. */
export type Behaviour =
  | {
      kind: "reply";
      text: string;
      calls: ScriptedCall[];
      usage?: ScriptedUsage;
      /** Whether it broke off at the most that may be written. */
      cutShort?: boolean;
      /** Why the model refuses, in its provider's form. */
      refusal?: string;
      /** What it thinks before it replies. */
      thoughts?: string;
      /** Whether the server says what the reply cost. */
      countsTokens?: boolean;
      /** The pause between two pieces, as a slow model makes it. */
      gapMs?: number;
      /** What comes in place of the second half. */
      ends?: Ending;
    }
  | {
      kind: "error";
      status: number;
      headers: Record<string, string>;
      message: string;
      /** OpenAI's `type` and `code` of the error. */
      code?: string;
    }
  /** Any answer, as it is. */
  | { kind: "raw"; body: string; status?: number }
  /** Nothing is answered until the client goes away or the server closes. */
  | { kind: "hang" };

/**
 * How a stream ends in its middle: the connection breaks, it is closed in good order, nothing more comes, or
 * an error does.
 */
export type Ending = "broken" | "closed" | "silent" | Failure;

export type Reply = Extract<Behaviour, { kind: "reply" }>;
export type Failure = Extract<Behaviour, { kind: "error" }>;

/** What requests of every protocol have. */
export interface Conversation {
  model: string;
  messages: readonly { role: string }[];
}

/**
 * What a model does: behaviours used up one after another, or a rule, which is also told of the moment
 * when the client goes away before it has its answer.
 */
export type Script<R extends Conversation = ChatRequest> =
  | Behaviour[]
  | ((request: R, disconnected: Promise<void>) => Behaviour);

/** A plain text without tool calls. */
export const says = (text: string, usage?: ScriptedUsage): Behaviour => ({
  kind: "reply",
  text,
  calls: [],
  ...(usage ? { usage } : {}),
});

/** A reply that calls tools; several are parallel calls. */
export const callsTools = (...calls: ScriptedCall[]): Reply => ({
  kind: "reply",
  text: "",
  calls,
});

/** One tool call, its input as JSON. */
export const call = (tool: string, input: unknown, id?: string): ScriptedCall => ({
  tool,
  arguments: JSON.stringify(input),
  ...(id === undefined ? {} : { id }),
});

/** One tool call whose input is sent as it is, good JSON or not. */
export const rawCall = (tool: string, text: string): ScriptedCall => ({ tool, arguments: text });

/** The call that ends an execution. */
export const finishes = (summary: string, data?: unknown): Behaviour =>
  callsTools(call("finish", { summary, ...(data === undefined ? {} : { data }) }));

export const fails = (
  status: number,
  message = "scripted failure",
  headers: Record<string, string> = {},
): Failure => ({ kind: "error", status, headers, message });

/** OpenAI's answer to an account without quota: a 429 that no wait ends. */
export const outOfQuota = (code = "insufficient_quota"): Failure => ({
  ...fails(429, "You exceeded your current quota, please check your plan and billing details."),
  code,
});

/** A reply in which the model refuses, after what it has written. */
export const refuses = (refusal: string, text = ""): Behaviour => ({
  kind: "reply",
  text,
  calls: [],
  refusal,
});

/** A reply that ends where the model may write no more. */
export const breaksOff = (text: string, ...calls: ScriptedCall[]): Behaviour => ({
  kind: "reply",
  text,
  calls,
  cutShort: true,
});

export const slowDown = (retryAfterSeconds: number): Behaviour =>
  fails(429, "Rate limit reached", { "retry-after": String(retryAfterSeconds) });

export const hangs = (): Behaviour => ({ kind: "hang" });
/** A text that ends in its middle. */
export const endsIn = (ends: Ending, text = "The first half, and the second."): Behaviour => ({
  kind: "reply",
  text,
  calls: [],
  ends,
});
export const answersRaw = (body: string, status = 200): Behaviour => ({
  kind: "raw",
  body,
  status,
});

/**
 * A rule that plays the n-th behaviour in the n-th step of every conversation, and the last one from
 * then on. It keeps nothing, so any number of conversations can run it at once.
 */
export function byStep(...steps: [Behaviour, ...Behaviour[]]) {
  return ({ messages }: Conversation): Behaviour => {
    const step = messages.filter(({ role }) => role === "assistant").length;
    return steps[Math.min(step, steps.length - 1)] ?? steps[0];
  };
}
