import * as z from "zod";
import { violationLine } from "../../../contract/problem.ts";
import { failedAuthentication } from "../../../contract/webhooks/log.ts";
import { exactText } from "../../../lib/json-values.ts";
import { parseExactJson } from "../../../lib/strict-json.ts";
import { Submit } from "../../components/elements.tsx";
import { Control, FormErrors, isAnyFaulty } from "../../forms/fields.tsx";
import { type Form, type FormState, field, shownForm } from "../../forms/form.ts";
import { requestPath } from "../../paths.ts";
import { type Logged, type RequestBody, sendable } from "./request-body.tsx";

/** The longest text that a page can edit: its form stays below the limit of a form. */
const MAX_EDITED = 100_000;
const [MIN_ROWS, MAX_ROWS] = [6, 24];

const replayBody = z.object({
  payload: z.custom<ReturnType<typeof sendable>>().exactOptional(),
  acceptUnverified: z.boolean(),
});

/** Returns the form that replays a request: with the payload that is typed, or as it came. */
export function replayForm(text: string): Form<typeof replayBody> {
  const rows = Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split("\n").length + 1));
  return {
    schema: replayBody,
    fields: {
      do: field.line(""),
      payload: field.code("Payload", {
        hint: "JSON that replaces the original payload.",
        more: { rows },
      }),
      acceptUnverified: field.check("Replay although the request did not pass authentication", {
        more: { required: true },
      }),
    },
    assemble({ do: button, payload, acceptUnverified }, fault) {
      if (button !== "edited") return { acceptUnverified };
      const read = parseExactJson(new TextEncoder().encode(String(payload ?? "")));
      if (read.ok) return { acceptUnverified, payload: sendable(read.value) };
      fault("payload", read.detail.replace(/^The body/, "The payload"));
      return { acceptUnverified };
    },
  };
}

/** Returns the payload of a request, or its text where it cannot be parsed. */
export function editableText({ payload, text, isTruncated }: RequestBody): string {
  if (payload !== undefined) return exactText(payload, 2);
  return isTruncated ? "" : (text ?? "");
}

/** Returns the form as it is first shown: with the payload of the request. */
export function shownReplay(body: RequestBody): FormState {
  const payload = editableText(body);
  return shownForm(replayForm(payload), { payload });
}

/** Replays a request, unchanged or with another payload. */
export function ReplayForm({ logged, state }: { logged: Logged; state: FormState }) {
  const { entry, endpoint, body } = logged;
  const { workflowId, routing, withoutWorkflow } = endpoint;
  const isHeld = workflowId === null && routing === null && withoutWorkflow === "hold";
  const held = isHeld ? " The endpoint has no workflow, so the replay is held." : "";
  const { refusal } = state;
  const edited = atPayload(state);
  const isRefused = isAnyFaulty(edited, ["payload"]);
  return (
    <section class="card" id="replay">
      <h2>Replay request</h2>
      <p>
        {`A replay is a new request under the current validation and mapping, without the checks of its sender, age and event id.${held}`}
      </p>
      <FormErrors of={state} hasFocus={!isRefused} />
      {/* The log has what the endpoint's own rules refuse, under the id of the API request. */}
      {refusal?.status === 422 && refusal.requestId !== undefined && (
        <p>
          <a href={requestPath(entry.endpointId, refusal.requestId)}>View request</a>
        </p>
      )}
      <form method="post" action={requestPath(entry.endpointId, entry.requestId, "/replay")}>
        {failedAuthentication(entry, endpoint.auth) && (
          <Control of={state} name="acceptUnverified" />
        )}
        {body.isTruncated ? (
          <p class="hint">
            Only part of the body is stored, so the request cannot be replayed unchanged. Edit the
            payload instead.
          </p>
        ) : (
          <Submit>Replay unchanged</Submit>
        )}
        {editableText(body).length > MAX_EDITED ? (
          <p class="hint">The payload is too long to edit here. Use the API to replay it.</p>
        ) : (
          <details class="editor" open={isRefused}>
            <summary>Edit payload</summary>
            <Control of={edited} name="payload" more={{ autofocus: isRefused }} />
            <button type="submit" name="do" value="edited">
              Replay edited payload
            </button>
          </details>
        )}
      </form>
    </section>
  );
}

/** Gathers all faults of an edited payload at its one control. */
function atPayload(state: FormState): FormState {
  const { refusal, typed } = state;
  if (refusal === null || typed.line("do") !== "edited") return state;
  const texts = [...refusal.faults].map(([path, message]) =>
    violationLine({ path: path === "payload" ? "" : path, message }),
  );
  const faults = new Map(texts.length === 0 ? [] : [["payload", texts.join(" ")]]);
  return { ...state, refusal: { ...refusal, faults } };
}
