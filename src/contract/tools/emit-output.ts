import * as z from "zod";
import { nodeType, outputType } from "../execution.ts";
import { json } from "../json.ts";
import { address, callId } from "./call.ts";

export const emitOutputInput = z.object({
  label: z.string().min(1).max(200),
  type: outputType,
  nodeType: nodeType.optional(),
  value: json.optional().describe("Text, JSON, `{columns, rows}`, or a file's text."),
  from: callId.optional().describe("Take the value from this earlier call's answer instead."),
  url: address.optional().describe("A link's target."),
  filename: z.string().min(1).max(200).optional(),
  mediaType: z.string().min(3).max(200).optional(),
  sources: z
    .array(callId)
    .max(50)
    .optional()
    .describe("The calls that a value given here came from: without them it counts as your own."),
});
export type EmitOutputInput = z.infer<typeof emitOutputInput>;
