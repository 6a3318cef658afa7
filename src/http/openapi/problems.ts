import * as z from "zod";
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { PROBLEMS, type ProblemCode, problem } from "../../contract/problem.ts";
import { RESPONSE_HEADERS, type ResponseHeader } from "../headers.ts";

/** Answers with an error, each of them described once in a document. */
export type ProblemAnswers = Map<string, ZodOpenApiResponseObject>;

/** Codes after which a client is told how long to wait. */
const WAITED_FOR: ProblemCode[] = ["rate_limited", "unavailable", "result_not_ready"];

/** The errors of an operation, by status; those that any request may get are added. */
export function problemResponses(
  known: ProblemAnswers,
  codes: ProblemCode[],
  always: ResponseHeader[],
): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  const all = new Set<ProblemCode>([...codes, "https_required", "internal_error"]);
  for (const [status, group] of Map.groupBy(all, (code) => PROBLEMS[code].status)) {
    const answer = responseOf(group, always);
    const first = known.get(answer.id) ?? answer;
    known.set(answer.id, first);
    responses[`${status}`] = first;
  }
  return responses;
}

/** These headers as the document describes them. */
export function headersOf(names: ResponseHeader[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]])));
}

function responseOf(codes: ProblemCode[], always: ResponseHeader[]) {
  const sorted = codes.toSorted();
  const waits = sorted.some((code) => WAITED_FOR.includes(code));
  const counted = always.includes("RateLimit") ? "" : "_uncounted";
  return {
    id: pascal(sorted.join("_or_") + counted),
    description: sorted.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
    headers: headersOf(waits ? [...always, "Retry-After"] : always),
    content: { "application/problem+json": { schema: problem, examples: examplesOf(sorted) } },
  } satisfies ZodOpenApiResponseObject;
}

/** `not_found` as `NotFound`. */
const pascal = (text: string): string =>
  text.replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase());

function examplesOf(codes: ProblemCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = PROBLEMS[code];
      const type = `/docs#problem-${code}`;
      const requestId = "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42";
      return [code, { value: { type, title, status, detail: `${title}.`, code, requestId } }];
    }),
  );
}
