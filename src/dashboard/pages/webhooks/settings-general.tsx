import type * as z from "zod";
import { type EndpointRecord, updateEndpointBody } from "../../../contract/inbound/endpoint.ts";
import type { Place } from "../../../contract/inbound/signature.ts";
import {
  type Faults,
  faultsByIssues,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import { Check, Input, Select } from "../../forms/fields.tsx";
import type { Posted } from "../../forms/posted.ts";
import { endpointPath } from "../../paths.ts";
import { Methods, methodsOf } from "./new-endpoint.tsx";

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

/** Name, address, limits, repeats. */
export function GeneralForm({
  endpointId,
  draft,
  refusal,
}: {
  endpointId: string;
  draft: GeneralDraft;
  refusal: Refusal | null;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  return (
    <form
      method="post"
      action={endpointPath(endpointId, "/settings")}
      class="card form"
      aria-labelledby="general"
    >
      <h2 id="general">General</h2>
      <Refused refusal={refusal} shown={hasControl} />
      <div class="fields">
        <Input
          name="name"
          label="Name"
          value={draft.name}
          faults={faults}
          more={{ required: true, maxlength: 200 }}
        />
        <Input
          name="path"
          label="Custom path"
          hint="The URL ends in it. Empty: in the endpoint’s random id. Senders have to be told of a change."
          value={draft.path}
          faults={faults}
          more={{ maxlength: 200 }}
        />
        <Methods post={draft.post} get={draft.get} faults={faults} />
        <NumberInput
          name="requestsPerMinute"
          label="Requests a minute at most"
          value={draft.requestsPerMinute}
          max={1_000_000}
          faults={faults}
        />
        <NumberInput
          name="retentionDays"
          label="Days that the log is kept"
          value={draft.retentionDays}
          max={3_650}
          faults={faults}
        />
      </div>
      <h3>Repeats</h3>
      <div class="fields">
        <PlaceInputs
          name="eventId"
          label="Event id"
          standard="as the sender names it, else the body’s id"
          place={draft.eventId}
          faults={faults}
        />
        <Select
          name="onDuplicate"
          label="An event that came before"
          value={draft.onDuplicate}
          options={[
            { value: "skip", label: "is skipped" },
            { value: "run", label: "runs again, flagged" },
          ]}
          faults={faults}
        />
      </div>
      <h3>Replay protection</h3>
      <Check
        name="replayProtection.enabled"
        label="Refuse what was sent too long ago, or in the future"
        checked={draft.replayOn}
      />
      <div class="fields">
        <PlaceInputs
          name="replayProtection.timestamp"
          label="Time of sending"
          standard="the sender’s signed time, else the body’s timestamp"
          place={draft.timestamp}
          faults={faults}
        />
        <NumberInput
          name="replayProtection.toleranceSeconds"
          label="Seconds either way"
          value={draft.toleranceSeconds}
          max={86_400}
          faults={faults}
        />
      </div>
      <button type="submit" class="primary">
        Save general settings
      </button>
    </form>
  );
}

function NumberInput({
  max,
  ...common
}: {
  name: string;
  label: string;
  value: string;
  max: number;
  faults: Faults;
}) {
  return <Input {...common} type="number" more={{ required: true, min: 1, max, step: 1 }} />;
}

/** Where something is in a request: nowhere in particular, in a header, in the body. */
function PlaceInputs({
  name,
  label,
  standard,
  place,
  faults,
}: {
  name: string;
  label: string;
  standard: string;
  place: PlaceDraft;
  faults: Faults;
}) {
  return (
    <>
      <Select
        name={`${name}.in`}
        label={label}
        value={place.in}
        options={[
          { value: "", label: standard },
          { value: "header", label: "in the header" },
          { value: "body", label: "in the body, at the path" },
        ]}
        faults={faults}
      />
      <Input
        name={`${name}.path`}
        label={`${label}: header or path`}
        value={place.path}
        faults={faults}
        more={{ maxlength: 500 }}
      />
    </>
  );
}

const CONTROL =
  /^(?:name|path|methods|requestsPerMinute|retentionDays|onDuplicate|eventId\.(?:in|path)|replayProtection\.(?:toleranceSeconds|timestamp\.(?:in|path)))$/;

const hasControl = (name: string): boolean => CONTROL.test(name);
