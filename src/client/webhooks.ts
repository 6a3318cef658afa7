import type * as z from "zod";
import type { allWebhookUsage, webhookUsage } from "../contract/usage.ts";
import type { CaseRecord } from "../contract/webhooks/case.ts";
import type {
  EndpointRecord,
  EndpointRevision,
  EndpointSaved,
} from "../contract/webhooks/endpoint.ts";
import type {
  LogEntry,
  logPage,
  RequestStatus,
  replayAccepted,
  testResult,
} from "../contract/webhooks/log.ts";
import type { webhookPresets } from "../contract/webhooks/presets.ts";
import type {
  learnedShape,
  releaseAccepted,
  releaseTrial,
  whatIfResult,
} from "../contract/webhooks/trials.ts";
import type { WaiterRecord } from "../contract/webhooks/waiter.ts";
import type {
  CreateEndpointBody,
  ReleaseBody,
  ReplayBody,
  RotateSecretBody,
  TestBody,
  UpdateEndpointBody,
  WhatIfBody,
} from "./bodies.ts";
import {
  type CallOptions,
  eachPage,
  type Page,
  type PageQuery,
  type UsageQuery,
} from "./paging.ts";
import { RevisedRecords } from "./resource.ts";
import type { Transport } from "./transport.ts";

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
export class Webhooks extends RevisedRecords<
  "endpoints",
  EndpointRecord,
  CreateEndpointBody,
  UpdateEndpointBody,
  EndpointRevision,
  EndpointSaved
> {
  constructor(transport: Transport) {
    super(transport, "/webhooks", "endpoints");
  }

  rotateSecret(endpointId: string, body: RotateSecretBody, { signal }: CallOptions = {}) {
    const path = this.at(endpointId, "/rotate-secret");
    return this.transport.json<EndpointSaved>({ method: "POST", path, body, signal });
  }

  /** Runs every check on a sample request without starting anything. */
  test(endpointId: string, body: TestBody, { signal }: CallOptions = {}) {
    const path = this.at(endpointId, "/test");
    return this.transport.json<z.output<typeof testResult>>({ method: "POST", path, body, signal });
  }

  whatIf(endpointId: string, body: WhatIfBody, { signal }: CallOptions = {}) {
    const path = this.at(endpointId, "/what-if");
    return this.transport.json<z.output<typeof whatIfResult>>({
      method: "POST",
      path,
      body,
      signal,
    });
  }

  /** Starts the held requests that can be mapped, in the order of arrival. */
  release(endpointId: string, { signal }: CallOptions = {}) {
    const path = this.at(endpointId, "/release");
    return this.transport.json<z.output<typeof releaseAccepted>>({ method: "POST", path, signal });
  }

  /** Counts the held requests that a release would start, under the endpoint's settings or a draft of them. */
  tryRelease(
    endpointId: string,
    draft: Omit<ReleaseBody, "dryRun"> = {},
    { signal }: CallOptions = {},
  ) {
    const path = this.at(endpointId, "/release");
    const body = { ...draft, dryRun: true };
    return this.transport.json<z.output<typeof releaseTrial>>({
      method: "POST",
      path,
      body,
      signal,
    });
  }

  shape(endpointId: string, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: this.at(endpointId, "/shape"), signal } as const;
    return this.transport.json<z.output<typeof learnedShape>>(request);
  }

  /** Returns the presets of senders. */
  presets({ signal }: CallOptions = {}) {
    return this.transport.json<z.output<typeof webhookPresets>>({
      method: "GET",
      path: "/webhook-presets",
      signal,
    });
  }

  /** Returns an endpoint's requests over time. */
  usage(endpointId: string, query: UsageQuery = {}, { signal }: CallOptions = {}) {
    const path = this.at(endpointId, "/usage");
    return this.transport.json<z.output<typeof webhookUsage>>({
      method: "GET",
      path,
      query: { ...query },
      signal,
    });
  }

  /** Returns the requests of all endpoints over time. */
  allUsage(query: UsageQuery = {}, { signal }: CallOptions = {}) {
    const request = {
      method: "GET",
      path: "/usage/webhooks",
      query: { ...query },
      signal,
    } as const;
    return this.transport.json<z.output<typeof allWebhookUsage>>(request);
  }

  /** Returns a page of the request log, newest first. */
  requests(endpointId: string, query: ListRequests = {}, { signal }: CallOptions = {}) {
    const path = this.at(endpointId, "/requests");
    return this.transport.json<z.output<typeof logPage>>({
      method: "GET",
      path,
      query: { ...query },
      signal,
    });
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
    return this.transport.json<z.output<typeof logPage>>({
      method: "GET",
      path,
      query: { ...query },
      signal,
    });
  }

  request(endpointId: string, requestId: string, { signal }: CallOptions = {}) {
    const path = this.#atRequest(endpointId, requestId);
    return this.transport.json<LogEntry>({ method: "GET", path, signal });
  }

  /** Returns a page of an endpoint's cases, the newest first. */
  cases(endpointId: string, query: ListCases = {}, { signal }: CallOptions = {}) {
    const request = {
      method: "GET",
      path: "/cases",
      query: { endpointId, ...query },
      signal,
    } as const;
    return this.transport.json<Page<"cases", CaseRecord>>(request);
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
    const path = this.at(endpointId, "/waiters");
    return this.transport.json<Page<"waiters", WaiterRecord>>({
      method: "GET",
      path,
      query: { ...query },
      signal,
    });
  }

  /** Replays a logged request, optionally with another payload. */
  replay(
    endpointId: string,
    requestId: string,
    body: ReplayBody = {},
    { signal }: CallOptions = {},
  ) {
    const path = this.#atRequest(endpointId, requestId, "/replay");
    return this.transport.json<z.output<typeof replayAccepted>>({
      method: "POST",
      path,
      body,
      signal,
    });
  }

  /** Replays with a payload given as JSON text, so that large integers keep their digits. */
  replayJson(
    endpointId: string,
    requestId: string,
    payload: string,
    { acceptUnverified = false, signal }: CallOptions & { acceptUnverified?: boolean } = {},
  ) {
    const path = this.#atRequest(endpointId, requestId, "/replay");
    const text = `{"acceptUnverified":${acceptUnverified},"payload":${payload}}`;
    return this.transport.json<z.output<typeof replayAccepted>>({
      method: "POST",
      path,
      text,
      signal,
    });
  }

  #atRequest(endpointId: string, requestId: string, rest = ""): string {
    return this.at(endpointId, `/requests/${encodeURIComponent(requestId)}${rest}`);
  }
}
