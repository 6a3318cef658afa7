import { PrompthookError } from "../../../client/error.ts";
import { parseExactJson } from "../../../lib/strict-json.ts";
import type { Page } from "../../context.ts";
import { refusalFor, refusalOf } from "../../forms/faults.ts";
import { postedForm } from "../../forms/posted.ts";
import type { RefusedReplay } from "./replay-form.tsx";
import { sendable } from "./request-body.ts";

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
