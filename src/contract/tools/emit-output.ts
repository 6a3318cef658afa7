import * as z from "zod";
import { nodeType, outputType } from "../execution.ts";
import { json } from "../json.ts";
import { address, callId } from "./call.ts";

export const emitOutputInput = z.object({
  label: z.string().min(1).max(200),
  type: outputType,
  nodeType: nodeType.optional(),
  value: json.optional().describe("Text, JSON, `{columns, rows}`, or a file's text."),
  from: callId.optional().describe("An earlier call whose answer is the value."),
  url: address.optional().describe("The target of a link."),
  filename: z.string().min(1).max(200).optional(),
  mediaType: z.string().min(3).max(200).optional(),
  sources: z
    .array(callId)
    .max(50)
    .optional()
    .describe("The calls that the value came from. Without them, it counts as your own."),
});
export type EmitOutputInput = z.infer<typeof emitOutputInput>;
