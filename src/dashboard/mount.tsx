import { Hono } from "hono";
import { followAccount } from "../http/account.ts";
import { type AppEnv, callApiAsDashboard, type Http } from "../http/context.ts";
import { serveAssets } from "./assets.ts";
import { apiWith, asClientError, type DashboardEnv, type Page } from "./context.ts";
import { errorPage, pageNotFound, signInAgain } from "./error-page.tsx";
import { SAME, streamFollowed } from "./live.ts";
import { ownForms, pageHeaders } from "./page-protection.ts";
import { serveAgain } from "./pages/again.tsx";
import { serveAlerts } from "./pages/alerts.tsx";
import { serveAudit } from "./pages/audit.tsx";
import { serveCases } from "./pages/cases.tsx";
import { serveConnections } from "./pages/connections.tsx";
import { mountDecisionLinks } from "./pages/decisions/decide.tsx";
import { serveDecisions } from "./pages/decisions/routes.tsx";
import { serveDestinations } from "./pages/destinations.tsx";
import { serveExecutions } from "./pages/executions/routes.tsx";
import { serveKeys } from "./pages/keys.tsx";
import { serveMcpServers } from "./pages/mcp-servers.tsx";
import { serveMembers } from "./pages/members.tsx";
import { serveModels } from "./pages/models.tsx";
import { serveOverview } from "./pages/overview/overview-page.tsx";
import { serveAllRequests } from "./pages/requests/all-requests.tsx";
import { serveRequestLog } from "./pages/requests/request-log.tsx";
import { serveRequest } from "./pages/requests/request-page.tsx";
import { serveSchedules } from "./pages/schedules.tsx";
import { serveSearch } from "./pages/search.tsx";
import { serveShares } from "./pages/shares/share.tsx";
import { mountShares } from "./pages/shares/shared.tsx";
import { serveMemberSignIn, serveSignIn } from "./pages/sign-in.tsx";
import { serveUsage } from "./pages/usage.tsx";
import { serveWebhooks } from "./pages/webhooks/routes.tsx";
import { serveWorkflows } from "./pages/workflows/workflow-page.tsx";
import { readSession } from "./session.ts";

/** The sections of the dashboard. */
const SECTIONS = [
  serveOverview,
  serveExecutions,
  serveDecisions,
  serveRequestLog,
  serveAllRequests,
  serveRequest,
  serveSearch,
  serveAgain,
  serveUsage,
  serveKeys,
  serveMembers,
  serveAudit,
  serveModels,
  serveAlerts,
  serveDestinations,
  serveConnections,
  serveMcpServers,
  serveWebhooks,
  serveWorkflows,
  serveCases,
  serveSchedules,
  serveShares,
];

const wantsPage = (http: Http): boolean => (http.req.header("Accept") ?? "").includes("text/html");

/** Serves the dashboard at `/dashboard`. Its pages are clients of the public API. */
export function mountDashboard(app: Hono<AppEnv>): void {
  serveAssets(app);
  const fetchFor = (http: Page) => callApiAsDashboard(app, http);
  const dashboard = new Hono<DashboardEnv>();
  dashboard.use(pageHeaders("'self'"), ownForms);
  serveMemberSignIn(dashboard);
  serveSignIn(dashboard, fetchFor);
  dashboard.use(async (http, next) => {
    const session = await readSession(http);
    if (session === null) return signInAgain(http, "/dashboard/sign-in");
    const { apiKey, reader } = session;
    if (reader !== undefined) http.set("reader", reader);
    http.set("api", apiWith(apiKey, http, fetchFor(http)));
    http.set("follow", (endpointId = null) => {
      const follow = followAccount(http.env, apiKey, endpointId);
      return (waitMs) =>
        follow(waitMs).catch((error: unknown) => {
          throw asClientError(error, http.get("requestId"));
        });
    });
    await next();
  });
  dashboard.get("/live", (http) => streamFollowed(http, async () => SAME));
  for (const serve of SECTIONS) serve(dashboard);
  dashboard.all("*", pageNotFound);
  dashboard.onError(errorPage);
  app.route("/dashboard", dashboard);
  mountDecisionLinks(app);
  mountShares(app);
  // Browsers that open the origin get the dashboard; programs get the API's answer.
  app.get("/", (http, next) => (wantsPage(http) ? http.redirect("/dashboard", 303) : next()));
}
