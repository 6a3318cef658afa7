import * as z from "zod";
import { json } from "../json.ts";

export const askUserInput = z.object({ question: z.string().min(1).max(4_000) });

export const finishInput = z.object({
  status: z.enum(["completed", "failed"]).default("completed"),
  summary: z.string().min(1).max(32_000),
  data: json.optional(),
});
export type FinishInput = z.infer<typeof finishInput>;
