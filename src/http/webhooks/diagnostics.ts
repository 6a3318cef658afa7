import type * as z from "zod";
import { PROBLEMS } from "../../contract/problem.ts";
import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import type { LogPosition } from "../../contract/webhooks/inbox.ts";
import { type CheckReport, testBody, testResult } from "../../contract/webhooks/log.ts";
import { STAGES } from "../../contract/webhooks/payload.ts";
import { learnedShape, whatIfBody, whatIfResult } from "../../contract/webhooks/trials.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { admitAll } from "../../intake/admit.ts";
import { credentialsFor } from "../../intake/credentials.ts";
import { readBody } from "../../intake/payload/body.ts";
import { openEndpoint } from "../../intake/secrets.ts";
import { emptyProfile, schemaOf, shapeProfile } from "../../intake/shape/profile.ts";
import { suggestMapping } from "../../intake/shape/suggest.ts";
import type { Admission, Endpoint, InboundRequest } from "../../intake/types.ts";
import { whatIf as tryDraft } from "../../intake/what-if.ts";
import { addToQuery } from "../../lib/http.ts";
import { senderPort } from "../../outbound/sender-port.ts";
import type { Http } from "../context.ts";
import { overLimit, receive } from "../hooks.ts";
import { callWithRetry, secretsOr503 } from "../problem.ts";
import { exactMember, jsonBody, jsonResponse, route } from "../route.ts";
import { draftOf } from "./draft.ts";
import { existingEndpoint, otherEndpoints, reader, WEBHOOKS, writer } from "./resource.ts";

type Sample = z.infer<typeof testBody>;

const test = route("POST", `${WEBHOOKS}/:endpointId/test`, {
  operationId: "testEndpoint",
  summary: "Test an endpoint",
  description:
    "Runs a sample request through all checks and the mapping, without storing or starting anything, unless you `send` it. With `sign` the sample gets the headers, the token and the signature that the endpoint's sender would add. Without `sourceIp` it comes from your own address.",
  auth: writer,
  body: jsonBody(testBody, {
    headers: { "X-Shop": "north" },
    payload: { id: "evt_2", type: "order.paid", order: { id: 1007, total: 12.5 } },
    sign: true,
  }),
  response: jsonResponse(200, "The outcome.", testResult),
  problems: ["rate_limited"],
  async handler({ http, caller: { accountId }, params: { endpointId }, body, bytes }) {
    const config = await existingEndpoint(http, accountId, endpointId);
    const settings = settingsOf(http.env);
    const endpoint = await secretsOr503(openEndpoint(config, settings));
    const now = Date.now();
    const request = await requestOf(http, endpoint, { ...body, ...contentOf(body, bytes) }, now);
    const options = {
      all: true,
      mapAnyway: true,
      minTlsVersion: settings.MIN_TLS_VERSION,
      // A dry run confirms no subscription.
      sender: { ...senderPort(settings), confirm: async () => true },
      others: () => otherEndpoints(http.env, config),
      skip: body.send ? SKIPPED : [],
    };
    const admitted = await admitAll(endpoint, request, now, options);
    const isAccepted = admitted.some(({ admission: { verdict } }) => verdict.kind === "accept");
    const refused = admitted.find(({ admission: { verdict } }) => verdict.kind === "refuse");
    const { admission } = refused ?? admitted[0];
    const shown = resultOf(admission, config, await claimOf(http, endpointId, admission));
    const items = admitted[0].isItem ? admitted.length : null;
    // A batch is accepted with the items that are refused.
    const result = {
      ...shown,
      items,
      ...(items !== null && isAccepted && acceptedAs(config, 202)),
    };
    if (!body.send) return { value: result };
    const sent = await receive(http, endpoint, request, { address: endpointId, skip: SKIPPED });
    const { receipt } = sent.first;
    if (receipt.kind === "rate_limited") throw overLimit(receipt);
    const isStarted = receipt.kind === "accepted" || receipt.kind === "duplicate";
    const executionId = isStarted ? receipt.executionId : null;
    return { value: { ...result, requestId: http.get("requestId"), executionId } };
  },
});

/** A request that an owner sends comes from the owner's address. */
const SKIPPED = ["ip"] as const;

const whatIf = route("POST", `${WEBHOOKS}/:endpointId/what-if`, {
  operationId: "tryWebhookDraft",
  summary: "Try other rules on past requests",
  description:
    "Evaluates the newest requests under the endpoint's current validation, mapping, workflow and routes and under a draft of them, without storing or starting anything. Fields that the draft leaves out stay unchanged; `routing: null` tries the endpoint without routes.",
  auth: reader,
  body: jsonBody(whatIfBody, { validation: { required: ["order.coupon"] }, last: 50 }),
  response: jsonResponse(200, "The outcome of each request, before and after.", whatIfResult),
  async handler({ http, caller: { accountId }, params: { endpointId }, body }) {
    const config = await existingEndpoint(http, accountId, endpointId);
    const { last, ...change } = body;
    const draft = await draftOf(http, config, change, Date.now());
    const recent = (limit: number, after: LogPosition | null) =>
      callWithRetry(() => inboxStub(http.env, endpointId).recent(limit, after));
    const now = () => Date.now();
    return { value: await tryDraft(config, draft.config, last, { inbox: { recent }, now }) };
  },
});

const shape = route("GET", `${WEBHOOKS}/:endpointId/shape`, {
  operationId: "getWebhookShape",
  summary: "Get the learned shape of payloads",
  description:
    "Returns a JSON Schema of the payloads that the endpoint accepted, and a mapping for them. Either can be saved as it is, as `validation.schema` or `mapping`. The schema never has a format or an enum. Once ten payloads were learned, a request that the schema would reject counts as drift.",
  auth: reader,
  response: jsonResponse(200, "The learned shape.", learnedShape),
  async handler({ http, caller: { accountId }, params: { endpointId } }) {
    const { workflow, mapping: saved } = await existingEndpoint(http, accountId, endpointId);
    const learned = await callWithRetry(() => inboxStub(http.env, endpointId).shape());
    const { learnedFrom, drifted } = learned;
    const profile = learned.profile === null ? emptyProfile() : shapeProfile.parse(learned.profile);
    const { mapping, notes } = suggestMapping(profile, workflow?.inputs ?? [], saved);
    return { value: { learnedFrom, schema: schemaOf(profile), mapping, notes, drifted } };
  },
});

export const diagnosticRoutes = [test, whatIf, shape];

/** Returns the sample as a received request. */
async function requestOf(
  http: Http,
  endpoint: Endpoint,
  { method, body, isJson, ...sample }: Omit<Sample, "body"> & ReturnType<typeof contentOf>,
  now: number,
): Promise<InboundRequest> {
  const { endpointId, path, validation } = endpoint.config;
  const asked = new URL(`/hooks/${path ?? endpointId}`, http.req.url);
  addToQuery(asked, sample.query);
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

/** Returns the body of a sample; `bytes` is the JSON that describes the sample. */
function contentOf({ body, payload }: Sample, bytes: Uint8Array) {
  if (payload === undefined && (body === undefined || typeof body === "string")) {
    return { isJson: false, body: new TextEncoder().encode(body) };
  }
  return { isJson: true, body: exactMember(bytes, payload === undefined ? "body" : "payload") };
}

/** Returns the request that claimed the sample's event before, or null. */
async function claimOf({ env }: Http, endpointId: string, { verdict }: Admission) {
  if (verdict.kind === "handshake" || verdict.eventKey === null) return null;
  const { eventKey } = verdict;
  return await callWithRetry(() => inboxStub(env, endpointId).claimOf(eventKey));
}

type Claim = Awaited<ReturnType<typeof claimOf>>;

function resultOf({ checks, verdict }: Admission, config: EndpointConfig, first: Claim) {
  const all = [...checks, RATE, duplicateReport(config, first)];
  const result = {
    checks: all.sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage)),
    duplicate: first !== null,
    eventId: null,
    eventIdSource: null,
    eventType: null,
    mappedInputs: null,
    warnings: [],
    diagnosis: [],
    advice: null,
    requestId: null,
    executionId: null,
  };
  if (verdict.kind === "handshake") {
    return { ...result, accepted: true, httpStatus: verdict.answer.status };
  }
  const { eventId, eventIdSource, eventType, mappedInputs, warnings } = verdict;
  const found = { ...result, eventId, eventIdSource, eventType, mappedInputs, warnings };
  if (verdict.kind === "refuse") {
    const { refusal, diagnosis, advice } = verdict;
    const httpStatus = PROBLEMS[refusal.code].status;
    return { ...found, accepted: false, httpStatus, diagnosis, advice };
  }
  const isRepeat = first !== null && config.onDuplicate === "skip";
  return { ...found, ...acceptedAs(config, isRepeat ? 200 : 202), accepted: !isRepeat };
}

function acceptedAs({ response }: EndpointConfig, usual: number) {
  return { accepted: true, httpStatus: response?.status ?? usual };
}

const RATE: CheckReport = {
  stage: "rate",
  verdict: "skipped",
  errors: [],
  note: "The rate limit applies to received requests only.",
};

function duplicateReport({ onDuplicate }: EndpointConfig, first: Claim): CheckReport {
  const stage = "duplicate";
  if (first === null) return { stage, verdict: "passed", errors: [] };
  const message = `The event was received before, as the request ${first.requestId}.`;
  if (onDuplicate === "run") return { stage, verdict: "passed", errors: [], note: message };
  return { stage, verdict: "refused", errors: [{ stage, rule: "event_id", message }] };
}
