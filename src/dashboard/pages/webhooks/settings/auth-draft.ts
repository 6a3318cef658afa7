import type * as z from "zod";
import {
  DEFAULT_TOKEN_HEADER,
  type EndpointRecord,
  updateEndpointBody,
} from "../../../../contract/inbound/endpoint.ts";
import { PRESETS } from "../../../../contract/inbound/signature.ts";
import type { Made } from "../../../forms/attempt.ts";
import { faultsByIssues } from "../../../forms/faults.ts";
import type { Posted } from "../../../forms/posted.ts";
import {
  type CustomHmac,
  customBody,
  customOfRecord,
  isSameCustom,
  postedHmac,
} from "../hmac-fields.tsx";
import { linesOf } from "../new-draft.ts";

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
