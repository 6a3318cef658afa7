import { secureHeaders } from "hono/secure-headers";

/** Everything a page loads is our own, and nothing in it runs that is not a file of ours. */
export const PAGE_HEADERS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // What is no page has a stricter policy of its own.
  overwrite: false,
  referrerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
});
