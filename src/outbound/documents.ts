import * as z from "zod";
import { within } from "../lib/async.ts";

/** The documents that are read as Markdown, and the extensions by which readers tell them apart. */
const EXTENSIONS = new Map([
  ["application/pdf", "pdf"],
  ["application/vnd.ms-excel", "xls"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.text", "odt"],
]);

/** The most characters of a document that are read. */
export const MAX_DOCUMENT_CHARACTERS = 2 * 1_024 * 1_024;

/** A document as Markdown, and where it was cut; or why it has none. */
export const readDocument = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), text: z.string(), cutAt: z.string().exactOptional() }),
  z.object({ ok: z.literal(false), reason: z.enum(["unreadable", "too_large"]) }),
]);
export type ReadDocument = z.infer<typeof readDocument>;

/** Reads a document outside of this isolate, which a hostile one could exhaust. Throws if that fails for now. */
export type DocumentReader = (mediaType: string, bytes: Uint8Array) => Promise<ReadDocument>;

/** Workers AI converts documents without a model, and without a charge, unless it describes their images. */
const WITHOUT_IMAGES = { images: { convert: false } };
const CONVERSION = {
  conversionOptions: { pdf: { ...WITHOUT_IMAGES, metadata: false }, docx: WITHOUT_IMAGES },
};

const TIMEOUT_MS = 60_000;

/** The bindings that read documents: Workers AI, and the reader of a local start. */
interface Readers {
  AI?: {
    toMarkdown(
      file: MarkdownDocument,
      options: ConversionRequestOptions,
    ): Promise<ConversionResponse>;
  };
  DOCUMENTS?: Pick<Fetcher, "fetch">;
}

/** Whether files of a media type, without parameters, are documents. */
export function isDocument(mediaType: string): boolean {
  return EXTENSIONS.has(mediaType.toLowerCase());
}

/** Returns the reader of a deployment, or null if it has none. */
export function documentReader({ AI, DOCUMENTS }: Readers): DocumentReader | null {
  if (DOCUMENTS !== undefined) {
    return async (mediaType, body) => {
      const headers = { "Content-Type": mediaType.toLowerCase() };
      const asked = DOCUMENTS.fetch("http://documents/", { method: "POST", headers, body });
      const response = await within("the reader of documents", TIMEOUT_MS, asked);
      return readDocument.parse(await response.json());
    };
  }
  if (AI === undefined) return null;
  return async (mediaType, bytes) => {
    const name = `file.${EXTENSIONS.get(mediaType.toLowerCase())}`;
    const document = { name, blob: new Blob([bytes], { type: mediaType }) };
    const answer = await within("Workers AI", TIMEOUT_MS, AI.toMarkdown(document, CONVERSION));
    if (answer.format === "error") return { ok: false, reason: "unreadable" };
    const text = answer.data.slice(0, MAX_DOCUMENT_CHARACTERS);
    const isCut = text.length < answer.data.length;
    return { ok: true, text, ...(isCut && { cutAt: `${MAX_DOCUMENT_CHARACTERS} characters` }) };
  };
}
