import type { ExecutionState } from "../../../../contract/execution.ts";
import { Area } from "../../../components/fields.tsx";
import { Refused } from "../../../components/refused.tsx";
import { NO_FAULTS } from "../../../forms/faults.ts";
import { runPath } from "../paths.ts";
import { isTyped, type Sent, sentTo } from "./forms.ts";
import { isOpen } from "./load.ts";
import { Once } from "./once.tsx";

/**
 * The box for messages. It is never replaced while the page is open, so that nothing which is being
 * typed gets lost; the button below it is, once the run has ended.
 */
export function Say({ state, sent }: { state: ExecutionState; sent: Sent | null }) {
  const again = sentTo("say", sent);
  if (!isOpen(state) && again === null) return null;
  return (
    <section class="card" id="say" aria-labelledby="say-title">
      <h2 id="say-title">Tell it something</h2>
      <form method="post" action={`${runPath(state.executionId)}/message`}>
        <Refused refusal={again?.refusal ?? null} shown={isTyped} />
        <Once />
        <Area
          name="message"
          label="Message to the agent"
          value={again?.text ?? ""}
          faults={again?.refusal.faults ?? NO_FAULTS}
          more={{ required: true, rows: 3, maxlength: 32_000, placeholder: " " }}
        />
        <SayActions state={state} isUpdate={false} />
      </form>
    </section>
  );
}

/** How the message is sent; after the end there is no way. */
export function SayActions({ state, isUpdate }: { state: ExecutionState; isUpdate: boolean }) {
  return (
    <div id="say-actions" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOpen(state) ? (
        <>
          <fieldset class="choices">
            <legend>When it gets it</legend>
            <label>
              <input type="radio" name="mode" value="next_step" checked /> At its next step
            </label>
            <label>
              <input type="radio" name="mode" value="interrupt" /> Now: it gives up the step under
              way
            </label>
          </fieldset>
          <button type="submit">Send</button>
        </>
      ) : (
        <p class="muted over">The run has ended: a message does not reach it any more.</p>
      )}
    </div>
  );
}
