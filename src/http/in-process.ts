import type { Hono } from "hono";
import type { Fetch } from "../client/transport.ts";
import type { AppEnv, Http } from "./context.ts";

/** Requests of the service's own pages. */
const ours = new WeakSet<Request>();
/** For requests of the service to itself: the id of the one that they are made for. */
const behind = new WeakMap<Request, string>();

/** Whether a request comes from one of our own pages, which may read as often as management may. */
export function isOurs(request: Request): boolean {
  return ours.has(request);
}

/** The id of the request that the service makes this one for; undefined for one from outside. */
export function requestBehind(request: Request): string | undefined {
  return behind.get(request);
}

/** Whoever is served. */
interface Served extends Pick<Http, "env" | "executionCtx"> {
  var: { requestId: string };
}

/** The service's own API for whoever serves `http`, without the network between. */
export function callApi(app: Hono<AppEnv>, http: Served): Fetch {
  return async (request) => {
    behind.set(request, http.var.requestId);
    return app.fetch(request, http.env, http.executionCtx);
  };
}

/** The same for the service's own pages. */
export function callApiAsOurs(app: Hono<AppEnv>, http: Served): Fetch {
  const call = callApi(app, http);
  return (request) => {
    ours.add(request);
    return call(request);
  };
}
