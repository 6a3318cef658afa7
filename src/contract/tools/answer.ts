import type { Json } from "../json.ts";

/** A tool's answer as it is stored: what it found, or why it could not. */
export type ToolAnswer =
  | { ok: true; content: Json }
  | { ok: false; error: { code: string; message: string } };

/** A file output with its bytes. */
export interface OutputFile {
  filename: string;
  mediaType: string;
  bytes: Uint8Array;
}
