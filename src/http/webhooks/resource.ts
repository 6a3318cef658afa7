import * as z from "zod";
import {
  type EndpointConfig,
  type EndpointRecord,
  endpointId,
} from "../../contract/inbound/endpoint.ts";
import { DEFAULT_MAX_BYTES } from "../../contract/inbound/validation.ts";
import { loadEndpoint } from "../../records/endpoints.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { keyWith } from "../guard.ts";
import { notFound } from "../problem.ts";

/** Where endpoints are managed. */
export const WEBHOOKS = "/api/v1/webhooks";
export const TAG = "Webhooks";

export const endpointParams = z.object({ endpointId });
export const reader = keyWith("webhooks:read", "management");
export const writer = keyWith("webhooks:write", "management");

/** The account's endpoint; throws a 404 when there is none of this id, or it is deleted. */
export async function existing(http: Http, accountId: string, id: string): Promise<EndpointConfig> {
  const config = await callWithRetry(() => loadEndpoint(http.env.DB, accountId, id), {
    idempotent: true,
  });
  if (config === null) throw notFound();
  return config;
}

export const EXAMPLE_ENDPOINT_ID = "ep_9f2c4e7a1b3d5f60718293a4b5c6d7e8f9012345";

/** An endpoint in the examples of the API document. */
export const exampleRecord: EndpointRecord = {
  endpointId: EXAMPLE_ENDPOINT_ID,
  name: "shop orders",
  url: `https://prompthook.example/hooks/${EXAMPLE_ENDPOINT_ID}`,
  path: null,
  workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
  enabled: true,
  methods: ["POST"],
  auth: {
    token: { header: "X-Webhook-Token", secret: { set: true, last4: "3xYz" } },
  },
  replayProtection: { enabled: true, toleranceSeconds: 300, timestamp: null },
  eventId: { in: "body", path: "id" },
  onDuplicate: "skip",
  validation: {
    required: ["order.id"],
    types: { "order.total": "number" },
    schema: null,
    maxBytes: DEFAULT_MAX_BYTES,
  },
  mapping: {
    auto: true,
    fields: [{ to: "orderId", from: "order.id", transforms: [{ type: "string" }] }],
  },
  retentionDays: 30,
  requestsPerMinute: 6_000,
  queuedCount: 0,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};

/** And as it is answered when a secret was made for it. */
export const exampleSaved = {
  ...exampleRecord,
  secrets: { token: "x7Jm0wq3Zk8yB2nVd5RtLc1Hf6Ps9Ue4AgQiToMx3xYz" },
};
