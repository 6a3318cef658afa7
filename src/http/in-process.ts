import type { Hono } from "hono";
import type { Fetch } from "../client/transport.ts";
import type { AppEnv, Http } from "./context.ts";

/** Requests of the service's own pages. */
const ours = new WeakSet<Request>();

/** Whether a request comes from one of our own pages, which have the limit of management everywhere. */
export function isOurs(request: Request): boolean {
  return ours.has(request);
}

/** The service's own API for whoever serves `http`, without the network between. */
export function callApi(app: Hono<AppEnv>, http: Pick<Http, "env" | "executionCtx">): Fetch {
  return async (request) => app.fetch(request, http.env, http.executionCtx);
}

/** The same for the service's own pages. */
export function callApiAsOurs(app: Hono<AppEnv>, http: Pick<Http, "env" | "executionCtx">): Fetch {
  const call = callApi(app, http);
  return (request) => {
    ours.add(request);
    return call(request);
  };
}
