import type { JsonObject } from "../../../contract/json.ts";
import {
  DEFAULT_TOKEN_HEADER,
  type EndpointRecord,
  method,
} from "../../../contract/webhooks/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Control, Controls } from "../../forms/fields.tsx";
import type { Field, Fields, FormState, Option, Values } from "../../forms/form.ts";

const optionsOf = (...values: string[]): Option[] =>
  values.map((value) => ({ value, label: value }));

/** The fields that a new endpoint and its settings have in common. */
export const ENDPOINT_FIELDS = {
  name: { kind: "line", label: "Name", required: true },
  path: {
    kind: "line",
    label: "Custom path",
    hint: "The end of the URL, such as acme/orders. Leave empty to use a random id.",
  },
  methods: {
    kind: "boxes",
    label: "Methods",
    options: method.options.map((value) => ({
      value,
      label: value === "GET" ? "GET (the query is the payload)" : value,
    })),
  },
  "split.path": {
    kind: "line",
    label: "Split batches",
    hint: "The list of which each item becomes a request of its own, such as events; $ is the payload itself. Leave empty for one request.",
    more: { maxlength: 500 },
  },
  "auth.ipAllowlist": {
    kind: "lines",
    label: "IP allowlist",
    hint: "IP addresses and CIDR ranges such as 203.0.113.0/24, one per line. Leave empty to allow any.",
    more: { rows: 3 },
  },
  "auth.token.header": {
    kind: "line",
    label: "Token header",
    hint: "Authorization: Bearer also works.",
  },
} as const satisfies Fields;

/** Returns the `split` that was typed. */
export function typedSplit(values: Values): JsonObject | null {
  const path = values["split.path"] ?? null;
  return path === null ? null : { path };
}

/** Returns the field that attaches a workflow; `none` is the label for no workflow. */
export function workflowField(
  workflows: readonly WorkflowRecord[],
  none: string,
  hint?: string,
): Field {
  return {
    kind: "select",
    label: "Workflow",
    hint,
    options: [
      { value: "", label: none },
      ...workflows.map(({ workflowId, name }) => ({ value: workflowId, label: name })),
    ],
  };
}

/** The default signature scheme, by the names of its controls. */
const DEFAULT_SCHEME = {
  header: "X-Webhook-Signature",
  form: "plain",
  prefix: "",
  encoding: "hex",
  algorithm: "sha256",
  template: "{body}",
  timestampHeader: "",
  timestampPair: "",
  idHeader: "",
  secretEncoding: "utf8",
};

/** The fields of a custom signature scheme. */
export const SCHEME_FIELDS = {
  "auth.hmac.template": {
    kind: "code",
    label: "Signed text",
    hint: "Made of {body}, {timestamp}, {id}, {url} and {sortedParams}. Must include {body}.",
    more: { class: "code line", rows: 1 },
  },
  "auth.hmac.header": { kind: "line", label: "Signature header" },
  "auth.hmac.prefix": {
    kind: "line",
    label: "Prefix",
    hint: "The text before the signature. Leave empty for the algorithm and =, such as sha256=, or none.",
  },
  "auth.hmac.algorithm": {
    kind: "select",
    label: "Algorithm",
    options: optionsOf("sha256", "sha1", "sha384", "sha512"),
  },
  "auth.hmac.encoding": {
    kind: "select",
    label: "Signature encoding",
    options: optionsOf("hex", "base64"),
  },
  "auth.hmac.form": {
    kind: "select",
    label: "Header format",
    options: [
      { value: "plain", label: "one signature after a prefix" },
      { value: "list", label: "versioned signatures: v1,… v1,…" },
      { value: "items", label: "values: …,…" },
      { value: "pairs", label: "pairs: t=…,v1=…" },
      { value: "jwt", label: "a JSON Web Token" },
    ],
  },
  "auth.hmac.secretEncoding": {
    kind: "select",
    label: "Secret encoding",
    options: [
      { value: "utf8", label: "text" },
      { value: "base64", label: "base64" },
      { value: "hex", label: "hex" },
      { value: "whsec", label: "base64 after whsec_" },
      { value: "sha1", label: "text, whose SHA-1 is the key" },
    ],
  },
  "auth.hmac.timestampHeader": {
    kind: "line",
    label: "Timestamp header",
    hint: "Required if {timestamp} is signed.",
  },
  "auth.hmac.timestampPair": {
    kind: "line",
    label: "Timestamp pair",
    hint: "The name of the pair that holds the timestamp, such as t.",
  },
  "auth.hmac.idHeader": { kind: "line", label: "Id header", hint: "Required if {id} is signed." },
} as const satisfies Fields;

/** The controls of a custom signature scheme. */
export function SchemeControls({ of }: { of: FormState }) {
  const [template = "", ...others] = Object.keys(SCHEME_FIELDS);
  return (
    <>
      <Control of={of} name={template} />
      <Controls of={of} names={others} />
    </>
  );
}

/** Returns the scheme of an endpoint as its controls show it; the default one where it has none. */
export function shownScheme(hmac?: EndpointRecord["auth"]["hmac"]): Record<string, string | null> {
  if (hmac === undefined || hmac.preset !== undefined) return DEFAULT_SCHEME;
  const known = Object.entries(hmac).filter(([name]) => name in DEFAULT_SCHEME);
  return {
    ...DEFAULT_SCHEME,
    ...Object.fromEntries(known.map(([name, value]) => [name, value ?? ""])),
  };
}

/** Returns the scheme that was typed. Blank controls stand for defaults. */
export function typedScheme(values: Values): JsonObject {
  const names = Object.keys(DEFAULT_SCHEME);
  const typed = names.map((name) => [name, values[`auth.hmac.${name}`] ?? null] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== null));
}

/** Returns the token's settings that were typed. */
export function typedToken(values: Values): JsonObject {
  const header = values["auth.token.header"] ?? null;
  const secret = values["auth.token.secret"];
  return {
    ...(header !== null && header !== DEFAULT_TOKEN_HEADER && { header }),
    ...(secret !== undefined && { secret }),
  };
}
