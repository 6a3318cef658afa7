import { PrompthookError } from "../../../client/error.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import { parseExactJson } from "../../../lib/strict-json.ts";
import type { Page } from "../../context.ts";
import {
  type Faults,
  NO_FAULTS,
  type Refusal,
  Refused,
  refusalFor,
  refusalOf,
} from "../../forms/errors.tsx";
import { Area } from "../../forms/fields.tsx";
import { postedForm } from "../../forms/posted.ts";
import { requestPath } from "../../paths.ts";
import { payloadText, type RequestBody, sendable } from "./request-body.tsx";

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
  const path = requestPath(entry.endpointId, entry.requestId);
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
          <a href={requestPath(endpointId, requestId)}>See it in the log</a>
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

/** What came of a replay: the id of its entry, or why there is none that runs. */
export type Replayed = { ok: true; requestId: string } | { ok: false; refused: RefusedReplay };

/** Replays a request as the form asks for: with the payload that was typed, or as it was. */
export async function replay(http: Page, endpointId: string, requestId: string): Promise<Replayed> {
  const form = await postedForm(http);
  const { webhooks } = http.get("api");
  if (!form.isOn("payload")) {
    return settle(null, () => webhooks.replay(endpointId, requestId));
  }
  const typed = form.text("payload");
  const read = parseExactJson(new TextEncoder().encode(typed));
  if (!read.ok) {
    const fault = read.detail.replace(/^The body/, "The payload");
    const refusal = refusalFor(new Map([["payload", fault]]));
    return { ok: false, refused: { refusal, typed, requestId: null } };
  }
  const payload = sendable(read.value);
  return settle(typed, () => webhooks.replay(endpointId, requestId, { payload }));
}

async function settle(
  typed: string | null,
  ask: () => Promise<{ requestId: string }>,
): Promise<Replayed> {
  try {
    return { ok: true, requestId: (await ask()).requestId };
  } catch (error) {
    const refusal = refusalOf(error);
    // What the endpoint's own rules refuse is in its log, under the id of the request that asked.
    const isLogged = error instanceof PrompthookError && refusal.status === 422;
    return { ok: false, refused: { refusal, typed, requestId: isLogged ? error.requestId : null } };
  }
}
