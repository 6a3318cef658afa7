import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import { PrompthookError } from "../../client/error.ts";
import type { Violation } from "../../contract/problem.ts";
import { invalidByIssues } from "../../http/problem.ts";
import { Notice } from "../components/elements.tsx";

/** What is wrong with what was typed, by the name of its control. */
export type Faults = ReadonlyMap<string, string>;

export const NO_FAULTS: Faults = new Map();

/** A form that was not taken: what to say on top of it and at its controls. */
export interface Refusal {
  status: ContentfulStatusCode;
  message: string;
  faults: Faults;
}

/** Statuses that somebody who fills a form can do something about; others have pages of their own. */
const TOLD: readonly ContentfulStatusCode[] = [400, 402, 403, 409, 413, 422, 429, 503];

/** What a form says of an error; throws those that are not about the form. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof PrompthookError)) throw error;
  const status = TOLD.find((told) => told === error.status);
  if (status === undefined) throw error;
  const message = error.errors.length > 0 ? "Something is not right yet." : error.message;
  return { status, message, faults: faultsOf(error.errors) };
}

/** Faults that were found before anything was sent. */
export function refusalFor(faults: Faults): Refusal {
  return { status: 400, message: "Something is not right yet.", faults };
}

/** Faults by path; several at one path are told one after the other. */
export function faultsOf(violations: readonly Violation[]): Faults {
  const faults = new Map<string, string>();
  for (const { path, message } of violations) {
    const before = faults.get(path);
    // What is not there has all other faults of its kind as well.
    if (before === REQUIRED) continue;
    faults.set(path, before === undefined ? sentence(message) : `${before} ${sentence(message)}`);
  }
  return faults;
}

/** What a schema says against a value, as the API would say it. */
export function faultsByIssues(issues: z.core.$ZodIssue[]): Faults {
  return faultsOf(invalidByIssues("form", issues).errors ?? []);
}

/** The faults whose paths begin like this, each with its path. */
export function faultsUnder(faults: Faults, path: string): [string, string][] {
  return [...faults].filter(
    ([at]) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`),
  );
}

/** The same, with all that is wrong below a path told at the path itself. */
export function gatheredAt(faults: Faults, path: string): Faults {
  const messages = faultsUnder(faults, path).map(([, message]) => message);
  return messages.length === 0 ? faults : new Map([...faults, [path, messages.join(" ")]]);
}

const REQUIRED = "Is required.";

/** A form sends an empty field as an empty text, so a text that needs a character is a missing one. */
const EMPTY = /^must have at least 1 (?:character|item)$/;

/** The API's messages have no subject: "must be a number". */
function sentence(message: string): string {
  if (EMPTY.test(message)) return REQUIRED;
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What came of a form: what was made of it, or why it was not taken. */
export type Attempt<Value> = { ok: true; value: Value } | { ok: false; refusal: Refusal };

/** What was read of a form: the body of an API call, or what is wrong. */
export type Made<Body> = { ok: true; body: Body } | { ok: false; faults: Faults };

/** Calls the API with what was read of a form, unless that was wrong already. */
export async function attempt<Body, Value>(
  made: Made<Body>,
  call: (body: Body) => Promise<Value>,
): Promise<Attempt<Value>> {
  if (!made.ok) return { ok: false, refusal: refusalFor(made.faults) };
  try {
    return { ok: true, value: await call(made.body) };
  } catch (error) {
    return { ok: false, refusal: refusalOf(error) };
  }
}

/** What the controls are called to their readers, by the paths that the API names them by. */
const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "": "Form",
    approvals: "Tools that wait for a yes",
    "auth.hmac.header": "Header of the signature",
    "auth.hmac.idHeader": "Header of the id",
    "auth.hmac.prefix": "Prefix",
    "auth.hmac.secret": "Secret of the signature",
    "auth.hmac.template": "Signed text",
    "auth.hmac.timestampHeader": "Header of the timestamp",
    "auth.hmac.timestampPair": "Pair of the timestamp",
    "auth.ipAllowlist": "IP allowlist",
    "auth.token.header": "Header of the token",
    "auth.token.secret": "Token",
    answer: "Your answer",
    body: "Body",
    callbackSecret: "Callback secret",
    callbackUrl: "Callback URL",
    createdAfter: "Created after",
    createdBefore: "Created before",
    eventId: "Event id",
    expiresIn: "It expires",
    headerName: "Header",
    headerValue: "Value of the header",
    headers: "Headers",
    inputs: "Inputs",
    mapping: "Mapping",
    maxCredits: "Credits at most",
    maxSteps: "Steps at most",
    metadata: "Notes of your own",
    methods: "Methods",
    model: "Model",
    name: "Name",
    outputSchema: "Schema of the result",
    path: "Custom path",
    payload: "Payload",
    prompt: "Prompt",
    receivedAfter: "Received after",
    receivedBefore: "Received before",
    "replayProtection.timestamp": "Time of sending",
    "replayProtection.toleranceSeconds": "Seconds either way",
    requestsPerMinute: "Requests a minute at most",
    retentionDays: "Days that the log is kept",
    secret: "New secret",
    sourceIp: "Sender's address",
    timeoutSeconds: "Seconds at most",
    tools: "Tools",
    url: "Address",
    validation: "Validation",
    workflowId: "Workflow",
  }),
);

/** What a list that has rows calls one of them. */
const ROWS: ReadonlyMap<string, string> = new Map([
  ["inputs", "Input"],
  ["auth.headers", "Header"],
]);

/** What a reader knows the control of this path by; the path itself where it has none. */
export function labelOf(path: string, labels: Readonly<Record<string, string>> = {}): string {
  const label = Object.hasOwn(labels, path) ? labels[path] : LABELS.get(path);
  if (label !== undefined) return label;
  const [, list = "", at, field] = /^(.+)\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const row = ROWS.get(list);
  return row === undefined ? path : `${row} ${Number(at) + 1}, ${field}`;
}

/**
 * What a form was not taken for, on top of it. `shown` tells which faults have a control of their own,
 * `labels` what those are called where the page has a name of its own for them.
 */
export function Refused({
  refusal,
  shown = () => true,
  labels = {},
}: {
  refusal: Refusal | null;
  shown?: (name: string) => boolean;
  labels?: Readonly<Record<string, string>>;
}) {
  if (refusal === null) return null;
  return (
    <Notice tone="bad">
      <p>{refusal.message}</p>
      {refusal.faults.size > 0 && (
        <FaultList faults={refusal.faults} shown={shown} labels={labels} />
      )}
    </Notice>
  );
}

function FaultList({
  faults,
  shown,
  labels,
}: {
  faults: Faults;
  shown: (name: string) => boolean;
  labels: Readonly<Record<string, string>>;
}) {
  return (
    <ul>
      {[...faults].map(([name, message]) => (
        <li>
          {shown(name) ? <a href={`#${name}`}>{labelOf(name, labels)}</a> : <code>{name}</code>}
          {`: ${message}`}
        </li>
      ))}
    </ul>
  );
}
