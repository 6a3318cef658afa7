import { readFile } from "../agent/tools/browse.ts";
import { fileCallId, type StoredFile } from "../contract/files.ts";
import { jsonObject } from "../contract/json.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { failedAnswer, type ToolAnswer } from "../contract/tools/call.ts";
import { unlessAborted } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import {
  type DocumentReader,
  isDocument,
  type ReadDocument,
  readDocument,
} from "../outbound/documents.ts";
import type { Journal } from "./journal/journal.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textIn = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Returns the name under which the text of a file is stored. */
export const textOfFile = (callId: string) => `text/${callId}`;

/**
 * Reads the documents among the files of an execution and stores their texts, each once: every step has the
 * same. Throws the signal's reason when it aborts.
 */
export async function readDocuments(
  { executionId, files = [] }: ExecutionSeed,
  journal: Journal,
  read: DocumentReader | null,
  signal: AbortSignal,
): Promise<void> {
  if (read === null) return;
  for (const [at, { mediaType }] of files.entries()) {
    const callId = fileCallId(at);
    const name = textOfFile(callId);
    if (!isDocument(mediaType) || journal.blob(name).length > 0) continue;
    const once = () => read(mediaType, journal.blob(callId));
    const found = await unlessAborted(signal, () =>
      once()
        .catch(once)
        .catch((error: unknown): ReadDocument => {
          logWarning("document not read", { executionId }, error);
          return { ok: false, reason: "unreadable" };
        }),
    );
    journal.transaction(() => journal.putBlob(name, bytesOf(JSON.stringify(found))));
  }
}

const REASONS = {
  unreadable: "Its content could not be read.",
  too_large: "It is too complex to be read.",
  no_text: "It has no text: its pages may be images.",
};

/** Returns what can be read of a file as text, as the answer of a call that opened it as a page. */
export function answerOfFile(
  file: Pick<StoredFile, "name" | "mediaType">,
  callId: string,
  journal: Journal,
): ToolAnswer {
  const stored = isDocument(file.mediaType) ? textIn(journal.blob(textOfFile(callId))) : "";
  if (stored === "") return readFile(file, journal.blob(callId));
  const read = readDocument.parse(JSON.parse(stored));
  if (!read.ok) return failedAnswer("unreadable", REASONS[read.reason]);
  if (read.text.trim() === "") return failedAnswer("unreadable", REASONS.no_text);
  const answer = readFile({ ...file, mediaType: "text/markdown" }, bytesOf(read.text));
  if (!answer.ok || read.cutAt === undefined) return answer;
  return {
    ok: true,
    content: { ...jsonObject.parse(answer.content), cut: true, cutAt: read.cutAt },
  };
}
