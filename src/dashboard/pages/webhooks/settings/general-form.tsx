import { Check, Input, Select } from "../../../components/fields.tsx";
import { Refused } from "../../../components/refused.tsx";
import { type Faults, NO_FAULTS, type Refusal } from "../../../forms/faults.ts";
import { Methods } from "../new.tsx";
import { endpointPath } from "../paths.ts";
import type { GeneralDraft, PlaceDraft } from "./general-draft.ts";

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
