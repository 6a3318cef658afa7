import { Buffer } from "node:buffer";
import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import type { Decision, ReceivedRequest, RouteDecision } from "../../contract/webhooks/inbox.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import { caseRuleOf, type Route, type Routing } from "../../contract/webhooks/routing.ts";
import { tagOfEndpoint } from "../../lib/execution-id.ts";
import { mappingFaults } from "../mapping/faults.ts";
import { validationFaults } from "../validation.ts";
import { conditionFaults } from "./condition.ts";
import { keyFaults } from "./match.ts";

/** The name of the route that an endpoint's own workflow is; a configured route has a longer one. */
export const OWN_ROUTE = "";

/** The part of a configuration that decides what requests start. */
export type Starting = Pick<EndpointConfig, "workflow" | "routing" | "mapping">;

/**
 * Returns what the requests of an endpoint start: its routes, or its own workflow as a route that every
 * request matches. None, and the endpoint holds its requests.
 */
export function routesOf({ workflow, routing, mapping }: Starting): Route[] {
  if (routing !== null) return routing.routes;
  if (workflow === null) return [];
  const { workflowId } = workflow;
  const every = { when: null, validation: null, key: null, rule: caseRuleOf({}) };
  return [{ ...every, name: OWN_ROUTE, workflowId, workflow, mapping }];
}

/** Whether requests of an endpoint start executions. */
export function isAttached(config: Starting): boolean {
  return routesOf(config).length > 0;
}

/** Returns what the routes decided about an accepted request; its own workflow matches without a word. */
export function decisionsOf({
  routes,
  mappedInputs,
  warnings,
}: Pick<
  Extract<Decision, { kind: "accept" }>,
  "routes" | "mappedInputs" | "warnings"
>): RouteDecision[] {
  const matched = { matched: true, reason: "", key: null, errors: [] };
  return routes ?? [{ ...matched, name: OWN_ROUTE, inputs: mappedInputs, warnings }];
}

/** Returns the errors of routes to be saved, with their places in the body. */
export async function routingFaults(routing: Routing | null): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [at, route] of (routing?.routes ?? []).entries()) {
    faults.push(...(await routeFaults(route, `routing.routes[${at}]`)));
  }
  return faults;
}

async function routeFaults(
  { when, validation, mapping, workflow, key }: Route,
  place: string,
): Promise<Fault[]> {
  const inner = [
    ...(validation === null ? [] : validationFaults(validation)),
    ...(await mappingFaults(mapping, workflow?.inputs ?? null)),
  ];
  return [
    ...(when === null ? [] : conditionFaults(when, `${place}.when`)),
    ...(key === null ? [] : keyFaults(key, `${place}.key`)),
    ...inner.map((fault) => ({ ...fault, path: `${place}.${fault.path}` })),
  ];
}

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
