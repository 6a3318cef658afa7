import type { EndpointRecord } from "../../../../contract/inbound/endpoint.ts";
import { PRESETS } from "../../../../contract/inbound/signature.ts";
import {
  Area,
  Check,
  DefaultSubmit,
  Input,
  SecretInput,
  Select,
} from "../../../components/fields.tsx";
import { Refused } from "../../../components/refused.tsx";
import { type Faults, gatheredAt, NO_FAULTS, type Refusal } from "../../../forms/faults.ts";
import type { RowFocus } from "../../../forms/row-focus.ts";
import { keptWords } from "../../../forms/secret-words.ts";
import { HmacFields } from "../hmac-fields.tsx";
import { endpointPath } from "../paths.ts";
import { providerOf } from "../senders/providers.ts";
import type { AuthDraft } from "./auth-draft.ts";
import { HeaderRows } from "./header-rows.tsx";

const SIGNATURES = [
  { value: "", label: "none" },
  ...PRESETS.map((preset) => ({ value: preset, label: providerOf(preset).name })),
  { value: "custom", label: "a scheme of your own, below" },
];

/** What a request must bring: a signature, a token, an address, headers. */
export function AuthForm({
  endpoint: { endpointId, auth },
  draft,
  refusal,
  focus = null,
}: {
  endpoint: EndpointRecord;
  draft: AuthDraft;
  refusal: Refusal | null;
  focus?: RowFocus | null;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  const action = endpointPath(endpointId, "/settings/auth");
  return (
    <form method="post" action={action} class="card form" aria-labelledby="auth">
      <DefaultSubmit />
      <h2 id="auth">What a request must bring</h2>
      <Refused refusal={refusal} shown={hasControl} />
      <p class="hint">All that is set must pass. Secrets that are left empty stay what they are.</p>
      <h3>Signature</h3>
      <div class="fields">
        <Select
          name="signature"
          label="Signed as by"
          value={draft.signature}
          options={SIGNATURES}
          faults={faults}
        />
        <SecretInput
          name="auth.hmac.secret"
          label="Secret of the signature"
          hint={secretHint(auth.hmac?.secret)}
          faults={faults}
          more={{ maxlength: 512 }}
        />
      </div>
      <details class="sub" open={draft.signature === "custom"}>
        <summary>A scheme of your own</summary>
        <HmacFields custom={draft.custom} faults={faults} />
      </details>
      <h3>Token</h3>
      <Check name="auth.token" label="Ask for a token" checked={draft.token} />
      <div class="fields">
        <Input
          name="auth.token.header"
          label="Header of the token"
          hint="Authorization: Bearer is always taken as well."
          value={draft.tokenHeader}
          faults={faults}
        />
        <SecretInput
          name="auth.token.secret"
          label="Token"
          hint={secretHint(auth.token?.secret)}
          faults={faults}
          more={{ maxlength: 512 }}
        />
      </div>
      <h3>Addresses and headers</h3>
      <Allowlist draft={draft} faults={faults} />
      <HeaderRows
        rows={draft.headers}
        kept={auth.headers ?? []}
        action={action}
        faults={faults}
        focus={focus}
      />
      <button type="submit" class="primary">
        Save what it must bring
      </button>
    </form>
  );
}

function Allowlist({ draft, faults }: { draft: AuthDraft; faults: Faults }) {
  return (
    <Area
      name="auth.ipAllowlist"
      label="IP allowlist"
      hint="Addresses and ranges, one in a line. Empty: any address."
      value={draft.ipAllowlist}
      faults={gatheredAt(faults, "auth.ipAllowlist")}
      code
      more={{ rows: 3 }}
    />
  );
}

function secretHint(secret: { last4: string } | undefined): string {
  return secret === undefined
    ? "Leave this empty for a good one, which is shown once."
    : `It is ${keptWords(secret.last4)}. Another one replaces it at once; rotate it to keep both for a while.`;
}

const CONTROL =
  /^auth\.(?:ipAllowlist|token\.(?:header|secret)|hmac\.\w+|headers\[\d+\]\.(?:name|value))$/;

const hasControl = (name: string): boolean => CONTROL.test(name);
