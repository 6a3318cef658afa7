import type * as z from "zod";
import { type EndpointRecord, updateEndpointBody } from "../../../../contract/inbound/endpoint.ts";
import type { Place } from "../../../../contract/inbound/signature.ts";
import type { Made } from "../../../forms/attempt.ts";
import { faultsByIssues } from "../../../forms/faults.ts";
import type { Posted } from "../../../forms/posted.ts";
import { methodsOf } from "../new-draft.ts";

/** A place in a request as its two controls have it; `in` is empty for none. */
export interface PlaceDraft {
  in: string;
  path: string;
}

/** Settings that are neither auth nor rules, as their form has them. */
export interface GeneralDraft {
  name: string;
  path: string;
  post: boolean;
  get: boolean;
  requestsPerMinute: string;
  retentionDays: string;
  onDuplicate: string;
  eventId: PlaceDraft;
  replayOn: boolean;
  toleranceSeconds: string;
  timestamp: PlaceDraft;
}

export function generalDraft(endpoint: EndpointRecord): GeneralDraft {
  const { enabled, toleranceSeconds, timestamp } = endpoint.replayProtection;
  return {
    name: endpoint.name,
    path: endpoint.path ?? "",
    post: endpoint.methods.includes("POST"),
    get: endpoint.methods.includes("GET"),
    requestsPerMinute: String(endpoint.requestsPerMinute),
    retentionDays: String(endpoint.retentionDays),
    onDuplicate: endpoint.onDuplicate,
    eventId: placeDraft(endpoint.eventId),
    replayOn: enabled,
    toleranceSeconds: String(toleranceSeconds),
    timestamp: placeDraft(timestamp),
  };
}

export function postedGeneral(posted: Posted): GeneralDraft {
  const place = (name: string): PlaceDraft => ({
    in: posted.line(`${name}.in`),
    path: posted.line(`${name}.path`),
  });
  return {
    name: posted.line("name"),
    path: posted.line("path"),
    post: posted.isOn("methods.POST"),
    get: posted.isOn("methods.GET"),
    requestsPerMinute: posted.line("requestsPerMinute"),
    retentionDays: posted.line("retentionDays"),
    onDuplicate: posted.line("onDuplicate"),
    eventId: place("eventId"),
    replayOn: posted.isOn("replayProtection.enabled"),
    toleranceSeconds: posted.line("replayProtection.toleranceSeconds"),
    timestamp: place("replayProtection.timestamp"),
  };
}

/** The change that makes an endpoint what the draft says. */
export function generalBody(draft: GeneralDraft): Made<z.output<typeof updateEndpointBody>> {
  const parsed = updateEndpointBody.safeParse({
    name: draft.name,
    path: draft.path === "" ? null : draft.path,
    methods: methodsOf(draft),
    requestsPerMinute: numberOf(draft.requestsPerMinute),
    retentionDays: numberOf(draft.retentionDays),
    onDuplicate: draft.onDuplicate,
    eventId: placeOf(draft.eventId),
    replayProtection: {
      enabled: draft.replayOn,
      toleranceSeconds: numberOf(draft.toleranceSeconds),
      timestamp: placeOf(draft.timestamp),
    },
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  return { ok: false, faults: faultsByIssues(parsed.error.issues) };
}

/** A number; what is none stays text, for the schema to say so. */
function numberOf(text: string): number | string {
  const number = Number(text);
  return text === "" || Number.isNaN(number) ? text : number;
}

function placeDraft(place: Place | null): PlaceDraft {
  return place ?? { in: "", path: "" };
}

function placeOf(place: PlaceDraft): PlaceDraft | null {
  return place.in === "" ? null : place;
}
