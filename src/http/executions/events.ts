import { accepts } from "hono/accepts";
import * as z from "zod";
import { executionEvent } from "../../contract/events.ts";
import { closed } from "../../contract/fields.ts";
import type { FileReply, Unknown } from "../../contract/session.ts";
import { apiKey } from "../authentication.ts";
import type { Http } from "../context.ts";
import { attachment } from "../headers.ts";
import { wholeNumberOr } from "../params.ts";
import { invalid } from "../problem.ts";
import { jsonResponse, type ResponseRule, route } from "../route.ts";
import { AGENT, callSession } from "./session.ts";

const page = z
  .object({
    events: z.array(executionEvent).describe("The events, oldest first."),
    nextAfter: z.int().meta({ description: "Pass it as `after` to get the next events." }),
  })
  .meta({ id: "EventPage" });

const example = {
  seq: 1,
  type: "status" as const,
  at: "2026-11-20T09:30:00.000Z",
  version: 1,
  data: { status: "active", statusDetail: "queued" },
};

const json = jsonResponse(200, "The events, as a stream or in pages.", page);

const response: ResponseRule<z.infer<typeof page>> = {
  ...json,
  content: {
    "text/event-stream": {
      schema: z.string(),
      example: `id: 1\nevent: status\ndata: ${JSON.stringify(example)}\n\n`,
    },
    ...json.content,
  },
};

export const events = route("GET", `${AGENT}/trigger/:executionId/events`, {
  operationId: "readExecutionEvents",
  summary: "Follow the events of an execution",
  description:
    'Streams the execution\'s events as server-sent events and closes after the final one. Between them, events of the type `text` hold pieces of what the model is writing: `{"text": "..."}`, without an id; they are not stored, so a stream that opens later does not get them. With `Accept: application/json` it returns them in pages.',
  auth: apiKey("executions:read"),
  query: closed(
    {
      after: wholeNumberOr(0, 0, Number.MAX_SAFE_INTEGER).meta({
        description: "The sequence number of the last event that you have.",
        override: { default: 0 },
      }),
      limit: wholeNumberOr(100, 1, 1_000).meta({
        description: "The maximum number of events in a page.",
        override: { default: 100 },
      }),
    },
    "parameter",
  ),
  response,
  requestHeaders: ["Last-Event-ID"],
  otherResponses: [
    {
      status: 204,
      description: "No event follows the one in `Last-Event-ID`. An EventSource stops here.",
      content: {},
    },
  ],
  async handler(asked) {
    const { http, query } = asked;
    const { after, limit } = query;
    const supports = ["text/event-stream", "application/json"];
    const wanted = accepts(http, { header: "Accept", supports, default: "text/event-stream" });
    if (wanted === "application/json") {
      const { events: found } = await callSession(asked, (host, id) =>
        host.events(id, { after, limit }),
      );
      return { value: { events: found, nextAfter: found.at(-1)?.seq ?? after } };
    }
    const from = lastEventId(http) ?? after;
    const reply = await callSession(asked, (host, id) => host.follow(id, from));
    if (reply.kind === "over") return new Response(null, { status: 204 });
    const isHead = http.req.method === "HEAD";
    if (isHead) await reply.stream.cancel();
    return new Response(isHead ? null : reply.stream, {
      headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
    });
  },
});

/** An EventSource that reconnects repeats its address, so this header wins over `after`. */
function lastEventId(http: Http): number | null {
  const header = http.req.header("Last-Event-ID");
  if (header === undefined || header === "") return null;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw invalid("Last-Event-ID", "header", "must be the id of an event, a whole number");
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;

const fileResponse: ResponseRule<Exclude<FileReply, Unknown>> = {
  status: 200,
  description: "The file, with its own media type.",
  content: {
    "application/octet-stream": {
      schema: z.string().meta({ override: { format: "binary" } }),
      example: "name,price\nTea,3.20\n",
    },
  },
  render: ({ mediaType, filename, bytes }) =>
    new Response(bytes, {
      headers: {
        "Content-Type": MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream",
        "Content-Disposition": attachment(filename),
        // An agent wrote this file: if it is a page, it must not run with the dashboard's origin.
        "Content-Security-Policy": "sandbox; default-src 'none'",
      },
    }),
};

export const file = route("GET", `${AGENT}/trigger/:executionId/files/:outputId`, {
  operationId: "downloadFile",
  summary: "Download a file",
  description:
    "Returns the bytes of an output of type `file`, whose `url` is this address, with its media type and filename.",
  auth: apiKey("executions:read"),
  response: fileResponse,
  responseHeaders: ["Content-Disposition"],
  async handler(asked) {
    const { outputId } = asked.params;
    return { value: await callSession(asked, (host, id) => host.file(id, outputId)) };
  },
});
