import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { InboxApi, LoggedRequest, ReceivedRequest } from "../contract/webhooks/inbox.ts";
import { type AcceptResult, accept } from "./accept.ts";
import { reevaluate } from "./logged.ts";
import { BODY_HEADERS } from "./split.ts";

/** A replay, which is a request of its own. */
export interface ReplayRequest {
  requestId: string;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** JSON that replaces the original payload; null to replay it unchanged. */
  edited: Uint8Array | null;
  /** The configuration that the original ran under; null to replay it under the current one. */
  earlier: EndpointConfig | null;
}

/**
 * Accepts a logged request again under the current validation and mapping, or those of `earlier`, without
 * authentication, freshness or duplicate checks. The replay shows the original's event id and does not claim it;
 * a batch that was not split becomes its items.
 */
export function replay(
  config: EndpointConfig,
  original: LoggedRequest,
  { requestId, receivedAt, edited, earlier }: ReplayRequest,
  inbox: Pick<InboxApi, "acceptBatch" | "configure">,
): Promise<AcceptResult> {
  const { eventId, eventIdSource, eventType } = original.entry;
  const event = { eventId, eventIdSource, eventType, eventKey: null };
  const request: ReceivedRequest = {
    ...(edited === null ? original.request : withBody(original.request, edited)),
    requestId,
    receivedAt,
    replayOf: original.request.requestId,
    edited: edited !== null,
    ...(original.entry.batch !== null && { batch: original.entry.batch }),
  };
  return accept(
    { config },
    {
      store: (arrivals) => inbox.acceptBatch(arrivals),
      configure: (newer) => inbox.configure(newer),
      evaluate: async (current) => {
        const logged = { entry: original.entry, request };
        const admitted = await reevaluate(earlier ?? current.config, logged);
        return admitted.map(({ admission, request: { body }, isItem }, index) => {
          const known = isItem ? { eventKey: null } : event;
          const id = index === 0 ? requestId : crypto.randomUUID();
          const place = { requestId: id, batch: { requestId, index, count: admitted.length } };
          const isAsLogged = !isItem || body.kind !== "whole";
          return {
            admission: { ...admission, verdict: { ...admission.verdict, ...known } },
            request: isAsLogged
              ? request
              : { ...withBody(request, body.raw), query: request.query, ...place },
            ...(earlier !== null && { under: earlier }),
          };
        });
      },
      open: async (newer) => ({ config: newer }),
    },
  );
}

/** Turns the request into a POST of JSON, also if it was a GET with its payload in the query. */
function withBody(original: ReceivedRequest, body: Uint8Array): ReceivedRequest {
  const headers = Object.entries(original.headers).filter(([name]) => !BODY_HEADERS.includes(name));
  return {
    ...original,
    method: "POST",
    query: {},
    headers: { ...Object.fromEntries(headers), "content-type": "application/json" },
    contentType: "application/json",
    body,
    bodyTruncated: false,
  };
}
