import type { Prompthook } from "../../../client/prompthook.ts";
import { show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { pageNotFound } from "../../error-page.tsx";
import { fingerprint, listLivePath, livePath, streamFollowed } from "../../live.ts";
import { casePath, endpointPath } from "../../paths.ts";
import { CasesPage } from "./case-list.tsx";
import { CasePage } from "./case-page.tsx";

/** The cases of an endpoint and what waits for its events. */
export function serveCases(app: Dashboard): void {
  app.get("/webhooks/:endpointId/cases", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    const search = (http.req.query("key") ?? "").trim();
    const cursor = http.req.query("cursor");
    const query = { ...(search !== "" && { key: search }), ...(cursor && { cursor }) };
    const [endpoint, page, { waiters }] = await Promise.all([
      webhooks.get(endpointId),
      webhooks.cases(endpointId, query),
      webhooks.waiters(endpointId),
    ]);
    const shown = { cases: page.cases, waiters };
    const path = endpointPath(endpointId, "/cases");
    const live = search === "" ? await listLivePath(path, cursor, shown) : null;
    return show(
      http,
      <CasesPage endpoint={endpoint} {...page} waiters={waiters} search={search} live={live} />,
    );
  });

  app.get("/webhooks/:endpointId/cases/live", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    await webhooks.get(endpointId);
    return streamFollowed(
      http,
      async () => {
        const [{ cases }, { waiters }] = await Promise.all([
          webhooks.cases(endpointId),
          webhooks.waiters(endpointId),
        ]);
        return { cases, waiters };
      },
      endpointId,
    );
  });

  app.get("/webhooks/:endpointId/case", async (http) => {
    const endpointId = http.req.param("endpointId");
    const cursor = http.req.query("cursor");
    const [endpoint, { record, nextCursor }] = await Promise.all([
      http.get("api").webhooks.get(endpointId),
      caseOf(http, cursor),
    ]);
    if (record === null) return pageNotFound(http);
    // Earlier events do not change.
    const live = cursor ? null : livePath(casePath(record, "/live"), await fingerprint(record));
    return show(
      http,
      <CasePage endpoint={endpoint} record={record} nextCursor={nextCursor} live={live} />,
    );
  });

  app.get("/webhooks/:endpointId/case/live", async (http) => {
    const endpointId = http.req.param("endpointId");
    await http.get("api").webhooks.get(endpointId);
    return streamFollowed(http, async () => (await caseOf(http)).record, endpointId);
  });
}

/** Returns the case of a route and a key that the address names, or null, with a stretch of its events. */
async function caseOf(http: Page, cursor?: string) {
  const api: Prompthook = http.get("api");
  const { key = "", route = "" } = http.req.query();
  if (key === "" || route === "") return { record: null, nextCursor: null };
  const endpointId = http.req.param("endpointId") ?? "";
  const query = { key, route, ...(cursor && { cursor }) };
  const { cases, nextCursor } = await api.webhooks.cases(endpointId, query);
  return { record: cases[0] ?? null, nextCursor };
}
