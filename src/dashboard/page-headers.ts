import { secureHeaders } from "hono/secure-headers";

/** Pages load only assets of this service, and run only its script files. */
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
  // Responses that are not pages set a stricter policy.
  overwrite: false,
  referrerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
});
