import * as z from "zod";
import {
  type createEndpointBody,
  endpointRecord,
  endpointSaved,
  type rotateSecretBody,
  type updateEndpointBody,
} from "../contract/inbound/endpoint.ts";
import {
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
import type { Transport } from "./transport.ts";
import type { Paging } from "./workflows.ts";

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

  create(body: z.input<typeof createEndpointBody>) {
    return this.#transport.json({ method: "POST", path: "/webhooks", body }, endpointSaved);
  }

  list(query: Paging = {}) {
    return this.#transport.json({ method: "GET", path: "/webhooks", query: { ...query } }, page);
  }

  get(endpointId: string) {
    return this.#transport.json({ method: "GET", path: at(endpointId) }, endpointRecord);
  }

  update(endpointId: string, body: z.input<typeof updateEndpointBody>) {
    return this.#transport.json({ method: "PATCH", path: at(endpointId), body }, endpointSaved);
  }

  delete(endpointId: string) {
    return this.#transport.none({ method: "DELETE", path: at(endpointId) });
  }

  rotateSecret(endpointId: string, body: z.input<typeof rotateSecretBody>) {
    const path = at(endpointId, "/rotate-secret");
    return this.#transport.json({ method: "POST", path, body }, endpointSaved);
  }

  /** A dry run: what every check says of a sample. */
  test(endpointId: string, body: z.input<typeof testBody>) {
    return this.#transport.json(
      { method: "POST", path: at(endpointId, "/test"), body },
      testResult,
    );
  }

  whatIf(endpointId: string, body: z.input<typeof whatIfBody>) {
    const path = at(endpointId, "/what-if");
    return this.#transport.json({ method: "POST", path, body }, whatIfResult);
  }

  shape(endpointId: string) {
    return this.#transport.json({ method: "GET", path: at(endpointId, "/shape") }, learnedShape);
  }

  /** A page of the log, the newest first. */
  requests(endpointId: string, query: ListRequests = {}) {
    const path = at(endpointId, "/requests");
    return this.#transport.json({ method: "GET", path, query: { ...query } }, logPage);
  }

  request(endpointId: string, requestId: string) {
    return this.#transport.json(
      { method: "GET", path: atRequest(endpointId, requestId) },
      logEntry,
    );
  }

  /** Lets it come again; with `payload` in place of its own. */
  replay(endpointId: string, requestId: string, body: z.input<typeof replayBody> = {}) {
    const path = `${atRequest(endpointId, requestId)}/replay`;
    return this.#transport.json({ method: "POST", path, body }, replayAccepted);
  }
}

function at(endpointId: string, rest = ""): string {
  return `/webhooks/${encodeURIComponent(endpointId)}${rest}`;
}

function atRequest(endpointId: string, requestId: string): string {
  return at(endpointId, `/requests/${encodeURIComponent(requestId)}`);
}
