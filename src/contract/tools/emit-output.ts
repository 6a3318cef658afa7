import * as z from "zod";
import { listOf, open, textUpTo } from "../fields.ts";
import { json } from "../json.ts";
import { nodeType, outputType } from "../outputs.ts";
import { address, callId } from "./call.ts";

export const emitOutputInput = open({
  label: textUpTo(200).describe("A title for the user."),
  type: outputType.describe("The type of the output."),
  nodeType: nodeType.optional(),
  value: json.optional().describe("Text, JSON, `{columns, rows}`, or a file's text."),
  from: callId.optional().describe("An earlier call whose answer is the value."),
  url: address.optional().describe("The target of a link."),
  filename: textUpTo(200).optional().describe("The name of a file."),
  mediaType: z
    .string()
    .min(3)
    .max(200)
    .optional()
    .describe("The media type of a text, JSON or a file, if not the usual one."),
  sources: listOf(callId, 50)
    .optional()
    .describe("The calls that the value came from. Without them, it counts as your own."),
});
export type EmitOutputInput = z.infer<typeof emitOutputInput>;
