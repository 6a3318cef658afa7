import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Semaphore } from "../../../src/lib/async.ts";
import { type ReadDocument, readDocument } from "../../../src/outbound/documents.ts";

/** What a document may take before its thread is ended. */
const MOST = { ms: 25_000, bytes: 512 * 1_024 * 1_024 };
const LOOK_MS = 100;

/** Together, several documents could take several times the memory. */
const oneByOne = new Semaphore(1);

/** The parts of a request that are read: Miniflare and Node type the others differently. */
interface DocumentRequest {
  headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Answers the service with the document of a request as Markdown. It is read in a thread of its own: one that
 * is made to exhaust time or memory costs that thread.
 */
export function answerDocument(request: DocumentRequest, most = MOST): Promise<ReadDocument> {
  return oneByOne.run(async () => {
    const mediaType = request.headers.get("content-type") ?? "";
    const bytes = new Uint8Array(await request.arrayBuffer());
    const thread = new Worker(join(import.meta.dirname, "thread.ts"), {
      workerData: { mediaType, bytes },
      resourceLimits: { maxOldGenerationSizeMb: most.bytes / 1_024 / 1_024 },
    });
    try {
      return readDocument.parse(await outcomeOf(thread, most));
    } finally {
      await thread.terminate();
    }
  });
}

/** Returns what a thread sends, or why it did not. Limits of V8 do not count what is outside of its heap. */
function outcomeOf(thread: Worker, most: typeof MOST): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const fail = (reason: string) => resolve({ ok: false, reason });
  thread.once("message", resolve).once("error", () => fail("unreadable"));
  const before = process.memoryUsage.rss();
  const started = performance.now();
  const watch = setInterval(() => {
    const isLarge = process.memoryUsage.rss() - before > most.bytes;
    if (isLarge || performance.now() - started > most.ms) fail("too_large");
  }, LOOK_MS);
  return promise.finally(() => clearInterval(watch));
}
