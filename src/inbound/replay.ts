import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import type { InboxApi, LoggedRequest, ReceivedRequest } from "../contract/inbound/inbox.ts";
import { type AcceptResult, accept } from "./accept.ts";
import { reevaluate } from "./reevaluate.ts";
import type { Admission } from "./types.ts";

const JSON_TYPE = "application/json";
/** What was said of the body that is replaced. */
const OF_THE_BODY = ["content-type", "content-length", "content-encoding"];

/** A replay as a request of its own. */
export interface ReplayRequest {
  requestId: string;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** JSON in place of the original's payload; null for that payload. */
  edited: Uint8Array | null;
}

/**
 * Takes a logged request in again under today's validation and mapping, without the checks that its
 * sender passed. It shows the original's event id and claims none; the original stays as it is.
 */
export function replay(
  config: EndpointConfig,
  original: LoggedRequest,
  { requestId, receivedAt, edited }: ReplayRequest,
  inbox: Pick<InboxApi, "accept" | "configure">,
): Promise<AcceptResult> {
  const { eventId } = original.entry;
  const request: ReceivedRequest = {
    ...(edited === null ? original.request : withBody(original.request, edited)),
    requestId,
    receivedAt,
    replayOf: original.request.requestId,
    edited: edited !== null,
  };
  return accept(
    { config },
    {
      inbox,
      judge: async (current) => {
        const admission = await reevaluate(current.config, request);
        return { admission: withEventId(admission, eventId), request };
      },
      open: async (newer) => ({ config: newer }),
    },
  );
}

/** As a POST of JSON, whatever it was: the payload of a GET is its query. */
function withBody(original: ReceivedRequest, body: Uint8Array): ReceivedRequest {
  const headers = Object.entries(original.headers).filter(([name]) => !OF_THE_BODY.includes(name));
  return {
    ...original,
    method: "POST",
    query: {},
    headers: { ...Object.fromEntries(headers), "content-type": JSON_TYPE },
    contentType: JSON_TYPE,
    body,
    bodyTruncated: false,
  };
}

function withEventId({ checks, verdict }: Admission, eventId: string | null): Admission {
  return { checks, verdict: verdict.kind === "challenge" ? verdict : { ...verdict, eventId } };
}
