import { Hono } from "hono";
import { mountDashboard } from "./dashboard/mount.tsx";
import { mountDocs } from "./docs/mount.tsx";
import type { AppEnv } from "./http/context.ts";
import { HOOKS, receiveHook } from "./http/hooks.ts";
import { crossOrigin } from "./http/middleware/cross-origin.ts";
import { httpsOnly } from "./http/middleware/https.ts";
import { requestLog } from "./http/middleware/request-log.ts";
import { responseHeaders } from "./http/middleware/response-headers.ts";
import { notFound, problemResponse } from "./http/problem.ts";
import { mount } from "./http/route.ts";
import { routes } from "./http/routes.ts";
import { mountMcp } from "./mcp-server/mount.ts";

/** The HTTP interface: middleware in order, the routes, and one place where errors become answers. */
export const app = new Hono<AppEnv>();

app.use(requestLog, responseHeaders);
// An endpoint judges by itself what came over plain HTTP or by a wrong method: it logs that too.
app.all(HOOKS, receiveHook);
app.use(httpsOnly);
app.use("/api/v1/*", crossOrigin);
mount(app, routes);
mountDashboard(app);
mountDocs(app);
mountMcp(app);
app.notFound((http) => problemResponse(notFound(), http.get("requestId")));
app.onError((error, http) => problemResponse(error, http.get("requestId")));
