import type { Hono } from "hono";
import { PAGE_HEADERS } from "../dashboard/page-headers.ts";
import type { AppEnv } from "../http/context.ts";
import { apiDocument } from "../http/routes.ts";
import { memoize } from "../lib/lru-map.ts";
import { DocsPage } from "./page.tsx";
import { referenceOf } from "./reference.ts";

/** Names under which one isolate is asked for the page. */
const MOST_ORIGINS = 4;

const pageFor = memoize(MOST_ORIGINS, async (origin) => {
  const reference = referenceOf(apiDocument());
  return `<!DOCTYPE html>${await (<DocsPage reference={reference} origin={origin} />)}`;
});

/** Serves the API reference at `/docs`: one page, made from the document that `/openapi.json` is. */
export function mountDocs(app: Hono<AppEnv>): void {
  app.get("/docs", PAGE_HEADERS, async (http) => {
    http.header("Cache-Control", "public, max-age=300");
    return http.html(await pageFor(new URL(http.req.url).origin));
  });
}
