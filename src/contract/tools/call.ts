import * as z from "zod";
import { type Json, json } from "../json.ts";

export const address = z.string().min(1).max(2_048).describe("An absolute http or https address.");
export const callId = z.string().min(1).max(128);

/** A tool's stored answer: its content, or its error. */
export type ToolAnswer =
  | { ok: true; content: Json }
  | { ok: false; error: { code: string; message: string } };

/** A file output with its bytes. */
export interface OutputFile {
  filename: string;
  mediaType: string;
  bytes: Uint8Array;
}

export const askUserInput = z.object({ question: z.string().min(1).max(4_000) });

export const finishInput = z.object({
  status: z.enum(["completed", "failed"]).default("completed"),
  /** Why it failed; models may leave it out. */
  reason: z.enum(["cannot_do", "source_unavailable"]).optional(),
  summary: z.string().min(1).max(32_000),
  data: json.optional(),
});
export type FinishInput = z.infer<typeof finishInput>;
