import { APICallError } from "@ai-sdk/provider";
import * as z from "zod";
import { jsonOrNull } from "../../../lib/json-values.ts";
import { cappedFetch, isJson } from "./http.ts";

/** A chat completion that is not streamed; `error` is how some gateways answer. */
const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
      }),
    )
    .min(1),
});

/** Fetches a streamed chat completion. A server that does not stream sends it whole: a stream of one event. */
export async function streamedFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
  connect?: typeof fetch,
): Promise<Response> {
  const response = await cappedFetch(input, init, connect);
  if (!response.ok || !isJson(response)) return response;
  const body = await response.text();
  const whole = completion.safeParse(jsonOrNull(body)).data;
  if (whole === undefined) {
    throw new APICallError({
      message: "The reply is no chat completion.",
      url: response.url,
      requestBodyValues: {},
      statusCode: response.status,
      responseBody: body,
    });
  }
  const choices = whole.choices.map(({ message, ...choice }) => ({
    ...choice,
    delta: {
      ...message,
      tool_calls: message.tool_calls?.map((call, index) => ({ ...call, index })),
    },
  }));
  return new Response(`data: ${JSON.stringify({ ...whole, choices })}\n\ndata: [DONE]\n\n`, {
    headers: { "Content-Type": "text/event-stream" },
  });
}
