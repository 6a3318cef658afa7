import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { Faults } from "../../forms/errors.tsx";
import { Area, Input, Select } from "../../forms/fields.tsx";
import type { Posted } from "../../forms/posted.ts";

/** A custom signature as its controls have it. */
export interface CustomHmac {
  header: string;
  form: string;
  prefix: string;
  encoding: string;
  algorithm: string;
  template: string;
  timestampHeader: string;
  timestampPair: string;
  idHeader: string;
  secretEncoding: string;
}

export const STANDARD_HMAC: CustomHmac = {
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

const NAMES = [
  "header",
  "form",
  "prefix",
  "encoding",
  "algorithm",
  "template",
  "timestampHeader",
  "timestampPair",
  "idHeader",
  "secretEncoding",
] as const satisfies readonly (keyof CustomHmac)[];

/** What was typed into the controls. */
export function postedHmac(posted: Posted): CustomHmac {
  const typed = NAMES.map((name) => [name, posted.line(`auth.hmac.${name}`)] as const);
  return { ...STANDARD_HMAC, ...Object.fromEntries(typed) };
}

type RecordHmac = EndpointRecord["auth"]["hmac"];

/** An endpoint's own scheme as the controls have it; the standard one where it has none. */
export function customOfRecord(hmac: RecordHmac): CustomHmac {
  if (hmac === undefined || hmac.preset !== undefined) return STANDARD_HMAC;
  const known = NAMES.map((name) => [name, hmac[name] ?? ""] as const);
  return { ...STANDARD_HMAC, ...Object.fromEntries(known) };
}

/** Whether the controls say what the endpoint has. */
export function isSameCustom(custom: CustomHmac, hmac: RecordHmac): boolean {
  const before = customOfRecord(hmac);
  return NAMES.every((name) => custom[name] === before[name]);
}

/** The fields that the API is to be told: those that are empty have their defaults. */
export function customBody(custom: CustomHmac): Record<string, string> {
  return Object.fromEntries(
    NAMES.filter((name) => custom[name] !== "").map((name) => [name, custom[name]]),
  );
}

const options = (...values: string[]) => values.map((value) => ({ value, label: value }));

const FORMS = [
  { value: "plain", label: "one signature, after a prefix" },
  { value: "list", label: "several with their version: v1,… v1,…" },
  { value: "pairs", label: "pairs: t=…,v1=…" },
];

const SECRETS = [
  { value: "utf8", label: "its text" },
  { value: "base64", label: "base64" },
  { value: "hex", label: "hex" },
  { value: "whsec", label: "base64 after whsec_" },
];

/** The controls of a custom signature. */
export function HmacFields({ custom, faults }: { custom: CustomHmac; faults: Faults }) {
  const field = (name: keyof CustomHmac) => ({
    name: `auth.hmac.${name}`,
    value: custom[name],
    faults,
  });
  return (
    <>
      <Area
        {...field("template")}
        label="Signed text"
        hint="Of {body}, {timestamp}, {id}, {url} and {sortedParams}; {body} has to be in it."
        code
        more={{ class: "code line", rows: 1 }}
      />
      <div class="fields">
        <Input {...field("header")} label="Header of the signature" />
        <Input
          {...field("prefix")}
          label="Prefix"
          hint="What stands before the signature. Empty: the algorithm and =, such as sha256=; a bare signature is taken as well."
        />
        <Select
          {...field("algorithm")}
          label="Algorithm"
          options={options("sha256", "sha1", "sha384", "sha512")}
        />
        <Select
          {...field("encoding")}
          label="Encoding of the signature"
          options={options("hex", "base64")}
        />
        <Select {...field("form")} label="Form of the header" options={FORMS} />
        <Select {...field("secretEncoding")} label="The key is the secret as" options={SECRETS} />
        <Input
          {...field("timestampHeader")}
          label="Header of the timestamp"
          hint="Where {timestamp} is signed."
        />
        <Input
          {...field("timestampPair")}
          label="Pair of the timestamp"
          hint="Where it is one of the pairs, such as t."
        />
        <Input {...field("idHeader")} label="Header of the id" hint="Where {id} is signed." />
      </div>
    </>
  );
}
