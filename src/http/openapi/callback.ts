import * as z from "zod";
import type { ZodOpenApiCallbackObject } from "zod-openapi";
import { callbackBody } from "../../contract/callbacks.ts";
import { EXAMPLE_ID } from "../executions/ids.ts";
import { result } from "../executions/result.ts";

const example = {
  ...z.record(z.string(), z.unknown()).parse(result.answer.content["application/json"]?.example),
  type: "execution.completed",
  timestamp: "2026-11-20T09:30:02.000Z",
};

const headers = z.object({
  "webhook-id": z.string().meta({
    description: "Names the event; the same for each attempt.",
    example: `msg_${EXAMPLE_ID}_9`,
  }),
  "webhook-timestamp": z.string().meta({
    description: "When this attempt was made, in epoch seconds.",
    example: "1795167002",
  }),
  "webhook-signature": z.string().optional().meta({
    description:
      "`v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`; only with a callbackSecret.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

/** What is sent to the `callbackUrl` of an execution. */
export const executionCallback: ZodOpenApiCallbackObject = {
  id: "ExecutionCallback",
  "{$request.body#/callbackUrl}": {
    post: {
      operationId: "receiveCallback",
      tags: ["Callbacks"],
      summary: "Take the result of an execution",
      description:
        "Sent by the service when an execution has ended, or waits for you where `callbackEvents` asks for that. Answer 2xx within 15 seconds. Anything else is tried again, ten times within a day.",
      security: [],
      requestParams: { header: headers },
      requestBody: {
        required: true,
        content: { "application/json": { schema: callbackBody, example } },
      },
      responses: {
        "2XX": { description: "Taken. The body of the answer is not looked at." },
        "410": { description: "No more of this: it is not tried again." },
      },
    },
  },
};
