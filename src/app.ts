import { Hono } from "hono";
import type { AppEnv } from "./http/context.ts";
import { httpsOnly } from "./http/middleware/https.ts";
import { responseHeaders } from "./http/middleware/response-headers.ts";
import { notFound, problemResponse } from "./http/problem.ts";
import { mount } from "./http/route.ts";
import { routes } from "./http/routes.ts";

/** The HTTP interface: middleware in order, the routes, and one place where errors become answers. */
export const app = new Hono<AppEnv>();

app.use(responseHeaders);
app.use(httpsOnly);
mount(app, routes);
app.notFound((http) => problemResponse(notFound(), http.get("requestId")));
app.onError((error, http) => problemResponse(error, http.get("requestId")));
