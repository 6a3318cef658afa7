import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import { Area } from "../../components/fields.tsx";
import { Refused } from "../../components/refused.tsx";
import { type Faults, NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import { entryPath } from "./paths.ts";
import { payloadText, type RequestBody } from "./request-body.ts";

/** Characters that can be edited in a page: what a form then sends is below what one may. */
const MOST_EDITED = 100_000;

const [LEAST_ROWS, MOST_ROWS] = [6, 24];

/** A replay that was not taken. */
export interface RefusedReplay {
  refusal: Refusal;
  /** What was typed; null for a replay as it was. */
  typed: string | null;
  /** The entry of the log that it became all the same. */
  requestId: string | null;
}

/** Runs a request again, as it was or with another payload. */
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
  const path = entryPath(entry.endpointId, entry.requestId);
  return (
    <section class="card snug" id="replay">
      <h2>Replay</h2>
      <p>
        {`It becomes a new entry of the log, under today's validation and mapping${
          endpoint.workflowId === null ? ", and is held, since the endpoint has no workflow" : ""
        }. A replay is never a duplicate: who sent it, its age and its event id are not checked again. This entry stays as it is.`}
      </p>
      {refused !== null && <RefusedNotice refused={refused} endpointId={entry.endpointId} />}
      {body.isTruncated ? (
        <p class="hint">
          It cannot be replayed as it was: not all of its body was kept. It can with another
          payload.
        </p>
      ) : (
        <form method="post" action={`${path}/replay`}>
          <button type="submit" class="primary">
            Replay as it was
          </button>
        </form>
      )}
      <Editor path={path} text={refused?.typed ?? editableText(body)} refused={refused} />
    </section>
  );
}

function Editor({
  path,
  text,
  refused,
}: {
  path: string;
  text: string;
  refused: RefusedReplay | null;
}) {
  const isRefused = refused !== null && refused.typed !== null;
  if (text.length > MOST_EDITED && !isRefused) {
    return (
      <p class="hint">
        The payload is too long to be edited here. Send it to the API's replay route instead.
      </p>
    );
  }
  return (
    <details class="editor" open={isRefused}>
      <summary>Edit the payload, then replay</summary>
      <form method="post" action={`${path}/replay`}>
        <Area
          name="payload"
          label="Payload"
          hint="JSON. It is run in place of what came."
          value={text}
          code={true}
          faults={isRefused ? atPayload(refused.refusal.faults) : NO_FAULTS}
          more={{
            rows: Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split("\n").length + 1)),
            required: true,
            // What was refused is far down the page.
            autofocus: isRefused,
          }}
        />
        <button type="submit" class="primary">
          Replay with this payload
        </button>
      </form>
    </details>
  );
}

function RefusedNotice({ refused, endpointId }: { refused: RefusedReplay; endpointId: string }) {
  const { refusal, requestId } = refused;
  return (
    <div tabindex={-1} autofocus={refused.typed === null}>
      <Refused refusal={refusal} shown={(name) => name === "payload"} />
      {requestId !== null && (
        <p>
          <a href={entryPath(endpointId, requestId)}>See it in the log</a>
        </p>
      )}
    </div>
  );
}

/** All that is wrong with a payload, at its one control. */
function atPayload(faults: Faults): Faults {
  const told = [...faults].map(([path, message]) =>
    path === "payload" ? message : `${path}: ${message}`,
  );
  return told.length === 0 ? NO_FAULTS : new Map([["payload", told.join(" ")]]);
}

/** What is read in the request; where that is nothing, its text, so that it can be mended. */
function editableText({ payload, text, isTruncated }: RequestBody): string {
  if (payload !== undefined) return payloadText(payload);
  return isTruncated ? "" : (text ?? "");
}
