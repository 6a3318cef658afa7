import { PrompthookError } from "../../../client/error.ts";
import { violationLine } from "../../../contract/problem.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { failedAuthentication, type LogEntry } from "../../../contract/webhooks/log.ts";
import { exactText } from "../../../lib/json-values.ts";
import { parseExactJson } from "../../../lib/strict-json.ts";
import { Submit } from "../../components/elements.tsx";
import type { Page } from "../../context.ts";
import {
  ErrorSummary,
  type Faults,
  NO_FAULTS,
  type Refusal,
  refusalFor,
  refusalOf,
} from "../../forms/errors.tsx";
import { Area } from "../../forms/fields.tsx";
import { postedForm } from "../../forms/posted.ts";
import { requestPath } from "../../paths.ts";
import { type RequestBody, sendable } from "./request-body.tsx";

/** The longest text that a page can edit: its form stays below the limit of a form. */
const MAX_EDITED = 100_000;

const [MIN_ROWS, MAX_ROWS] = [6, 24];

/** A replay that was refused. */
export interface RefusedReplay {
  refusal: Refusal;
  /** The payload that was typed; null for an unchanged replay. */
  typed: string | null;
  /** The log entry that the refused replay left, if any. */
  requestId: string | null;
}

/** The outcome of a replay: the id of its log entry, or why it was refused. */
export type Replayed = { ok: true; requestId: string } | { ok: false; refused: RefusedReplay };

/** Replays a request as the form asks for: with the payload that was typed, or unchanged. */
export async function replay(http: Page, endpointId: string, requestId: string): Promise<Replayed> {
  const form = await postedForm(http);
  const { webhooks } = http.get("api");
  const acceptUnverified = form.isOn("acceptUnverified");
  if (!form.isOn("payload")) {
    return settle(null, () => webhooks.replay(endpointId, requestId, { acceptUnverified }));
  }
  const typed = form.text("payload");
  const read = parseExactJson(new TextEncoder().encode(typed));
  if (!read.ok) {
    const fault = read.detail.replace(/^The body/, "The payload");
    const refusal = refusalFor(new Map([["payload", fault]]));
    return { ok: false, refused: { refusal, typed, requestId: null } };
  }
  const payload = sendable(read.value);
  return settle(typed, () => webhooks.replay(endpointId, requestId, { payload, acceptUnverified }));
}

async function settle(
  typed: string | null,
  call: () => Promise<{ requestId: string }>,
): Promise<Replayed> {
  try {
    return { ok: true, requestId: (await call()).requestId };
  } catch (error) {
    const refusal = refusalOf(error);
    // The log has what the endpoint's own rules refuse, under the id of the API request.
    const isLogged = error instanceof PrompthookError && refusal.status === 422;
    return { ok: false, refused: { refusal, typed, requestId: isLogged ? error.requestId : null } };
  }
}

/** Replays a request, unchanged or with another payload. */
export function ReplayForm({
  entry,
  endpoint,
  body,
  refused,
}: {
  entry: LogEntry;
  endpoint: EndpointRecord;
  body: RequestBody;
  refused: RefusedReplay | null;
}) {
  const path = requestPath(entry.endpointId, entry.requestId);
  const isUnverified = failedAuthentication(entry, endpoint.auth);
  const held =
    endpoint.workflowId === null ? " The endpoint has no workflow, so the replay is held." : "";
  return (
    <section class="card" id="replay">
      <h2>Replay request</h2>
      <p>
        {`A replay is a new request under the current validation and mapping, without the checks of its sender, age and event id.${held}`}
      </p>
      {refused !== null && <RefusedNotice refused={refused} endpointId={entry.endpointId} />}
      {body.isTruncated ? (
        <p class="hint">
          Only part of the body is stored, so the request cannot be replayed unchanged. Edit the
          payload instead.
        </p>
      ) : (
        <form method="post" action={`${path}/replay`}>
          {isUnverified && <AcceptUnverified id="accept-unverified" />}
          <Submit>Replay unchanged</Submit>
        </form>
      )}
      <Editor
        path={path}
        text={refused?.typed ?? editableText(body)}
        refused={refused}
        isUnverified={isUnverified}
      />
    </section>
  );
}

function Editor({
  path,
  text,
  refused,
  isUnverified,
}: {
  path: string;
  text: string;
  refused: RefusedReplay | null;
  isUnverified: boolean;
}) {
  const isRefused = refused !== null && refused.typed !== null;
  if (text.length > MAX_EDITED && !isRefused) {
    return <p class="hint">The payload is too long to edit here. Use the API to replay it.</p>;
  }
  return (
    <details class="editor" open={isRefused}>
      <summary>Edit payload</summary>
      <form method="post" action={`${path}/replay`}>
        <Area
          name="payload"
          label="Payload"
          hint="JSON that replaces the original payload."
          value={text}
          code={true}
          faults={isRefused ? atPayload(refused.refusal.faults) : NO_FAULTS}
          more={{
            rows: Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split("\n").length + 1)),
            required: true,
            // The form is far down the page.
            autofocus: isRefused,
          }}
        />
        {isUnverified && <AcceptUnverified id="accept-unverified-edited" />}
        <Submit>Replay edited payload</Submit>
      </form>
    </details>
  );
}

/** Asks before a request is replayed that anyone can have sent. */
function AcceptUnverified({ id }: { id: string }) {
  return (
    <div class="check">
      <input type="checkbox" id={id} name="acceptUnverified" required />
      <label for={id}>Replay although the request did not pass authentication</label>
    </div>
  );
}

function RefusedNotice({ refused, endpointId }: { refused: RefusedReplay; endpointId: string }) {
  const { refusal, requestId } = refused;
  return (
    <div tabindex={-1} autofocus={refused.typed === null}>
      <ErrorSummary refusal={refusal} labelOf={(name) => (name === "payload" ? "Payload" : null)} />
      {requestId !== null && (
        <p>
          <a href={requestPath(endpointId, requestId)}>View request</a>
        </p>
      )}
    </div>
  );
}

/** Gathers all faults of a payload at its one control. */
function atPayload(faults: Faults): Faults {
  const texts = [...faults].map(([path, message]) =>
    violationLine({ path: path === "payload" ? "" : path, message }),
  );
  return texts.length === 0 ? NO_FAULTS : new Map([["payload", texts.join(" ")]]);
}

/** Returns the payload of a request, or its text where it cannot be parsed. */
function editableText({ payload, text, isTruncated }: RequestBody): string {
  if (payload !== undefined) return exactText(payload, 2);
  return isTruncated ? "" : (text ?? "");
}
