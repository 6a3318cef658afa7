import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import { type HookAnswer, hookAnswer, type LogEntry } from "../../../src/contract/webhooks/log.ts";
import { expectProblem, ORIGIN } from "./client.ts";
import type { TestEndpoint } from "./webhooks.ts";

/** The body of an answer that took a webhook in. */
export async function takenIn(response: Response, status = 202): Promise<HookAnswer> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  const body = hookAnswer.parse(JSON.parse(text));
  expect(body.requestId).toBe(response.headers.get("X-Request-Id"));
  return body;
}

/** The log's entry of one answer, whole. */
export function entryOf(endpoint: TestEndpoint, answer: Response): Promise<LogEntry> {
  return endpoint.entry(answer.headers.get("X-Request-Id") ?? "");
}

/** Checks that the answer is this problem, and that the log has the request with it; answers both. */
export async function expectRefused(
  endpoint: TestEndpoint,
  answer: Response,
  status: number,
  code: string,
) {
  const body = await expectProblem(answer, status, code);
  const entry = await entryOf(endpoint, answer);
  expect(entry).toMatchObject({ status: "rejected", httpStatus: status, executionId: null });
  return { body, entry };
}

/** A webhook over this TLS version, as Cloudflare tells it. */
export function hookOverTls({ endpointId }: TestEndpoint, tlsVersion: string): Promise<Response> {
  const request = new Request(new URL(`/hooks/${endpointId}`, ORIGIN), {
    method: "POST",
    body: "{}",
    headers: { "Content-Type": "application/json" },
    cf: { tlsVersion },
  });
  return exports.default.fetch(request);
}
