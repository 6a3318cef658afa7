import type { LoggedRequest, ReceivedRequest } from "../../src/contract/webhooks/inbox.ts";
import type { NewEntry } from "../../src/endpoints/tables.ts";

/** For logs whose bodies and inputs are short. */
export const NO_CHUNKS = {
  put() {
    throw new Error("Nothing here is long.");
  },
};

/** The entry of an accepted request that starts its endpoint's own workflow. */
export const ACCEPTED = {
  status: "queued",
  httpStatus: 202,
  receipt: { kind: "noted" },
  ...{ errors: [], warnings: [], diagnosis: [], advice: null, routes: [] },
  ...{ eventId: null, eventIdSource: null, eventType: null, eventKey: null },
  ...{ claims: false, duplicate: false, firstSeq: null },
  executionId: "execution 0",
  startVersion: 1,
  mappedInputs: null,
} satisfies NewEntry;

/** A POST of JSON as the log has it. */
export function requestWith(
  changes: Partial<ReceivedRequest> = {},
  payload: unknown = {},
): ReceivedRequest {
  return {
    requestId: crypto.randomUUID(),
    method: "POST",
    path: "/hooks/orders",
    query: {},
    headers: { "content-type": "application/json", "content-length": "9", "x-shop": "a" },
    contentType: "application/json",
    body: new TextEncoder().encode(JSON.stringify(payload)),
    bodyTruncated: false,
    sourceIp: "203.0.113.7",
    receivedAt: 1_795_000_000_000,
    replayOf: null,
    edited: false,
    ...changes,
  };
}

/** A request in a log, as it came in: a POST of this JSON. */
export function loggedRequest(
  payload: unknown,
  changes: Partial<ReceivedRequest> = {},
): LoggedRequest {
  const request = requestWith(changes, payload);
  const { body: _, contentType: __, ...shown } = request;
  return {
    request,
    entry: {
      ...shown,
      endpointId: "ep_0000000000000000000000000000000000000000",
      receivedAt: new Date(request.receivedAt).toISOString(),
      body: null,
      status: "succeeded",
      httpStatus: 202,
      errors: [],
      warnings: [],
      diagnosis: [],
      advice: null,
      eventId: "evt_1",
      eventIdSource: { rule: "header", in: "header", path: "X-Event-Id" },
      eventType: null,
      duplicate: false,
      duplicateOf: null,
      executionId: null,
      batch: null,
      drifted: false,
      latencyMs: { toStart: null, toCompletion: null },
      mappedInputs: null,
      revision: 1,
      workflowRevision: 1,
      routes: [],
    },
  };
}
