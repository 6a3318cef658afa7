import type { Hono, MiddlewareHandler } from "hono";
import { Prompthook } from "../client/prompthook.ts";
import { json } from "../contract/json.ts";
import { settingsOf } from "../env.ts";
import { apiKey, bearerToken } from "../http/authentication.ts";
import { type AppEnv, callApi, type Http } from "../http/context.ts";
import { foundOr404, methodNotAllowed } from "../http/problem.ts";
import { jsonBody } from "../http/route.ts";
import {
  RESOURCE_METADATA,
  resourceMetadata,
  sessionOfAccessToken,
  withMetadata,
} from "../http/sign-in.ts";

const PATH = "/mcp";
/** The address of a token, for clients that cannot send a header. */
const TOKEN_PATH = "/mcp/k/:token";

/** A message counts against the management limit; the API calls of a tool count by their own limits and scopes. */
const auth = apiKey(null, "management");

const body = jsonBody(json, { jsonrpc: "2.0", id: 1, method: "tools/list" });

/**
 * Serves the Model Context Protocol at `/mcp`, which lets other agents use this service as a tool. There
 * are no sessions: each message is served on its own, so there is no stream to open with GET.
 */
export function mountMcp(app: Hono<AppEnv>): void {
  app.use(PATH, checkOrigin);
  app.get(RESOURCE_METADATA, (http) => http.json(foundOr404(resourceMetadata(http))));
  app.post(PATH, async (http) => {
    const session = await sessionOfAccessToken(http);
    return session === null ? serveMessage(app, http) : forward(app, http, session);
  });
  app.post(TOKEN_PATH, (http) => forward(app, http, http.req.param("token")));
  for (const path of [PATH, TOKEN_PATH]) {
    app.all(path, () => {
      throw methodNotAllowed(["POST"]);
    });
  }
}

/** Rejects pages of other origins, as the protocol requires. */
const checkOrigin: MiddlewareHandler<AppEnv> = async (http, next) => {
  const origin = http.req.header("Origin");
  const { SERVICE_HOSTS } = settingsOf(http.env);
  if (origin !== undefined && !isOwnOrigin(origin, http.req.url, SERVICE_HOSTS)) {
    const error = { code: -32_000, message: "Requests from this Origin are not allowed." };
    return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 403 });
  }
  await next();
};

/**
 * Returns whether an Origin is the service's own. The host of the request can be trusted: over HTTPS
 * nobody else has a certificate for it, and plain HTTP is served to loopback hosts alone, which no DNS
 * rebinding reaches.
 */
export function isOwnOrigin(origin: string, url: string, serviceHosts: readonly string[]): boolean {
  if (origin === new URL(url).origin) return true;
  const parsed = URL.canParse(origin) ? new URL(origin) : null;
  return parsed?.protocol === "https:" && serviceHosts.includes(parsed.host);
}

/** Passes a message on to the server with a token as the key. */
function forward(app: Hono<AppEnv>, http: Http, token: string): Promise<Response> {
  const request = new Request(new URL(PATH, http.req.url), http.req.raw);
  request.headers.set("Authorization", `Bearer ${token}`);
  return callApi(app, http)(request);
}

async function serveMessage(app: Hono<AppEnv>, http: Http): Promise<Response> {
  const caller = await auth.authenticate(http).catch((error: unknown) => {
    throw withMetadata(http, error);
  });
  const { value: message } = await body.read(http.req.raw, async () => {});
  const { origin } = new URL(http.req.url);
  const api = new Prompthook({
    baseUrl: origin,
    apiKey: bearerToken(http) ?? "",
    fetch: callApi(app, http),
    // The calling agent decides on retries itself.
    maxRetries: 0,
  });
  // Loaded on first use: no other request should wait for the library.
  const { serve } = await import("./serve.ts");
  const events = { env: http.env, settings: settingsOf(http.env), caller, origin };
  const requestId = http.get("requestId");
  return await serve({ request: http.req.raw, message, requestId, api, events });
}
