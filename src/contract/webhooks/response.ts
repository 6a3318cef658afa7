import * as z from "zod";
import { closed } from "../fields.ts";
import { headerName } from "./signature.ts";

const MAX_BODY_LENGTH = 4_096;
const MAX_HEADERS = 20;

/** Headers that belong to the connection or the service, or that have a browser act for its origin. */
const RESERVED =
  /^(?:access-control-.*|alt-svc|cache-control|clear-site-data|connection|content-(?:encoding|length|security-policy.*)|date|keep-alive|link|location|nel|rate-?limit.*|refresh|report.*|retry-after|server|service-worker-allowed|set-cookie2?|sourcemap|strict-transport-security|trailer|transfer-encoding|upgrade|www-authenticate|x-content-type-options|x-request-id)$/i;

/** A reference in a body: `{{requestId}}` or `{{header.Name}}`. */
export const REFERENCE = /\{\{([^{}]*)\}\}/g;
const KNOWN = /^(?:requestId|header\.[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100})$/;

const headers = z
  .record(
    headerName.refine((name) => !RESERVED.test(name), "must not be a header that the service sets"),
    z
      .string()
      .max(1_000)
      .regex(/^[\t\x20-\x7e]*$/, "must contain only characters that are valid in a header"),
  )
  .refine((given) => Object.keys(given).length <= MAX_HEADERS, {
    message: `must have at most ${MAX_HEADERS} headers`,
  })
  .describe("Headers of the response. Unless they name a type, a body is `text/plain`.");

/** `response` in a body, and as it is stored and shown. */
export const hookResponse = closed({
  status: z
    .int()
    .min(200, "must be a status from 200 to 299")
    .max(299, "must be a status from 200 to 299")
    .optional()
    .describe("The status. Defaults to 202, and to 200 for a duplicate."),
  headers: headers.optional(),
  body: z
    .string()
    .max(MAX_BODY_LENGTH)
    .superRefine((text, context) => {
      for (const [written, name = ""] of text.matchAll(REFERENCE)) {
        if (KNOWN.test(name.trim())) continue;
        const message = `has the unknown reference ${written.slice(0, 60)}; use {{requestId}} or {{header.Name}}`;
        context.addIssue({ code: "custom", message });
      }
    })
    .optional()
    .describe(
      "The body; an empty text sends none. `{{requestId}}` and `{{header.Name}}`, for a header of the request, are replaced, escaped as the type of the body asks for. If left out, the usual JSON is sent.",
    ),
})
  .refine(({ status, body }) => (status !== 204 && status !== 205) || body === "", {
    path: ["body"],
    message: "must be an empty text with the status 204 or 205",
  })
  .meta({
    id: "HookResponse",
    description:
      "The response to an accepted request, for senders that expect another one. A duplicate gets it as well; a refusal and the answer to a sender's check of the address are unchanged.",
  });
export type HookResponse = z.infer<typeof hookResponse>;
