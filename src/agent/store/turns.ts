import * as z from "zod";
import type { Turn } from "../../contract/conversation.ts";
import { json } from "../../contract/json.ts";

const answer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), content: json }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);

/** A turn of the conversation as it is stored. */
export const storedTurn: z.ZodType<Turn> = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(z.object({ callId: z.string(), tool: z.string(), input: json })),
  }),
  z.object({ role: z.literal("tool"), callId: z.string(), tool: z.string(), answer }),
]);
