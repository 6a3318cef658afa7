import * as z from "zod";
import { listOf, open } from "../fields.ts";
import { json } from "../json.ts";
import { address, callId, cutAt } from "./call.ts";

const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export const httpRequestInput = open({
  method: z.enum(HTTP_METHODS).default("GET").describe("The HTTP method."),
  url: address,
  headers: z.record(z.string(), z.string()).optional().describe("The headers by name."),
  body: json.optional().describe("A string is sent unchanged, any other value as JSON."),
  sources: listOf(callId, 50)
    .optional()
    .describe("The calls that the figures of the body came from."),
});
export type HttpRequestInput = z.infer<typeof httpRequestInput>;

export const httpResponseContent = open({
  url: z.string(),
  status: z.int(),
  mediaType: z.string(),
  headers: z.record(z.string(), z.string()),
  json: z.exactOptional(json).describe("The parsed body, if it is JSON."),
  text: z.string().exactOptional().describe("The body, if it is not JSON."),
  cut: z.boolean(),
  cutAt,
});
export type HttpResponseContent = z.infer<typeof httpResponseContent>;
