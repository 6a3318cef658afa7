import type * as z from "zod";
import type { AllWebhookUsage } from "../contract/usage.ts";
import type { CaseRecord } from "../contract/webhooks/case.ts";
import type {
  EndpointRecord,
  EndpointRevision,
  EndpointSaved,
} from "../contract/webhooks/endpoint.ts";
import type {
  LogEntry,
  logPage,
  ReplayAccepted,
  RequestStatus,
  testResult,
} from "../contract/webhooks/log.ts";
import type { webhookPresets } from "../contract/webhooks/signature.ts";
import type {
  learnedShape,
  releaseAccepted,
  releaseTrial,
  WhatIfResult,
} from "../contract/webhooks/trials.ts";
import type * as bodies from "./bodies.ts";
import {
  eachItem,
  type Page,
  type PageQuery,
  RevisedRecords,
  type UsageQuery,
} from "./resource.ts";
import type { CallOptions } from "./transport.ts";

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

type LogPage = z.output<typeof logPage>;

/** Webhook endpoints and their request logs. */
export class Webhooks extends RevisedRecords<
  "endpoints",
  EndpointRecord,
  bodies.CreateEndpointBody,
  bodies.UpdateEndpointBody,
  EndpointRevision,
  EndpointSaved
> {
  readonly rotateSecret = this.sends<bodies.RotateSecretBody, EndpointSaved>("/rotate-secret");
  /** Runs every check on a sample request without starting anything. */
  readonly test = this.sends<bodies.TestBody, z.output<typeof testResult>>("/test");
  readonly whatIf = this.sends<bodies.WhatIfBody, WhatIfResult>("/what-if");
  /** Starts the held requests that can be mapped, in the order of arrival. */
  readonly release = this.acts<z.output<typeof releaseAccepted>>("/release");
  readonly shape = this.reads<z.output<typeof learnedShape>>("/shape");
  /** Returns the requests of all endpoints over time. */
  readonly allUsage = this.finds<AllWebhookUsage, UsageQuery>("/usage/webhooks");
  /** Searches the requests of all endpoints, or of some. A page may be short although there are more. */
  readonly search = this.finds<LogPage, ListRequests & { endpointId?: readonly string[] }>(
    "/webhook-requests",
  );
  /** Returns a page of the request log, newest first. */
  readonly requests = this.asks<LogPage, ListRequests>("/requests");

  /** Counts the held requests that a release would start, under the endpoint's settings or a draft of them. */
  tryRelease(
    endpointId: string,
    draft: Omit<bodies.ReleaseBody, "dryRun"> = {},
    options?: CallOptions,
  ) {
    const path = this.at(endpointId, "/release");
    const body = { ...draft, dryRun: true };
    return this.transport.post<z.output<typeof releaseTrial>>(path, body, options);
  }

  /** Returns the presets of senders. */
  presets(options?: CallOptions) {
    return this.transport.get<z.output<typeof webhookPresets>>("/webhook-presets", {}, options);
  }

  /** Iterates over the whole request log, newest first, page by page. */
  allRequests(endpointId: string, query: Omit<ListRequests, "cursor"> = {}, options?: CallOptions) {
    return eachItem<"requests", LogEntry>("requests", (place) =>
      this.requests(endpointId, { limit: 100, ...query, ...place }, options),
    );
  }

  request(endpointId: string, requestId: string, options?: CallOptions) {
    return this.transport.get<LogEntry>(this.#atRequest(endpointId, requestId), {}, options);
  }

  /** Returns a page of an endpoint's cases, the newest first. */
  cases(endpointId: string, query: ListCases = {}, options?: CallOptions) {
    const given = { endpointId, ...query };
    return this.transport.get<Page<"cases", CaseRecord>>("/cases", given, options);
  }

  /** Iterates over all cases of an endpoint, the newest first, page by page. */
  allCases(endpointId: string, query: Omit<ListCases, "cursor"> = {}, options?: CallOptions) {
    return eachItem("cases", (place) =>
      this.cases(endpointId, { limit: 100, ...query, ...place }, options),
    );
  }

  /** Replays a logged request, optionally with another payload. */
  replay(
    endpointId: string,
    requestId: string,
    body: bodies.ReplayBody = {},
    options?: CallOptions,
  ) {
    const path = this.#atRequest(endpointId, requestId, "/replay");
    return this.transport.post<ReplayAccepted>(path, body, options);
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
    return this.transport.json<ReplayAccepted>({ method: "POST", path, text, signal });
  }

  #atRequest(endpointId: string, requestId: string, rest = ""): string {
    return this.at(endpointId, `/requests/${encodeURIComponent(requestId)}${rest}`);
  }
}
