import type { LogEntry } from "../../contract/inbound/log.ts";
import { EXAMPLE_ENDPOINT_ID } from "./resource.ts";

export const EXAMPLE_REQUEST_ID = "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42";

/** An entry of the log, as the API document shows one. */
export const exampleEntry: LogEntry = {
  requestId: EXAMPLE_REQUEST_ID,
  endpointId: EXAMPLE_ENDPOINT_ID,
  method: "POST",
  path: `/hooks/${EXAMPLE_ENDPOINT_ID}`,
  query: {},
  headers: { "content-type": "application/json", "x-webhook-token": "[redacted]" },
  body: '{"id":"evt_1","order":{"id":1007,"total":12.5}}',
  bodyTruncated: false,
  sourceIp: "203.0.113.7",
  receivedAt: "2026-11-20T09:30:00.000Z",
  status: "succeeded",
  httpStatus: 202,
  errors: [],
  warnings: [],
  diagnosis: [],
  eventId: "evt_1",
  duplicate: false,
  duplicateOf: null,
  executionId: "019a8b2c-6f00-8c3d-9e4f-3b1d7a9a1f42",
  replayOf: null,
  edited: false,
  drifted: false,
  latencyMs: { toStart: 24, toCompletion: 2_310 },
  mappedInputs: { orderId: "1007", domain: "example.com" },
};
