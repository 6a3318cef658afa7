import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { Prompthook } from "../client/prompthook.ts";
import type { AppEnv, Http } from "../http/context.ts";
import { callApiAsDashboard } from "../http/in-process.ts";
import { serveAssets } from "./assets.ts";
import { type DashboardEnv, type Page, sendElsewhere } from "./context.ts";
import { failurePage, nothingHere } from "./error-page.tsx";
import { PAGE_HEADERS } from "./page-headers.ts";
import { serveExecutions } from "./pages/executions/routes.tsx";
import { serveKeys } from "./pages/keys.tsx";
import { serveMcpServers } from "./pages/mcp-servers.tsx";
import { serveOverview } from "./pages/overview/overview-page.tsx";
import { serveRequests } from "./pages/requests/routes.tsx";
import { serveSignIn } from "./pages/sign-in.tsx";
import { serveWebhooks } from "./pages/webhooks/routes.tsx";
import { serveWorkflows } from "./pages/workflows/routes.tsx";
import { readSession } from "./session.ts";

/** The rooms of the dashboard, one for each section. */
const ROOMS = [
  serveOverview,
  serveExecutions,
  serveRequests,
  serveKeys,
  serveMcpServers,
  serveWebhooks,
  serveWorkflows,
];

const wantsPage = (http: Http): boolean => (http.req.header("Accept") ?? "").includes("text/html");

/** Serves the dashboard at `/dashboard`. Its pages are clients of the same API as everybody else. */
export function mountDashboard(app: Hono<AppEnv>): void {
  serveAssets(app);
  const fetchFor = (http: Page) => callApiAsDashboard(app, http);
  const dashboard = new Hono<DashboardEnv>();
  dashboard.use(PAGE_HEADERS, csrf());
  serveSignIn(dashboard, fetchFor);
  dashboard.use(async (http, next) => {
    const apiKey = await readSession(http, Date.now());
    if (apiKey === null) return sendElsewhere(http, "/dashboard/sign-in");
    const { origin } = new URL(http.req.url);
    const fetch = fetchFor(http);
    // A reader is told at once what is the matter, and can try again.
    http.set("api", new Prompthook({ baseUrl: origin, apiKey, fetch, maxRetries: 0 }));
    await next();
  });
  for (const serve of ROOMS) serve(dashboard);
  dashboard.all("*", nothingHere);
  dashboard.onError(failurePage);
  app.route("/dashboard", dashboard);
  // Whoever types the service's name into a browser looks for its pages; programs are told the truth.
  app.get("/", (http, next) => (wantsPage(http) ? http.redirect("/dashboard", 303) : next()));
}
