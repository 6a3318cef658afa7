import * as z from "zod";
import {
  type createEndpointBody,
  type EndpointRecord,
  endpointRecord,
  endpointSaved,
  type rotateSecretBody,
  type updateEndpointBody,
} from "../contract/inbound/endpoint.ts";
import {
  type LogEntry,
  logEntry,
  logPage,
  type RequestStatus,
  replayAccepted,
  type replayBody,
  type testBody,
  testResult,
} from "../contract/inbound/log.ts";
import { learnedShape } from "../contract/inbound/shape.ts";
import { type whatIfBody, whatIfResult } from "../contract/inbound/what-if.ts";
import { allWebhookUsage, webhookUsage } from "../contract/usage.ts";
import type { UsageQuery } from "./paging.ts";
import { type Abortable, eachPage, type Paging } from "./paging.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ endpoints: z.array(endpointRecord), nextCursor: z.string().nullable() });

export interface ListRequests extends Paging {
  status?: readonly RequestStatus[];
  duplicate?: boolean;
  /** ISO 8601. */
  receivedAfter?: string;
  receivedBefore?: string;
}

/** Endpoints that senders' events come in by, and the log of what came. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createEndpointBody>, { signal }: Abortable = {}) {
    const ask = { method: "POST", path: "/webhooks", body, signal } as const;
    return this.#transport.json(ask, endpointSaved);
  }

  list(query: Paging = {}, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: "/webhooks", query: { ...query }, signal } as const;
    return this.#transport.json(ask, page);
  }

  /** All of them, the newest first, read page by page. */
  async *all(options: Abortable = {}): AsyncGenerator<EndpointRecord, void, void> {
    const read = (place: Paging) => this.list({ ...place, limit: 100 }, options);
    for await (const { endpoints } of eachPage(read)) yield* endpoints;
  }

  get(endpointId: string, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: at(endpointId), signal } as const;
    return this.#transport.json(ask, endpointRecord);
  }

  update(endpointId: string, body: z.input<typeof updateEndpointBody>, { signal }: Abortable = {}) {
    const ask = { method: "PATCH", path: at(endpointId), body, signal } as const;
    return this.#transport.json(ask, endpointSaved);
  }

  delete(endpointId: string, { signal }: Abortable = {}) {
    return this.#transport.none({ method: "DELETE", path: at(endpointId), signal });
  }

  rotateSecret(
    endpointId: string,
    body: z.input<typeof rotateSecretBody>,
    { signal }: Abortable = {},
  ) {
    const path = at(endpointId, "/rotate-secret");
    return this.#transport.json({ method: "POST", path, body, signal }, endpointSaved);
  }

  /** A dry run: what every check says of a sample. */
  test(endpointId: string, body: z.input<typeof testBody>, { signal }: Abortable = {}) {
    const path = at(endpointId, "/test");
    return this.#transport.json({ method: "POST", path, body, signal }, testResult);
  }

  whatIf(endpointId: string, body: z.input<typeof whatIfBody>, { signal }: Abortable = {}) {
    const path = at(endpointId, "/what-if");
    return this.#transport.json({ method: "POST", path, body, signal }, whatIfResult);
  }

  shape(endpointId: string, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: at(endpointId, "/shape"), signal } as const;
    return this.#transport.json(ask, learnedShape);
  }

  /** What an endpoint got over time. */
  usage(endpointId: string, query: UsageQuery = {}, { signal }: Abortable = {}) {
    const path = at(endpointId, "/usage");
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, webhookUsage);
  }

  /** What all endpoints got over time. */
  allUsage(query: UsageQuery = {}, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: "/usage/webhooks", query: { ...query }, signal } as const;
    return this.#transport.json(ask, allWebhookUsage);
  }

  /** A page of the log, the newest first. */
  requests(endpointId: string, query: ListRequests = {}, { signal }: Abortable = {}) {
    const path = at(endpointId, "/requests");
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, logPage);
  }

  /** The whole log, the newest first, read page by page. */
  async *allRequests(
    endpointId: string,
    query: Omit<ListRequests, "cursor"> = {},
    options: Abortable = {},
  ): AsyncGenerator<LogEntry, void, void> {
    const read = (place: Paging) =>
      this.requests(endpointId, { limit: 100, ...query, ...place }, options);
    for await (const { requests } of eachPage(read)) yield* requests;
  }

  request(endpointId: string, requestId: string, { signal }: Abortable = {}) {
    const path = atRequest(endpointId, requestId);
    return this.#transport.json({ method: "GET", path, signal }, logEntry);
  }

  /** Lets it come again; with `payload` in place of its own. */
  replay(
    endpointId: string,
    requestId: string,
    body: z.input<typeof replayBody> = {},
    { signal }: Abortable = {},
  ) {
    const path = `${atRequest(endpointId, requestId)}/replay`;
    return this.#transport.json({ method: "POST", path, body, signal }, replayAccepted);
  }

  /** The same with a payload that is JSON already: its long whole numbers stay exact. */
  replayJson(endpointId: string, requestId: string, payload: string, { signal }: Abortable = {}) {
    const path = `${atRequest(endpointId, requestId)}/replay`;
    const text = `{"payload":${payload}}`;
    return this.#transport.json({ method: "POST", path, text, signal }, replayAccepted);
  }
}

function at(endpointId: string, rest = ""): string {
  return `/webhooks/${encodeURIComponent(endpointId)}${rest}`;
}

function atRequest(endpointId: string, requestId: string): string {
  return at(endpointId, `/requests/${encodeURIComponent(requestId)}`);
}
