import { documentText, givenText } from "../answer/document-text.ts";
import { slug } from "../answer/file-parts.ts";
import type { Part } from "../answer/parts.ts";
import type { Desk } from "../desk.ts";
import type { DocumentFormat, DocumentOrder } from "../plan/document.ts";
import { NOTHING_WRITTEN, type Written } from "./write-files.ts";

const ENDS: Record<DocumentFormat, string> = { text: "txt", markdown: "md", json: "json" };
const MEDIA: Record<DocumentFormat, string> = {
  text: "text/plain",
  markdown: "text/markdown",
  json: "application/json",
};
const NO_TOOL =
  "No file was written: that needs the tool emit_output, which is not among the tools of this run.";

function nameOf({ filename, format }: DocumentOrder, parts: readonly Part[]): string {
  const end = ENDS[format];
  const own = slug(parts[0]?.label ?? "text");
  const plain = (filename ?? own).replace(/[/\\\p{Cc}\p{Cf}]+/gu, "-").replace(/^[.\s-]+/, "");
  return /\.\w{2,8}$/.test(plain) ? plain : `${plain || own}.${end}`;
}

/** Writes what was found, or the text of the prompt, to the file of text that was asked for. */
export function writeDocument(order: DocumentOrder, parts: readonly Part[], desk: Desk): Written {
  const found = parts.filter(({ status }) => status === "found");
  if (order.content === null && found.length === 0) {
    const undone = ["No file was written, because nothing was found to put there."];
    return { ...NOTHING_WRITTEN, undone };
  }
  if (!desk.has("emit_output")) return { ...NOTHING_WRITTEN, undone: [NO_TOOL] };
  const { content, format } = order;
  const filename = nameOf(order, content === null ? found : []);
  const sources = [...new Set(found.flatMap(({ callId, sources }) => callId ?? sources))];
  const done = desk.get("emit_output", {
    label: filename,
    type: "file",
    value: content === null ? documentText(found, format) : givenText(content, format),
    filename,
    mediaType: MEDIA[format],
    ...(sources.length === 0 ? {} : { sources: sources.slice(0, 50) }),
  });
  if (done === null) return { ...NOTHING_WRITTEN, waiting: true };
  if (!done.answer.ok) {
    const undone = [`${filename} was not written: ${done.answer.error.message}`];
    return { ...NOTHING_WRITTEN, undone };
  }
  return { ...NOTHING_WRITTEN, files: [done.callId], filename, said: [`Wrote ${filename}.`] };
}
