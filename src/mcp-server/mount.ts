import type { Hono, MiddlewareHandler } from "hono";
import { Prompthook } from "../client/prompthook.ts";
import { json } from "../contract/json.ts";
import { settingsOf } from "../env.ts";
import { apiKey, bearerToken } from "../http/authentication.ts";
import { jsonBody } from "../http/body.ts";
import type { AppEnv, Http } from "../http/context.ts";
import { callApi } from "../http/in-process.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { isOwnOrigin } from "./origin.ts";

const PATH = "/mcp";

/**
 * Whoever uses a tool reads what came of it. A message counts as management; what a tool then asks of
 * the API counts there, by the API's own limits and scopes.
 */
const auth = apiKey("executions:read", "management");

const body = jsonBody(json, { jsonrpc: "2.0", id: 1, method: "tools/list" });

/**
 * Serves the Model Context Protocol at `/mcp`, so that other agents have this service as a tool. There
 * are no sessions: each message is served by itself, so there is no stream to open by GET either.
 */
export function mountMcp(app: Hono<AppEnv>): void {
  app.use(PATH, ownOrigins);
  app.post(PATH, (http) => answer(app, http));
  app.all(PATH, () => {
    throw methodNotAllowed(["POST"]);
  });
}

/** A page of another origin must not use it from within a browser, as the protocol demands. */
const ownOrigins: MiddlewareHandler<AppEnv> = async (http, next) => {
  const origin = http.req.header("Origin");
  const { SERVICE_HOSTS } = settingsOf(http.env);
  if (origin !== undefined && !isOwnOrigin(origin, http.req.url, SERVICE_HOSTS)) {
    return Response.json(
      { jsonrpc: "2.0", error: { code: -32_000, message: "The Origin is not allowed." }, id: null },
      { status: 403 },
    );
  }
  await next();
};

async function answer(app: Hono<AppEnv>, http: Http): Promise<Response> {
  await auth.authenticate(http);
  const { value } = await body.read(http.req.raw);
  const api = new Prompthook({
    baseUrl: new URL(http.req.url).origin,
    apiKey: bearerToken(http) ?? "",
    fetch: callApi(app, http),
    // The agent that calls is told at once what is wrong, and decides by itself.
    maxRetries: 0,
  });
  // Loaded when it is first needed: the library takes time that no other request is to wait for.
  const { serve } = await import("./serve.ts");
  return await serve({
    request: http.req.raw,
    message: value,
    requestId: http.get("requestId"),
    api,
  });
}
