import * as z from "zod";
import { closed, exactlyOne, listOf, open, textUpTo } from "./fields.ts";

/** The most bytes of all files of one request. */
export const MAX_FILES_BYTES = 10 * 1_024 * 1_024;

/** The most files of an execution. */
export const MAX_FILES = 20;

/** Whether a name cannot leave its directory and shows all its characters. */
export function isSafeFileName(name: string): boolean {
  return !/[/\\\p{Cc}\p{Cf}]|^\.|^\s*$/u.test(name);
}

/** The name of a file. */
export const fileName = textUpTo(200)
  .refine(isSafeFileName, "must not have slashes, control characters or a leading dot")
  .describe("The file's name, such as `invoice.pdf`.");
/** The media type of a file. */
export const mediaType = z
  .string()
  .max(200)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*charset=[\w:.-]+)?$/, "must be a media type")
  .describe("The media type, such as `application/pdf`.");

/** The media types of files by their extensions; any other is text if it has no NUL byte. */
const TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  gif: "image/gif",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  pdf: "application/pdf",
  png: "image/png",
  webp: "image/webp",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
};

/** Returns the media type of a file by its name and its bytes: programs that send one often know none. */
export function mediaTypeOfFile(name: string, bytes: Uint8Array): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return TYPES[extension] ?? (bytes.includes(0) ? "application/octet-stream" : "text/plain");
}

/** A file of a request that starts an execution. */
const givenFile = closed({
  name: fileName,
  mediaType,
  data: z.string().optional().describe("The bytes as base64."),
  url: textUpTo(2_048)
    .optional()
    .describe("The address to read the bytes from, in place of `data`, before the response."),
})
  .apply(exactlyOne(["data", "url"], "is required, or `url`, and not both", "data"))
  .meta({ id: "GivenFile" });

/** The files of a request that starts an execution. */
export const givenFiles = listOf(givenFile, MAX_FILES, 1).describe(
  "Files for the agent, which never treats them as instructions: at most 10 MiB in all. Tools take a file as `file_1`, `file_2` and so on.",
);
export type GivenFiles = z.infer<typeof givenFiles>;

/** A file of an execution. */
export const inputFile = open({
  name: z.string().describe("The file's name."),
  mediaType: z.string().describe("The media type."),
  sizeBytes: z.int().describe("The size in bytes."),
});

/** A file as it is stored; `data` has its bytes as base64 until its session has them. */
export const storedFile = inputFile.extend({ data: z.string().exactOptional() });
export type StoredFile = z.infer<typeof storedFile>;

/** Returns the name under which the conversation, and the storage, know a file by its place from 0. */
export const fileCallId = (place: number) => `file_${place + 1}`;
