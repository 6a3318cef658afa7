import type { Context, Hono } from "hono";
import type { Fetch } from "../client/transport.ts";
import type { RateState } from "../contract/account.ts";
import { type Actor, type By, OPERATORS } from "../contract/actor.ts";
import { type AuditEntry, auditEntryOf } from "../contract/audit.ts";
import type { Answerer } from "../contract/decisions.ts";

/** The bindings of the application and the variables of one request. */
export interface AppEnv {
  Bindings: CloudflareEnv;
  Variables: {
    requestId: string;
    /**
     * The ids that the request's log line names: of an endpoint the part that logs may contain. The account's
     * is only claimed by the key while the code is `unauthorized`.
     */
    subject: { accountId?: string; executionId?: string; endpointId?: string };
    /** Set once the request has been counted; the response then shows the limit. */
    rate?: RateState;
  };
}

/** The context of one request. */
export type Http = Context<AppEnv>;

/** Requests that the dashboard's pages make to the API. */
const dashboardCalls = new WeakSet<Request>();
/** The id of the request for which the service calls its own API. */
const parents = new WeakMap<Request, string>();

/** Returns whether the request comes from a page of the dashboard. */
export function isDashboardCall(request: Request): boolean {
  return dashboardCalls.has(request);
}

/** Returns the id of the request that this one was made for; undefined for one from outside. */
export function parentRequestId(request: Request): string | undefined {
  return parents.get(request);
}

/** The request that is being served. */
interface Served extends Pick<Http, "env" | "executionCtx"> {
  var: { requestId: string };
}

/** Returns a fetch that calls the service's own API without a network between. */
export function callApi(app: Hono<AppEnv>, http: Served): Fetch {
  return async (request) => {
    parents.set(request, http.var.requestId);
    return app.fetch(request, http.env, http.executionCtx);
  };
}

/** Does the same for the dashboard, whose reads count against the management limit. */
export function callApiAsDashboard(app: Hono<AppEnv>, http: Served): Fetch {
  const call = callApi(app, http);
  return (request) => {
    dashboardCalls.add(request);
    return call(request);
  };
}

/** Returns who acts in a request, for the audit log. */
export function actorOf(http: Http, { by }: { by: By }): Actor {
  return { by, requestId: http.get("requestId") };
}

/** Returns who answers a decision in a request, and through which door. */
export function answererOf(http: Http, { by }: { by: By }): Answerer {
  const { raw } = http.req;
  const isOwn = parentRequestId(raw) !== undefined;
  const via = isDashboardCall(raw) ? "dashboard" : isOwn ? "mcp" : "api";
  return { by, via, requestId: http.get("requestId") };
}

/** Returns the actor of a request of the operators. */
export const operatorOf = (http: Http): Actor => actorOf(http, { by: OPERATORS });

/** Makes the audit entry of a change that D1 stores. A repeat of the write must have the same. */
export function auditedBy(
  http: Http,
  caller: { by: By },
  action: AuditEntry["action"],
  resource: AuditEntry["resource"],
  detail: AuditEntry["detail"] = {},
): AuditEntry {
  const stamp = { now: Date.now(), random: crypto.randomUUID().slice(-12) };
  return auditEntryOf(actorOf(http, caller), { action, resource, detail }, stamp);
}
