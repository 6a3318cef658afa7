import { call, type ScriptedCall } from "../test/support/model-server/behaviour.ts";
import { completionFrames } from "../test/support/model-server/completion.ts";
import { readText, startServer } from "../test/support/server.ts";

/** An OpenAI-compatible server that does next to nothing, so that it hardly shows in what is measured. */
export interface BenchModel {
  /** The variables of a service that uses it. */
  variables: Record<string, string>;
  close(): Promise<void>;
}

/** The name under which the service finds the model. */
export const MODEL = "openai/bench";

/** The call that ends an execution. */
export const FINISH = call("finish", { summary: "done" });

/** Starts a server that makes one tool call in each reply; `next` gets when the request began to arrive. */
export async function startModel(
  next: (arrivedAt: number) => ScriptedCall | Promise<ScriptedCall>,
): Promise<BenchModel> {
  const server = await startServer(async (request, response) => {
    const arrivedAt = performance.now();
    await readText(request);
    // As servers that stream do: the headers come before the first token.
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const calls = [await next(arrivedAt)];
    const frames = completionFrames({ kind: "reply", text: "", calls }, { model: "bench" });
    response.end(frames.join(""));
  });
  return {
    variables: { OPENAI_BASE_URL: `${server.origin}/v1`, MODEL_TIMEOUT_SECONDS: "600" },
    close: server.close,
  };
}

/** A model that ends every execution, but only once it is released. */
export interface HeldModel extends BenchModel {
  /** Requests so far. */
  asked(): number;
  release(): void;
}

export async function startHeldModel(): Promise<HeldModel> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const model = await startModel(async () => {
    asked += 1;
    await promise;
    return FINISH;
  });
  return { ...model, asked: () => asked, release: () => resolve() };
}
