import { Hono } from "hono";
import { mountDashboard } from "./dashboard/mount.tsx";
import { mountDocs } from "./docs/mount.ts";
import { countUnmatched, limitFailures } from "./http/authentication.ts";
import type { AppEnv } from "./http/context.ts";
import { AGENT } from "./http/executions/session.ts";
import { HOOKS, handleWebhook } from "./http/hooks.ts";
import {
  crossOrigin,
  drainBody,
  httpsOnly,
  requestLog,
  responseHeaders,
  validAddress,
} from "./http/middleware.ts";
import { notFound, problemResponse } from "./http/problem.ts";
import { mountMethodNotAllowed } from "./http/route.ts";
import { routes } from "./http/routes.ts";
import { mountMcp } from "./mcp-server/mount.ts";

/** The HTTP interface: the middleware in order, the routes, and one renderer of errors. */
export const app = new Hono<AppEnv>();

app.use(requestLog, responseHeaders, drainBody, validAddress);
// An endpoint checks HTTPS and the method itself, because it logs what it rejects.
app.all(HOOKS, handleWebhook);
app.use(httpsOnly);
app.use("/api/v1/*", crossOrigin, limitFailures);
app.use("/mcp", limitFailures);
app.use("/mcp/k/*", limitFailures);
for (const { method, path, handle } of routes) app.on(method, path, handle);
app.use(`${AGENT}/*`, countUnmatched);
mountMethodNotAllowed(app, routes);
mountDashboard(app);
mountDocs(app);
mountMcp(app);
app.notFound((http) => problemResponse(notFound(), http.get("requestId")));
app.onError((error, http) => problemResponse(error, http.get("requestId")));
