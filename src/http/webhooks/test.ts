import type * as z from "zod";
import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import { type CheckReport, testBody, testResult } from "../../contract/inbound/log.ts";
import { STAGES } from "../../contract/inbound/payload.ts";
import { PROBLEMS } from "../../contract/problem.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { admit } from "../../inbound/admit.ts";
import { openEndpoint } from "../../inbound/open-endpoint.ts";
import { readBody } from "../../inbound/payload/body.ts";
import { credentialsFor } from "../../inbound/sample.ts";
import type { Admission, Endpoint, InboundRequest } from "../../inbound/types.ts";
import { jsonAnswer } from "../answer.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry, secretsOr503 } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { endpointParams, existing, TAG, WEBHOOKS, writer } from "./resource.ts";

type Sample = z.infer<typeof testBody>;
type Result = z.infer<typeof testResult>;

/** Runs a sample request through all checks. */
export const test = route({
  method: "POST",
  path: `${WEBHOOKS}/:endpointId/test`,
  operationId: "testEndpoint",
  tag: TAG,
  summary: "Try a sample request: the verdict of every check and the mapped inputs",
  description:
    "Nothing is stored or started. `sign` adds what the endpoint's sender would add: its headers, its token, its signature. Without `sourceIp` the sample comes from the caller's own address.",
  guard: writer,
  params: endpointParams,
  query: noQuery,
  body: jsonBody(testBody, {
    headers: { "X-Shop": "north" },
    payload: { id: "evt_2", order: { id: 1007, total: 12.5 } },
    sign: true,
  }),
  answer: jsonAnswer(200, "What would become of it.", testResult, {
    accepted: true,
    httpStatus: 202,
    checks: [{ stage: "endpoint", verdict: "passed", errors: [] }],
    eventId: "evt_2",
    duplicate: false,
    mappedInputs: { orderId: "1007", domain: "example.com" },
    warnings: [],
    diagnosis: [],
  }),
  errors: ["not_found", "unavailable"],
  async handler({ http, caller: { accountId }, params: { endpointId }, body }) {
    const config = await existing(http, accountId, endpointId);
    const settings = settingsOf(http.env);
    const endpoint = await secretsOr503(openEndpoint(config, settings));
    const now = Date.now();
    const request = await requestOf(http, endpoint, body, now);
    const options = { all: true, mapAnyway: true, minTlsVersion: settings.MIN_TLS_VERSION };
    const admission = await admit(endpoint, request, now, options);
    return { value: resultOf(admission, config, await firstOf(http, endpointId, admission)) };
  },
});

/** The sample as a request that has come in. */
async function requestOf(
  http: Http,
  endpoint: Endpoint,
  sample: Sample,
  now: number,
): Promise<InboundRequest> {
  const { endpointId, path, validation } = endpoint.config;
  const asked = new URL(`/hooks/${path ?? endpointId}`, http.req.url);
  for (const [name, value] of Object.entries(sample.query)) asked.searchParams.set(name, value);
  const { method } = sample;
  const { body, isJson } = contentOf(sample);
  const headers = new Headers(sample.headers);
  if (isJson && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  const contentType = headers.get("Content-Type");
  const message = { url: asked, body, contentType, now, id: crypto.randomUUID(), method };
  const sent = sample.sign ? await credentialsFor(endpoint, message) : { url: asked, headers: {} };
  for (const [name, value] of Object.entries(sent.headers)) headers.set(name, value);
  const raw = new Request(sent.url, { method, headers, ...(method === "POST" && { body }) });
  return {
    method,
    url: sent.url,
    headers,
    body: await readBody(raw, validation.maxBytes),
    sourceIp: sample.sourceIp ?? http.req.header("CF-Connecting-IP") ?? null,
    tlsVersion: null,
    receivedAt: now,
  };
}

function contentOf({ body, payload }: Sample): { body: Uint8Array; isJson: boolean } {
  const value = payload === undefined ? body : payload;
  const isJson = payload !== undefined || (body !== undefined && typeof body !== "string");
  const text = isJson ? JSON.stringify(value) : String(value ?? "");
  return { body: new TextEncoder().encode(text), isJson };
}

interface First {
  requestId: string;
}

/** The request that has claimed the sample's event before, if any. */
async function firstOf(
  { env }: Http,
  endpointId: string,
  { verdict }: Admission,
): Promise<First | null> {
  if (verdict.kind === "challenge" || verdict.eventId === null) return null;
  const { eventId } = verdict;
  return await callWithRetry(() => inboxStub(env, endpointId).claimOf(eventId), {
    idempotent: true,
  });
}

function resultOf(
  { checks, verdict }: Admission,
  config: EndpointConfig,
  first: First | null,
): Result {
  const all = [...checks, RATE, duplicateReport(config, first)];
  const result = {
    checks: all.sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage)),
    duplicate: first !== null,
    eventId: null,
    mappedInputs: null,
    warnings: [],
    diagnosis: [],
  };
  if (verdict.kind === "challenge") {
    return { ...result, accepted: true, httpStatus: verdict.answer.status };
  }
  const { eventId, mappedInputs, warnings } = verdict;
  const found = { ...result, eventId, mappedInputs, warnings };
  if (verdict.kind === "refuse") {
    const httpStatus = PROBLEMS[verdict.refusal.code].status;
    return { ...found, accepted: false, httpStatus, diagnosis: verdict.diagnosis };
  }
  const isRepeat = first !== null && config.onDuplicate === "skip";
  return { ...found, accepted: !isRepeat, httpStatus: isRepeat ? 200 : 202 };
}

const RATE: CheckReport = {
  stage: "rate",
  verdict: "skipped",
  errors: [],
  note: "Requests are counted as they come in.",
};

function duplicateReport({ onDuplicate }: EndpointConfig, first: First | null): CheckReport {
  const stage = "duplicate";
  if (first === null) return { stage, verdict: "passed", errors: [] };
  const message = `The event came before, as the request ${first.requestId}.`;
  if (onDuplicate === "run") return { stage, verdict: "passed", errors: [], note: message };
  return { stage, verdict: "refused", errors: [{ stage, rule: "event_id", message }] };
}
