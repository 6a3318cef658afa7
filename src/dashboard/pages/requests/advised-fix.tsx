import type { AdviceChange, SecretEdit } from "../../../contract/webhooks/advice.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { presetOf } from "../../../intake/signatures/presets.ts";
import { Submit } from "../../components/elements.tsx";
import { IfMay } from "../../components/reader.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { wordsOf } from "../../format.ts";
import { requestPath } from "../../paths.ts";
import { SCHEME_FIELDS } from "../webhooks/endpoint-fields.tsx";
import { isUnchanged } from "./check-verdicts.ts";

/** A setting that a change replaces. */
interface Replaced {
  label: string;
  before: string;
  after: string;
}

const COLUMNS: Column<Replaced>[] = [
  { name: "Setting", isBare: true, cell: ({ label }) => label },
  { name: "Now", is: "wrap", cell: ({ before }) => before || "none" },
  { name: "After the fix", is: "wrap", cell: ({ after }) => after || "none" },
];

const EDITS: Record<SecretEdit, string> = {
  trim: "without the white space around it",
  unquote: "without the quotes around it",
  without_name: "without the name of a variable before it",
  without_whsec: "without the prefix whsec_",
  with_whsec: "with the prefix whsec_",
  hex_digits: "only its hex digits",
  line_break: "with a line break at its end",
  line_break_before: "with a line break before it",
  crlf: "with CRLF at its end",
  space: "with a space at its end",
  quote: "with quotes around it",
};

/** Shows the change that mends the authentication, with a button that applies it. */
export function AdvisedFix({ entry, endpoint }: { entry: LogEntry; endpoint: EndpointRecord }) {
  const change = entry.advice?.change ?? null;
  if (change === null) return null;
  const replaced = replacedBy(change, endpoint.auth, isUnchanged(entry, endpoint));
  if (replaced.length === 0) return <p>The endpoint already has this fix.</p>;
  return (
    <>
      <Table label="Advised changes" columns={COLUMNS} rows={replaced} />
      <p>This request passed under the changed settings.</p>
      <IfMay scope="webhooks:write">
        <form method="post" action={`${requestPath(entry.endpointId, entry.requestId)}/fix`}>
          <p>
            <Submit>Apply this fix</Submit>
          </p>
        </form>
      </IfMay>
    </>
  );
}

/** Returns the settings that a change replaces. An edit of the secret counts until the endpoint changes. */
function replacedBy(
  { secret: edit, ...methods }: AdviceChange,
  auth: EndpointRecord["auth"],
  isFresh: boolean,
): Replaced[] {
  const { hmac, signature, token } = auth;
  const scheme = hmac?.preset === undefined ? {} : presetOf(hmac.preset).scheme;
  const now = { hmac: { ...scheme, ...hmac }, signature, token };
  const settings = Object.entries(methods).flatMap(([method, then]) => {
    const before = Object.entries(now).find(([name]) => name === method)?.[1] ?? {};
    return Object.entries(then).map(([name, value]) => ({
      label: SETTING_LABELS[name] ?? wordsOf(name, true),
      before: textAt(before, name),
      after: String(value ?? ""),
    }));
  });
  const secret = { label: "Secret", before: "as it is stored", after: edit && EDITS[edit] };
  return [...settings, ...(secret.after !== null && isFresh ? [secret] : [])].flatMap(
    ({ label, before, after }) =>
      after === null || before === after ? [] : [{ label, before, after }],
  );
}

const SETTING_LABELS: Record<string, string> = {
  preset: "Sender",
  ...Object.fromEntries(
    Object.entries(SCHEME_FIELDS).map(([name, { label }]) => [
      name.slice("auth.hmac.".length),
      label,
    ]),
  ),
};

function textAt(settings: object, name: string): string {
  const value: unknown = Object.entries(settings).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : "";
}
