import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { executionId as executionIdSchema } from "../../contract/execution.ts";
import { endpointId as endpointIdSchema } from "../../contract/inbound/endpoint.ts";
import { logInfo, type RequestLine, shortEndpointId } from "../../lib/log.ts";
import type { AppEnv, Http } from "../context.ts";
import { requestBehind } from "../in-process.ts";
import { HttpProblem } from "../problem.ts";

/**
 * Writes one line about each request, once its answer has begun. The clock of a Worker stands still
 * while it computes, so the duration is the time that it waited: for objects, the database, the body.
 */
export const requestLog: MiddlewareHandler<AppEnv> = async (http, next) => {
  const begun = Date.now();
  http.set("subject", {});
  await next();
  const of = requestBehind(http.req.raw);
  logInfo(of === undefined ? "request" : "call", {
    requestId: http.get("requestId"),
    of,
    method: http.req.method,
    route: routePath(http),
    status: http.res.status,
    durationMs: Date.now() - begun,
    ...idsIn(http),
    ...http.get("subject"),
    code: codeOf(http.error),
  });
};

/** What the address names. Anything may stand there, so only what has the form of an id is told. */
function idsIn(http: Http): Pick<RequestLine, "executionId" | "endpointId"> {
  const { executionId, endpointId } = http.req.param();
  return {
    ...(executionId !== undefined && isExecutionId(executionId) && { executionId }),
    ...(endpointId !== undefined &&
      isEndpointId(endpointId) && { endpointId: shortEndpointId(endpointId) }),
  };
}

const isExecutionId = (text: string) => executionIdSchema.safeParse(text).success;
const isEndpointId = (text: string) => endpointIdSchema.safeParse(text).success;

function codeOf(error: Error | undefined): string | undefined {
  if (error === undefined) return undefined;
  return error instanceof HttpProblem ? error.code : "internal_error";
}
