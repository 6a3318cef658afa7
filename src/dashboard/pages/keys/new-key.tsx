import { SCOPES, type Scope } from "../../../contract/account.ts";
import { Check, Input, Select } from "../../components/fields.tsx";
import { SendOrCancel } from "../../components/form.tsx";
import { Layout } from "../../components/layout.tsx";
import { Refused } from "../../components/refused.tsx";
import { NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import { KEYS } from "./paths.ts";
import { ALLOWS, LIFETIMES } from "./words.ts";

/** A new key as it was typed. */
export interface KeyDraft {
  name: string;
  scopes: readonly Scope[];
  expiresIn: string;
}

export const NEW_DRAFT: KeyDraft = { name: "", scopes: SCOPES, expiresIn: "" };

/** The name of a scope's box. */
export function boxOf(scope: Scope): string {
  return `scope:${scope}`;
}

/** Asks what a new key is for, and what it may do. */
export function NewKeyPage({ draft, refusal }: { draft: KeyDraft; refusal: Refusal | null }) {
  const faults = refusal?.faults ?? NO_FAULTS;
  const missing = faults.get("scopes");
  return (
    <Layout title="Make a key" section="keys">
      <Refused refusal={refusal} />
      <form method="post" action={KEYS} class="card snug">
        <Input
          name="name"
          label="Name"
          hint="What it is for, such as ci."
          value={draft.name}
          faults={faults}
          more={{ required: true, maxlength: 100 }}
        />
        <fieldset
          class="boxes"
          id="scopes"
          {...(missing !== undefined && { "aria-describedby": "scopes-error" })}
        >
          <legend>It may</legend>
          {missing !== undefined && (
            <p class="error" id="scopes-error">
              {missing}
            </p>
          )}
          {SCOPES.map((scope) => (
            <Check
              name={boxOf(scope)}
              label={scope}
              hint={ALLOWS[scope]}
              checked={draft.scopes.includes(scope)}
            />
          ))}
        </fieldset>
        <Select
          name="expiresIn"
          label="It expires"
          value={draft.expiresIn}
          options={LIFETIMES}
          faults={faults}
        />
        <SendOrCancel send="Make key" back={KEYS} />
      </form>
    </Layout>
  );
}
