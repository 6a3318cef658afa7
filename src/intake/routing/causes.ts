import { Buffer } from "node:buffer";
import type { ReceivedRequest, RouteDecision } from "../../contract/webhooks/inbox.ts";
import { tagOfEndpoint } from "../../lib/execution-id.ts";

/** The idempotency key of a call (`idempotencyKeyOf`), from the execution's id on. */
const KEY = /\b([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):\w/g;

/**
 * Returns the executions of an endpoint that caused a request: it names a call of theirs by the idempotency
 * key that the target got, in a header or in the body, as Stripe's events do in `request.idempotency_key`.
 */
export function causesOf(
  endpointId: string,
  { headers, body }: Pick<ReceivedRequest, "headers" | "body">,
): string[] {
  const tag = tagOfEndpoint(endpointId);
  const texts = Object.values(headers).filter((value) => value.includes(tag));
  // A large body is searched for the tag as bytes, and decoded only where it has it.
  if (body !== null && Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(tag)) {
    texts.push(new TextDecoder().decode(body));
  }
  const ids = texts.flatMap((text) => [...text.matchAll(KEY)].map(([, id = ""]) => id));
  return [...new Set(ids)].filter((id) => id.endsWith(tag));
}

/**
 * Returns the decisions of routes, where one does not match what an execution of its own caused: the two
 * would go on for ever. `loops` says so in a sentence for each.
 */
export function withoutLoops(
  routes: readonly RouteDecision[],
  causeOf: (route: string) => string | undefined,
): { decisions: RouteDecision[]; loops: string[] } {
  const loops: string[] = [];
  const decisions = routes.map((route) => {
    const cause = route.matched ? causeOf(route.name) : undefined;
    if (cause === undefined) return route;
    const reason = `Not started: execution ${cause} of this route caused this event.`;
    loops.push(reason);
    return { ...route, matched: false, reason };
  });
  return { decisions, loops };
}
