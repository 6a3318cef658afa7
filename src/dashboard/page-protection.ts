import type { MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import type { DashboardEnv } from "./context.ts";

/** Pages load only assets of this service, run only its script files, and send forms to `formAction`. */
export function pageHeaders(formAction: "'self'" | "'none'"): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      // Style sheets have their symbols in themselves.
      imgSrc: ["'self'", "data:"],
      connectSrc: ["'self'"],
      formAction: [formAction],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    // Responses that are not pages set a stricter policy.
    overwrite: false,
    referrerPolicy: "same-origin",
    crossOriginResourcePolicy: "same-origin",
  });
}

/** Keeps a page whose address is a secret out of caches, of search engines and of other sites. */
export const SECRET_ADDRESS: MiddlewareHandler<DashboardEnv> = async (http, next) => {
  await next();
  http.header("Cache-Control", "no-store");
  http.header("Referrer-Policy", "no-referrer");
  http.header("X-Robots-Tag", "noindex");
};

/**
 * Refuses changes that no page of the dashboard asked for, whatever their media type. Browsers say where a
 * request comes from, which scripts cannot change: by Sec-Fetch-Site, and older ones by Origin.
 */
export const ownForms: MiddlewareHandler<DashboardEnv> = async (http, next) => {
  const site = http.req.header("Sec-Fetch-Site");
  const isOwn =
    site === undefined
      ? http.req.header("Origin") === new URL(http.req.url).origin
      : site === "same-origin";
  if (!isOwn && !["GET", "HEAD"].includes(http.req.method)) throw new HTTPException(403);
  await next();
};
