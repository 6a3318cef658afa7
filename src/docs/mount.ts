import type { Hono } from "hono";
import { pageHeaders } from "../dashboard/page-protection.ts";
import type { AppEnv, Http } from "../http/context.ts";
import { hookRoutes } from "../http/hooks.ts";
import { TAGS } from "../http/openapi/tags.ts";
import type { Route } from "../http/route.ts";
import { routes } from "../http/routes.ts";

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

/** Serves the API reference at `/docs`, the guides and the dashboard's Markdown script below it, and `/llms.txt`. */
export function mountDocs(app: Hono<AppEnv>): void {
  app.use("/docs/*", pageHeaders("'none'"));
  app.get("/docs", (http) => serve(http, "index.html", PAGE));
  app.get("/docs/assets/:file{[\\w.-]+}", (http) =>
    serve(http, `assets/${http.req.param("file")}`, FOREVER),
  );
  app.get("/docs/:name{[\\w-]+}", (http) => serve(http, `${http.req.param("name")}.html`, PAGE));
  app.get("/docs/:file{[\\w-]+\\.(?:md|js)}", (http) => serve(http, http.req.param("file"), PAGE));
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

/**
 * Returns the API as plain Markdown for language models, at `/llms.txt` (https://llmstxt.org): what the
 * service is, and a line for each operation.
 */
function llmsText(routes: readonly Route[], origin: string): string {
  const sections = TAGS.map(({ name, description }) => {
    const lines = routes
      .filter(({ tag }) => tag === name)
      .map(({ operationId, method, path, summary }) => {
        const address = path.replace(/:(\w+)/g, "{$1}");
        return `- [${summary}](${origin}/docs#${operationId}): \`${method} ${address}\``;
      });
    return `## ${name}\n\n${description}\n\n${lines.join("\n")}`;
  });
  return `# Prompthook

> Starts autonomous agents from a prompt or a webhook. An agent plans, opens web pages, calls APIs, runs code, writes spreadsheets and sends email. Its typed result is read by polling, as an event stream, or by a signed callback.

Requests carry \`Authorization: Bearer <API key>\` and, with a body, \`Content-Type: application/json\`. Errors are RFC 9457 problem details with a \`code\`. The whole contract is [the OpenAPI document](${origin}/openapi.json); the guides are Markdown, such as [the first steps](${origin}/docs/quickstart.md) and [webhooks](${origin}/docs/webhooks.md). Agents can use the service as tools over the Model Context Protocol at \`${origin}/mcp\`.

To run an agent: \`POST ${origin}/api/v1/agent/trigger\` with \`{"prompt": "…"}\`, then \`GET ${origin}/api/v1/agent/trigger/{executionId}/status?sinceVersion=0&waitSeconds=30\` until \`status\` is \`completed\`, \`failed\` or \`stopped\`, then \`GET …/result\`.

${sections.join("\n\n")}
`;
}
