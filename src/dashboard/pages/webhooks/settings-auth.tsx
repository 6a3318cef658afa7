import type * as z from "zod";
import {
  DEFAULT_TOKEN_HEADER,
  type EndpointRecord,
  updateEndpointBody,
} from "../../../contract/inbound/endpoint.ts";
import { PRESETS } from "../../../contract/inbound/signature.ts";
import {
  type Faults,
  faultsByIssues,
  gatheredAt,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import {
  Area,
  Check,
  DefaultSubmit,
  focusAttributes,
  Input,
  RemoveRow,
  type RowFocus,
  SecretInput,
  Select,
} from "../../forms/fields.tsx";
import { keepHint, keptWords, type Posted } from "../../forms/posted.ts";
import { endpointPath } from "../../paths.ts";
import {
  type CustomHmac,
  customBody,
  customOfRecord,
  HmacFields,
  isSameCustom,
  postedHmac,
} from "./hmac-fields.tsx";
import { linesOf } from "./new-endpoint.tsx";
import { providerOf } from "./senders.ts";

/** A required header as its row has it. The value is never written back. */
export interface HeaderRow {
  name: string;
  isAny: boolean;
  value: string;
}

/** What a request must bring, as its form has it; secrets that are empty stay what they are. */
export interface AuthDraft {
  /** A preset, `custom`, or empty for none. */
  signature: string;
  custom: CustomHmac;
  hmacSecret: string;
  token: boolean;
  tokenHeader: string;
  tokenSecret: string;
  ipAllowlist: string;
  headers: HeaderRow[];
}

export const BLANK_HEADER: HeaderRow = { name: "", isAny: false, value: "" };

export function authDraft({ auth }: EndpointRecord): AuthDraft {
  const { hmac, token, ipAllowlist = [], headers = [] } = auth;
  return {
    signature: hmac === undefined ? "" : (hmac.preset ?? "custom"),
    custom: customOfRecord(hmac),
    hmacSecret: "",
    token: token !== undefined,
    tokenHeader: token?.header ?? DEFAULT_TOKEN_HEADER,
    tokenSecret: "",
    ipAllowlist: ipAllowlist.join("\n"),
    headers: headers.map(({ name, value }) => ({ name, isAny: value === undefined, value: "" })),
  };
}

export function postedAuth(posted: Posted): AuthDraft {
  return {
    signature: posted.line("signature"),
    custom: postedHmac(posted),
    hmacSecret: posted.line("auth.hmac.secret"),
    token: posted.isOn("auth.token"),
    tokenHeader: posted.line("auth.token.header"),
    tokenSecret: posted.line("auth.token.secret"),
    ipAllowlist: posted.text("auth.ipAllowlist"),
    headers: posted.rows("auth.headers").map((at) => ({
      name: posted.line(`auth.headers[${at}].name`),
      isAny: posted.isOn(`auth.headers[${at}].any`),
      value: posted.line(`auth.headers[${at}].value`),
    })),
  };
}

/** The rows with one more or less, where that is what a button asked for; else null. */
export function changedHeaders(rows: readonly HeaderRow[], button: string): HeaderRow[] | null {
  if (button === "add-header") return [...rows, BLANK_HEADER];
  const place = /^remove-header-(\d{1,4})$/.exec(button)?.[1];
  return place === undefined ? null : rows.filter((_, at) => at !== Number(place));
}

/** The draft without rows in which nothing was typed. */
export function withoutBlankHeaders(draft: AuthDraft): AuthDraft {
  return { ...draft, headers: draft.headers.filter(({ name, value }) => `${name}${value}` !== "") };
}

/** The change that makes the endpoint's auth what the draft says. */
export function authBody(
  draft: AuthDraft,
  { auth }: EndpointRecord,
): Made<z.output<typeof updateEndpointBody>> {
  const addresses = linesOf(draft.ipAllowlist);
  const parsed = updateEndpointBody.safeParse({
    auth: {
      token: draft.token ? tokenBody(draft) : null,
      hmac: hmacBody(draft, auth.hmac),
      ipAllowlist: addresses.length === 0 ? null : addresses,
      headers: draft.headers.map(({ name, isAny, value }) => ({
        name,
        ...(isAny ? { value: null } : value !== "" && { value }),
      })),
    },
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  return { ok: false, faults: faultsByIssues(parsed.error.issues) };
}

function tokenBody({ tokenHeader: header, tokenSecret: secret }: AuthDraft) {
  return {
    ...(header !== "" && header !== DEFAULT_TOKEN_HEADER && { header }),
    ...(secret !== "" && { secret }),
  };
}

function hmacBody(draft: AuthDraft, before: EndpointRecord["auth"]["hmac"]) {
  const secret = draft.hmacSecret === "" ? {} : { secret: draft.hmacSecret };
  if (draft.signature === "") return null;
  if (PRESETS.some((preset) => preset === draft.signature)) {
    return { preset: draft.signature, ...secret };
  }
  // An empty control stands for a default; a scheme that nobody touched is sent as it is.
  if (before !== undefined && before.preset === undefined && isSameCustom(draft.custom, before)) {
    const { secret: _, ...scheme } = before;
    return { ...scheme, ...secret };
  }
  return { ...customBody(draft.custom), ...secret };
}

type Kept = { name: string; value?: { last4: string } | undefined };

/** Headers that a request must have; rows come and go without leaving the page. */
export function HeaderRows({
  rows,
  kept,
  action,
  faults,
  focus,
}: {
  rows: readonly HeaderRow[];
  /** As they are now. */
  kept: readonly Kept[];
  action: string;
  faults: Faults;
  focus: RowFocus | null;
}) {
  const swap = {
    "hx-post": action,
    "hx-target": "#headers",
    "hx-select": "#headers",
    "hx-swap": "outerHTML",
  };
  return (
    <fieldset id="headers" class="rows">
      <legend>Required headers</legend>
      {rows.map((row, at) => (
        <Row
          row={row}
          at={at}
          last4={lastOf(kept, row)}
          faults={faults}
          swap={swap}
          focus={focusAttributes(focus, at)}
        />
      ))}
      <button
        type="submit"
        name="do"
        value="add-header"
        formnovalidate
        {...focusAttributes(focus, "add")}
        {...swap}
      >
        Add a header
      </button>
    </fieldset>
  );
}

function Row({
  row,
  at,
  last4,
  faults,
  swap,
  focus,
}: {
  row: HeaderRow;
  at: number;
  last4: string | null;
  faults: Faults;
  swap: Record<string, string>;
  focus: ReturnType<typeof focusAttributes>;
}) {
  const path = `auth.headers[${at}]`;
  const shown = row.name === "" ? `header ${at + 1}` : row.name;
  return (
    <fieldset class="row" aria-label={`Header ${at + 1}`}>
      <Input
        name={`${path}.name`}
        label="Name"
        value={row.name}
        faults={faults}
        more={{ maxlength: 100, ...focus }}
      />
      <SecretInput
        name={`${path}.value`}
        label="Value"
        hint={last4 === null ? undefined : keepHint(last4)}
        faults={faults}
        more={{ maxlength: 1_000 }}
      />
      <div class="row-end">
        <Check name={`${path}.any`} label="Any value" checked={row.isAny} />
        <RemoveRow action={`remove-header-${at}`} shown={shown} swap={swap} />
      </div>
    </fieldset>
  );
}

function lastOf(kept: readonly Kept[], { name }: HeaderRow): string | null {
  const same = kept.find((header) => header.name.toLowerCase() === name.toLowerCase());
  return same?.value?.last4 ?? null;
}

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
