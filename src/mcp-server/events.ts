import { type McpServer, ProtocolError } from "@modelcontextprotocol/server";
import * as z from "zod";
import { pollEvents, subscribe, unsubscribe } from "../http/mcp-events/feed.ts";
import { type EventsCall, EventsError, listEvents, PARAMS } from "../http/mcp-events/names.ts";
import { HttpProblem } from "../http/problem.ts";

/** What the events extension announces. */
export const EVENTS_EXTENSION = "io.modelcontextprotocol/events";

/** Registers the methods of the events extension. */
export function registerEvents({ server }: McpServer, call: EventsCall): void {
  const register = <Params extends z.ZodType>(
    method: string,
    params: Params,
    run: (call: EventsCall, given: z.output<Params>) => Promise<Record<string, unknown>>,
  ) => {
    server.setRequestHandler(method, { params: z.unknown() }, async (given) => {
      const parsed = params.safeParse(given ?? {});
      if (!parsed.success) throw new ProtocolError(-32_602, z.prettifyError(parsed.error));
      return await run(call, parsed.data).catch((error: unknown) => {
        throw protocolErrorOf(error);
      });
    });
  };
  register("events/list", PARAMS.list, listEvents);
  register("events/poll", PARAMS.poll, pollEvents);
  register("events/subscribe", PARAMS.subscribe, subscribe);
  register("events/unsubscribe", PARAMS.unsubscribe, unsubscribe);
}

function protocolErrorOf(error: unknown): unknown {
  if (error instanceof EventsError) return new ProtocolError(error.code, error.message, error.data);
  if (error instanceof HttpProblem) return new ProtocolError(-32_603, error.message);
  return error;
}
