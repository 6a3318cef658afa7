import {
  APICallError,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import * as z from "zod";
import { ModelError, type ReplyWatch } from "../../../contract/conversation.ts";
import { DeadlineError, within } from "../../../lib/async.ts";
import { MAX_REPLY_BYTES, replyTooLong } from "./http.ts";

/** A stream that is silent for this long fails the call. Pings count as life, thinking takes longer. */
const IDLE_MS = 60_000;

/** What a provider answers: a stream, or a whole reply where it has no streams. */
export type Answer = LanguageModelV4StreamResult | LanguageModelV4GenerateResult;

/** Reads an answer to its end. Throws what failed it, or the signal's reason as soon as that aborts. */
export async function readAnswer(
  answer: Answer,
  watch: ReplyWatch,
  signal: AbortSignal,
): Promise<LanguageModelV4GenerateResult> {
  if ("stream" in answer) return await readStream(answer.stream, watch, signal);
  const texts = answer.content.map((part) => (part.type === "text" ? part.text : ""));
  watch.wrote(texts.join(""));
  return answer;
}

async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  watch: ReplyWatch,
  signal: AbortSignal,
): Promise<LanguageModelV4GenerateResult> {
  const reader = stream.getReader();
  // To cancel ends a read under way, and the connection.
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const reply = new StreamedReply(watch);
    for (;;) {
      const { done, value } = await within("The model", IDLE_MS, reader.read());
      signal.throwIfAborted();
      if (done) return reply.end();
      reply.add(value);
    }
  } catch (error) {
    throw error instanceof DeadlineError ? stalled() : error;
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

const stalled = () =>
  new ModelError(
    `The model's server sent nothing for ${IDLE_MS / 1_000} seconds in the middle of its reply.`,
    { retryable: true },
  );

const brokenOff = () =>
  new ModelError("The model's reply broke off before its end.", { retryable: true });

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;
type Block = Extract<LanguageModelV4Content, { type: "text" | "reasoning" }>;

/** Puts the parts of a stream together to the reply that they are of. */
class StreamedReply {
  readonly #watch: ReplyWatch;
  readonly #content: LanguageModelV4Content[] = [];
  /** The texts and thoughts that are being written. */
  readonly #open = new Map<string, Block>();
  #length = 0;
  #finish: Finish | null = null;

  constructor(watch: ReplyWatch) {
    this.#watch = watch;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#start(part.type === "text-start" ? "text" : "reasoning", part);
        return;
      case "text-delta":
        this.#extend(part);
        this.#watch.wrote(part.delta);
        return;
      case "reasoning-delta":
      case "reasoning-end":
      case "text-end":
        this.#extend(part);
        return;
      case "tool-input-start":
        this.#watch.wrote("");
        return;
      case "tool-input-delta":
        this.#grow(part.delta);
        return;
      case "tool-call":
        this.#watch.wrote("");
        this.#content.push(part);
        return;
      case "finish":
        this.#finish = part;
        return;
      case "error":
        throw faultOf(part.error);
      default:
        return;
    }
  }

  /** Returns the reply. Throws if its end is missing: half of a call may look like a whole one. */
  end(): LanguageModelV4GenerateResult {
    if (this.#finish === null) throw brokenOff();
    const { finishReason, usage, providerMetadata } = this.#finish;
    const { unified } = finishReason;
    if (unified === "error" || unified === "interrupted") throw brokenOff();
    return {
      content: this.#content,
      finishReason,
      usage,
      warnings: [],
      ...(providerMetadata && { providerMetadata }),
    };
  }

  #start(
    type: Block["type"],
    { id, providerMetadata }: Pick<Block, "providerMetadata"> & { id: string },
  ) {
    const block: Block = { type, text: "", ...(providerMetadata && { providerMetadata }) };
    this.#open.set(`${type}/${id}`, block);
    this.#content.push(block);
  }

  /** Adds to an open block; its signature comes behind its text. */
  #extend(
    part: Extract<LanguageModelV4StreamPart, { type: `${Block["type"]}-${"delta" | "end"}` }>,
  ) {
    const type = part.type.startsWith("text") ? "text" : "reasoning";
    const block = this.#open.get(`${type}/${part.id}`);
    if (block === undefined) return;
    if ("delta" in part) {
      block.text += part.delta;
      if (part.delta !== "" && type === "reasoning") this.#watch.wrote("");
      this.#grow(part.delta);
    }
    if (part.providerMetadata === undefined) return;
    block.providerMetadata = { ...block.providerMetadata, ...part.providerMetadata };
  }

  #grow(delta: string): void {
    this.#length += delta.length;
    if (this.#length > MAX_REPLY_BYTES) throw replyTooLong();
  }
}

/** An error that a server sends within a stream that it has begun. */
const sentError = z.looseObject({
  message: z.string().catch(""),
  statusCode: z.int().optional().catch(undefined),
  code: z.union([z.int(), z.string()]).optional().catch(undefined),
});

/** Returns an error within a stream as the one that it would have been before it. */
function faultOf(error: unknown): unknown {
  if (error instanceof Error) return APICallError.isInstance(error) ? error : brokenOff();
  const { message, statusCode, code } = sentError.parse(typeof error === "object" ? error : {});
  const stated = statusCode ?? Number(code);
  return new APICallError({
    message,
    url: "",
    requestBodyValues: {},
    statusCode: stated >= 400 && stated < 600 ? stated : 500,
    responseBody: JSON.stringify({ error }),
  });
}
