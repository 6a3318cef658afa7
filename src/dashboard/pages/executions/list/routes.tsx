import type { Dashboard, Page } from "../../../context.ts";
import { refusalOf } from "../../../forms/faults.ts";
import { namesFor } from "../../workflows/names.ts";
import { listViewOf } from "./filters.ts";
import { ExecutionsPage, type ListPage, ListUpdate } from "./page.tsx";

/** The list of runs, and what keeps it up to date. */
export function serveList(app: Dashboard): void {
  app.get("/executions", async (http) => {
    const page = await pageOf(http);
    const status = page.view.faults.size > 0 ? 400 : (page.refusal?.status ?? 200);
    return http.html(<ExecutionsPage page={page} />, status);
  });

  app.get("/executions/rows", async (http) => {
    return http.html(<ListUpdate page={await pageOf(http)} />);
  });
}

async function pageOf(http: Page): Promise<ListPage> {
  const view = listViewOf(new URL(http.req.url).searchParams);
  const nothing = { view, executions: [], workflowNames: new Map(), nextCursor: null };
  if (view.faults.size > 0) return { ...nothing, refusal: null };
  try {
    const api = http.get("api");
    const page = await api.executions.list(view.query);
    const workflowNames = await namesFor(api, page.executions);
    return { view, ...page, workflowNames, refusal: null };
  } catch (error) {
    const refusal = refusalOf(error);
    // Only what the address says can be put right in the form.
    if (refusal.status !== 400) throw error;
    return { ...nothing, refusal };
  }
}
