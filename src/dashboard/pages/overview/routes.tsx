import type { Dashboard } from "../../context.ts";
import { FirstRunPage } from "./first-run/page.tsx";
import { serveFirstRun } from "./first-run/routes.tsx";
import { loadFirstRun } from "./first-run/state.ts";
import { isUntouched, loadOverview } from "./load.ts";
import { OverviewPage } from "./page.tsx";
import { readRange } from "./range.ts";

/** How the account stands; where nothing has happened yet, the way to a first run. */
export function serveOverview(app: Dashboard): void {
  app.get("/", async (http) => {
    const api = http.get("api");
    const data = await loadOverview(api, readRange(http.req.query("range")), Date.now());
    if (!isUntouched(data)) return http.html(<OverviewPage data={data} />);
    return http.html(<FirstRunPage view={{ state: await loadFirstRun(api) }} />);
  });
  serveFirstRun(app);
}
