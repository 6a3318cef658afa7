import type { OutputFile } from "../../../contract/tools/answer.ts";
import type { ToolContext } from "../tool.ts";

/**
 * Bytes of all attachments of one mail. Encoded, and with the longest text, they stay under the 5 MiB
 * that the platform's e-mail takes; the other routes are held to the same, so that what works on one
 * works on all.
 */
const MAX_BYTES = 3_500_000;

/** The files of these calls, or a sentence that says why they cannot be attached. */
export function attachmentsOf(
  callIds: readonly string[],
  { earlier, files }: Pick<ToolContext, "earlier" | "files">,
): { ok: true; value: OutputFile[] } | { ok: false; message: string } {
  const made: OutputFile[] = [];
  let bytes = 0;
  for (const callId of new Set(callIds)) {
    if (earlier(callId) === null) {
      return { ok: false, message: `There is no earlier call ${callId}.` };
    }
    const ofCall = files(callId);
    if (ofCall.length === 0) {
      const message = `The call ${callId} made no file. Make one with emit_output or write_spreadsheet, and attach that call.`;
      return { ok: false, message };
    }
    made.push(...ofCall);
    bytes += ofCall.reduce((sum, file) => sum + file.bytes.length, 0);
    // Told at once: to load the other files as well could take all the memory there is.
    if (bytes > MAX_BYTES) {
      const message = `The attachments are too large together: at most ${MAX_BYTES} bytes can be sent.`;
      return { ok: false, message };
    }
  }
  return { ok: true, value: made };
}
