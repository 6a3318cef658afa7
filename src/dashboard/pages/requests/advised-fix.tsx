import type { AdviceChange, SecretEdit } from "../../../contract/webhooks/advice.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { presetOf } from "../../../intake/signatures/presets.ts";
import { Submit } from "../../components/elements.tsx";
import { IfMay } from "../../components/reader.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { requestPath } from "../../paths.ts";
import { SCHEME_FIELDS } from "../webhooks/endpoint-fields.tsx";
import { providerOf, tokenPlace } from "../webhooks/senders.ts";
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

type Auth = EndpointRecord["auth"];

/** Returns the settings that a change replaces. An edit of the secret counts until the endpoint changes. */
function replacedBy(change: AdviceChange, auth: Auth, isFresh: boolean): Replaced[] {
  const { hmac, signature, token, secret: edit } = change;
  const all = [
    ...(hmac === undefined ? [] : hmacSettings(auth.hmac ?? {}, hmac)),
    ...(signature === undefined ? [] : settingsOf(auth.signature ?? {}, signature)),
    ...(token === undefined || token.preset !== undefined
      ? []
      : [{ label: "Token", before: tokenPlace(auth.token ?? {}), after: tokenPlace(token) }]),
    ...(edit !== null && isFresh
      ? [{ label: "Secret", before: "as it is stored", after: EDITS[edit] }]
      : []),
  ];
  return all.filter(({ before, after }) => before !== after);
}

type Hmac = Pick<NonNullable<Auth["hmac"]>, "preset">;

function hmacSettings(now: Partial<Hmac>, then: NonNullable<AdviceChange["hmac"]>): Replaced[] {
  const sender = (preset: Hmac["preset"]) =>
    preset === undefined ? "Custom signature" : providerOf(preset).name;
  const after = "preset" in then ? then.preset : undefined;
  const settings = now.preset === undefined ? now : presetOf(now.preset).scheme;
  return [
    { label: "Sender", before: sender(now.preset), after: sender(after) },
    ...(after === undefined ? settingsOf(settings, then) : []),
  ];
}

function settingsOf(now: object, then: object): Replaced[] {
  return Object.entries(SCHEME_FIELDS).map(([name, { label }]) => {
    const key = name.slice("auth.hmac.".length);
    return { label, before: textAt(now, key), after: textAt(then, key) };
  });
}

function textAt(settings: object, name: string): string {
  const value: unknown = Object.entries(settings).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : "";
}
