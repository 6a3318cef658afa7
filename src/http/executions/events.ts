import { accepts } from "hono/accepts";
import * as z from "zod";
import { executionEvent } from "../../contract/events.ts";
import { closed } from "../../contract/fields.ts";
import { type AnswerRule, jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import type { Http } from "../context.ts";
import { keyWith } from "../guard.ts";
import { invalid } from "../problem.ts";
import { wholeNumber } from "../query.ts";
import { route } from "../route.ts";
import { type EventPage, eventStream } from "./event-stream.ts";
import { AGENT, executionParams } from "./ids.ts";
import { askSession } from "./session-of.ts";

const HEARTBEAT_MS = 15_000;
/** A request may make 1,000 calls to objects; a failed read is tried twice. */
const MAX_READS = 400;

const query = closed({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .meta({
      description: "The last entry that you have; what follows it is answered.",
      override: { default: 0 },
    }),
  limit: wholeNumber(1, 1_000)
    .default(100)
    .meta({ description: "How many entries a page has at most.", override: { default: 100 } }),
});

const eventPage = z
  .object({
    events: z.array(executionEvent).describe("The oldest first."),
    nextAfter: z.int().meta({ description: "`after` of the next request." }),
  })
  .meta({ id: "EventPage" });

const example = {
  seq: 1,
  type: "status" as const,
  at: "2026-11-20T09:30:00.000Z",
  version: 1,
  data: { status: "active", statusDetail: "queued" },
};

const json = jsonAnswer(200, "The log: as a stream, or in pages.", eventPage, {
  events: [example],
  nextAfter: 1,
});

const answer: AnswerRule<z.infer<typeof eventPage>> = {
  ...json,
  content: {
    "text/event-stream": {
      schema: z.string(),
      example: `id: 1\nevent: status\ndata: ${JSON.stringify(example)}\n\n`,
    },
    ...json.content,
  },
};

export const events = route({
  method: "GET",
  path: `${AGENT}/trigger/:executionId/events`,
  operationId: "readExecutionEvents",
  tag: "Executions",
  summary: "Follow the log of an execution",
  description:
    "Server-sent events that end after the last entry; with `Accept: application/json`, in pages.",
  guard: keyWith("executions:read"),
  params: executionParams,
  query,
  body: noBody,
  answer,
  errors: ["not_found"],
  requestHeaders: ["Last-Event-ID"],
  otherAnswers: [
    {
      status: 204,
      description: "Nothing follows the entry of Last-Event-ID: an EventSource stops here.",
      content: {},
    },
  ],
  async handler({ http, caller, params: { executionId }, query: { after, limit } }) {
    const read = (from: number, waitMs: number) =>
      askSession({
        env: http.env,
        caller,
        executionId,
        idempotent: true,
        ask: (session) => session.events(caller.accountId, { after: from, limit, waitMs }),
      });
    if (wantsJson(http)) {
      const page = await read(after, 0);
      return { value: { events: page.events, nextAfter: page.events.at(-1)?.seq ?? after } };
    }
    const from = lastEventId(http) ?? after;
    const first = await read(from, 0);
    if (from > 0 && first.closed && first.events.length === 0) {
      return new Response(null, { status: 204 });
    }
    return streamed(http, first, from, (position) => read(position, HEARTBEAT_MS));
  },
});

function streamed(
  http: Http,
  first: EventPage,
  from: number,
  read: (after: number) => Promise<EventPage>,
): Response {
  const body = http.req.method === "HEAD" ? null : eventStream(first, from, read, MAX_READS);
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}

function wantsJson(http: Http): boolean {
  const supports = ["text/event-stream", "application/json"];
  const best = accepts(http, { header: "Accept", supports, default: "text/event-stream" });
  return best === "application/json";
}

/** An EventSource that reconnects repeats its address, so that this header wins over `after`. */
function lastEventId(http: Http): number | null {
  const header = http.req.header("Last-Event-ID");
  if (header === undefined || header === "") return null;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw invalid("Last-Event-ID", "header", "must be the id of an entry, a whole number");
}
