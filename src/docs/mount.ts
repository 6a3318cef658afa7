import type { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv, Http } from "../http/context.ts";
import { hookRoutes } from "../http/hook-routes.ts";
import { routes } from "../http/routes.ts";
import { llmsText } from "./llms.ts";

/** Pages load nothing from elsewhere, run only script files of this service, and take no forms. */
const HEADERS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    // Swagger UI's style sheet has its symbols in itself.
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
});

const PAGE = "public, max-age=300";
/** Names of assets have a hash of their contents. */
const FOREVER = "public, max-age=31536000, immutable";

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  md: "text/markdown; charset=utf-8",
  svg: "image/svg+xml",
};

/** Serves the API reference at `/docs`, the guides below it, and `/llms.txt`. */
export function mountDocs(app: Hono<AppEnv>): void {
  app.use("/docs/*", HEADERS);
  app.get("/docs", (http) => serve(http, "index.html", PAGE));
  app.get("/docs/assets/:file{[\\w.-]+}", (http) =>
    serve(http, `assets/${http.req.param("file")}`, FOREVER),
  );
  app.get("/docs/:name{[\\w-]+}", (http) => serve(http, `${http.req.param("name")}.html`, PAGE));
  app.get("/docs/:file{[\\w-]+\\.md}", (http) => serve(http, http.req.param("file"), PAGE));
  app.get("/llms.txt", (http) => {
    http.header("Cache-Control", PAGE);
    return http.text(llmsText([...hookRoutes, ...routes], new URL(http.req.url).origin));
  });
}

/** Serves a file of the documentation, which the build has put among the Worker's static assets. */
async function serve(http: Http, file: string, cacheControl: string): Promise<Response> {
  const found = await http.env.ASSETS.fetch(new URL(`/docs/${file}`, http.req.url));
  if (!found.ok) return http.notFound();
  const type = TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  return new Response(found.body, {
    headers: { "Content-Type": type, "Cache-Control": cacheControl },
  });
}
