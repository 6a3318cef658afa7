import { SecretInput, Select } from "../../components/fields.tsx";
import { Refused } from "../../components/refused.tsx";
import { NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import { endpointPath } from "./paths.ts";

/** Takes a sender's own secret in place of the one there is, from now on. */
export function PasteSecret({ endpointId, label }: { endpointId: string; label: string }) {
  return (
    <form method="post" action={endpointPath(endpointId, "/secret")}>
      <input type="hidden" name="overlapSeconds" value="0" />
      <SecretInput
        name="secret"
        label={label}
        faults={NO_FAULTS}
        more={{ required: true, maxlength: 512 }}
      />
      <button type="submit" class="primary">
        Use it
      </button>
    </form>
  );
}

const OVERLAPS = [
  { value: "0", label: "not at all" },
  { value: "3600", label: "an hour" },
  { value: "86400", label: "a day" },
  { value: "604800", label: "a week" },
  { value: "2592000", label: "30 days" },
];

const NAMES = { hmac: "Signing secret", token: "Token" };

export interface SecretDraft {
  target: string;
  overlapSeconds: string;
}

export const ROTATION: SecretDraft = { target: "", overlapSeconds: "86400" };

/** Replaces a secret, the old one staying good for a while. */
export function RotateForm({
  endpointId,
  targets,
  draft,
  refusal,
}: {
  endpointId: string;
  /** The secrets there are. */
  targets: readonly ("hmac" | "token")[];
  draft: SecretDraft;
  refusal: Refusal | null;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  return (
    <form method="post" action={endpointPath(endpointId, "/secret")} class="card">
      <Refused refusal={refusal} />
      {targets.length > 1 && (
        <Select
          name="target"
          label="Which one"
          value={draft.target}
          options={targets.map((target) => ({ value: target, label: NAMES[target] }))}
          faults={faults}
        />
      )}
      <SecretInput
        name="secret"
        label="New secret"
        hint="Leave this empty for a good one, which is shown once."
        faults={faults}
        more={{ maxlength: 512 }}
      />
      <Select
        name="overlapSeconds"
        label="The old one stays valid for"
        hint="Time to tell the sender."
        value={draft.overlapSeconds}
        options={OVERLAPS}
        faults={faults}
      />
      <button type="submit" class="primary">
        Rotate
      </button>
    </form>
  );
}
