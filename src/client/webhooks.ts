import * as z from "zod";
import { allWebhookUsage, webhookUsage } from "../contract/usage.ts";
import { type CaseRecord, caseRecord } from "../contract/webhooks/case.ts";
import {
  type createEndpointBody,
  type EndpointRecord,
  endpointRecord,
  endpointRevision,
  endpointSaved,
  type rotateSecretBody,
  type updateEndpointBody,
} from "../contract/webhooks/endpoint.ts";
import {
  type LogEntry,
  logEntry,
  logPage,
  type RequestStatus,
  replayAccepted,
  type replayBody,
  type testBody,
  testResult,
} from "../contract/webhooks/log.ts";
import { webhookPresets } from "../contract/webhooks/presets.ts";
import {
  learnedShape,
  releaseAccepted,
  type releaseBody,
  releaseTrial,
  type whatIfBody,
  whatIfResult,
} from "../contract/webhooks/trials.ts";
import { waiterRecord } from "../contract/webhooks/waiter.ts";
import { type CallOptions, eachPage, type PageQuery, type UsageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ endpoints: z.array(endpointRecord), nextCursor: z.string().nullable() });
const revisions = z.object({
  revisions: z.array(endpointRevision),
  nextCursor: z.string().nullable(),
});
const casePage = z.object({ cases: z.array(caseRecord), nextCursor: z.string().nullable() });
const waiterPage = z.object({ waiters: z.array(waiterRecord), nextCursor: z.string().nullable() });

export interface ListRequests extends PageQuery {
  status?: readonly RequestStatus[];
  duplicate?: boolean;
  /** ISO 8601. */
  receivedAfter?: string;
  receivedBefore?: string;
  eventId?: string;
  eventType?: string;
  /** At least three characters of the payload, in upper or lower case. */
  text?: string;
}

export interface ListCases extends PageQuery {
  /** With a key the pages go back through all events of its cases. */
  key?: string;
  route?: string;
}

/** Webhook endpoints and their request logs. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createEndpointBody>, { signal }: CallOptions = {}) {
    const request = { method: "POST", path: "/webhooks", body, signal } as const;
    return this.#transport.json(request, endpointSaved);
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/webhooks", query: { ...query }, signal } as const;
    return this.#transport.json(request, page);
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<EndpointRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const { endpoints } of eachPage(read)) yield* endpoints;
  }

  get(endpointId: string, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: at(endpointId), signal } as const;
    return this.#transport.json(request, endpointRecord);
  }

  update(
    endpointId: string,
    body: z.input<typeof updateEndpointBody>,
    { signal }: CallOptions = {},
  ) {
    const request = { method: "PATCH", path: at(endpointId), body, signal } as const;
    return this.#transport.json(request, endpointSaved);
  }

  delete(endpointId: string, { signal }: CallOptions = {}) {
    return this.#transport.none({ method: "DELETE", path: at(endpointId), signal });
  }

  /** Returns a page of the settings as they are and as they were, newest first. */
  revisions(endpointId: string, query: PageQuery = {}, { signal }: CallOptions = {}) {
    const path = at(endpointId, "/revisions");
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, revisions);
  }

  /** Returns the settings at one revision. */
  revision(endpointId: string, revision: number, { signal }: CallOptions = {}) {
    const path = at(endpointId, `/revisions/${revision}`);
    return this.#transport.json({ method: "GET", path, signal }, endpointRevision);
  }

  /** Makes a new revision with the settings of an earlier one. */
  restore(endpointId: string, revision: number, { signal }: CallOptions = {}) {
    const path = at(endpointId, `/revisions/${revision}/restore`);
    return this.#transport.json({ method: "POST", path, signal }, endpointSaved);
  }

  rotateSecret(
    endpointId: string,
    body: z.input<typeof rotateSecretBody>,
    { signal }: CallOptions = {},
  ) {
    const path = at(endpointId, "/rotate-secret");
    return this.#transport.json({ method: "POST", path, body, signal }, endpointSaved);
  }

  /** Runs every check on a sample request without starting anything. */
  test(endpointId: string, body: z.input<typeof testBody>, { signal }: CallOptions = {}) {
    const path = at(endpointId, "/test");
    return this.#transport.json({ method: "POST", path, body, signal }, testResult);
  }

  whatIf(endpointId: string, body: z.input<typeof whatIfBody>, { signal }: CallOptions = {}) {
    const path = at(endpointId, "/what-if");
    return this.#transport.json({ method: "POST", path, body, signal }, whatIfResult);
  }

  /** Starts the held requests that can be mapped, in the order of arrival. */
  release(endpointId: string, { signal }: CallOptions = {}) {
    const path = at(endpointId, "/release");
    return this.#transport.json({ method: "POST", path, signal }, releaseAccepted);
  }

  /** Counts the held requests that a release would start, under the endpoint's settings or a draft of them. */
  tryRelease(
    endpointId: string,
    draft: Omit<z.input<typeof releaseBody>, "dryRun"> = {},
    { signal }: CallOptions = {},
  ) {
    const path = at(endpointId, "/release");
    const body = { ...draft, dryRun: true };
    return this.#transport.json({ method: "POST", path, body, signal }, releaseTrial);
  }

  shape(endpointId: string, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: at(endpointId, "/shape"), signal } as const;
    return this.#transport.json(request, learnedShape);
  }

  /** Returns the presets of senders. */
  presets({ signal }: CallOptions = {}) {
    return this.#transport.json(
      { method: "GET", path: "/webhook-presets", signal },
      webhookPresets,
    );
  }

  /** Returns an endpoint's requests over time. */
  usage(endpointId: string, query: UsageQuery = {}, { signal }: CallOptions = {}) {
    const path = at(endpointId, "/usage");
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, webhookUsage);
  }

  /** Returns the requests of all endpoints over time. */
  allUsage(query: UsageQuery = {}, { signal }: CallOptions = {}) {
    const request = {
      method: "GET",
      path: "/usage/webhooks",
      query: { ...query },
      signal,
    } as const;
    return this.#transport.json(request, allWebhookUsage);
  }

  /** Returns a page of the request log, newest first. */
  requests(endpointId: string, query: ListRequests = {}, { signal }: CallOptions = {}) {
    const path = at(endpointId, "/requests");
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, logPage);
  }

  /** Iterates over the whole request log, newest first, page by page. */
  async *allRequests(
    endpointId: string,
    query: Omit<ListRequests, "cursor"> = {},
    options: CallOptions = {},
  ): AsyncGenerator<LogEntry, void, void> {
    const read = (place: PageQuery) =>
      this.requests(endpointId, { limit: 100, ...query, ...place }, options);
    for await (const { requests } of eachPage(read)) yield* requests;
  }

  /** Searches the requests of all endpoints, or of some. A page may be short although there are more. */
  search(
    query: ListRequests & { endpointId?: readonly string[] } = {},
    { signal }: CallOptions = {},
  ) {
    const path = "/webhook-requests";
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, logPage);
  }

  request(endpointId: string, requestId: string, { signal }: CallOptions = {}) {
    const path = atRequest(endpointId, requestId);
    return this.#transport.json({ method: "GET", path, signal }, logEntry);
  }

  /** Returns a page of an endpoint's cases, the newest first. */
  cases(endpointId: string, query: ListCases = {}, { signal }: CallOptions = {}) {
    const request = {
      method: "GET",
      path: "/cases",
      query: { endpointId, ...query },
      signal,
    } as const;
    return this.#transport.json(request, casePage);
  }

  /** Iterates over all cases of an endpoint, the newest first, page by page. */
  async *allCases(
    endpointId: string,
    query: Omit<ListCases, "cursor"> = {},
    options: CallOptions = {},
  ): AsyncGenerator<CaseRecord, void, void> {
    const read = (place: PageQuery) =>
      this.cases(endpointId, { limit: 100, ...query, ...place }, options);
    for await (const { cases } of eachPage(read)) yield* cases;
  }

  /** Returns a page of the executions that wait for an event of an endpoint. */
  waiters(endpointId: string, query: PageQuery = {}, { signal }: CallOptions = {}) {
    const path = at(endpointId, "/waiters");
    return this.#transport.json({ method: "GET", path, query: { ...query }, signal }, waiterPage);
  }

  /** Replays a logged request, optionally with another payload. */
  replay(
    endpointId: string,
    requestId: string,
    body: z.input<typeof replayBody> = {},
    { signal }: CallOptions = {},
  ) {
    const path = `${atRequest(endpointId, requestId)}/replay`;
    return this.#transport.json({ method: "POST", path, body, signal }, replayAccepted);
  }

  /** Replays with a payload given as JSON text, so that large integers keep their digits. */
  replayJson(
    endpointId: string,
    requestId: string,
    payload: string,
    { acceptUnverified = false, signal }: CallOptions & { acceptUnverified?: boolean } = {},
  ) {
    const path = `${atRequest(endpointId, requestId)}/replay`;
    const text = `{"acceptUnverified":${acceptUnverified},"payload":${payload}}`;
    return this.#transport.json({ method: "POST", path, text, signal }, replayAccepted);
  }
}

function at(endpointId: string, rest = ""): string {
  return `/webhooks/${encodeURIComponent(endpointId)}${rest}`;
}

function atRequest(endpointId: string, requestId: string): string {
  return at(endpointId, `/requests/${encodeURIComponent(requestId)}`);
}
