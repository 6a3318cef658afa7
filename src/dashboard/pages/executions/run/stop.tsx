import type { ExecutionState } from "../../../../contract/execution.ts";
import { Input } from "../../../components/fields.tsx";
import { NO_FAULTS } from "../../../forms/faults.ts";
import { runAgainPath, runPath } from "../paths.ts";
import { isOpen } from "./load.ts";

/** What can be done with the run as a whole. */
export function RunActions({ state, isUpdate }: { state: ExecutionState; isUpdate: boolean }) {
  return (
    <div id="run-actions" class="actions" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOpen(state) ? (
        <Stop path={runPath(state.executionId)} />
      ) : (
        <a class="button" href={runAgainPath(state.executionId)}>
          Run again
        </a>
      )}
    </div>
  );
}

/** Asks whether somebody means it, in a popover that needs no script. */
function Stop({ path }: { path: string }) {
  return (
    <>
      <button type="button" class="danger" popovertarget="stop">
        Stop…
      </button>
      <section id="stop" popover="auto" aria-labelledby="stop-title" class="popover">
        <h2 id="stop-title">Stop this run?</h2>
        <p>
          It ends at once and cannot be taken up again. What it has made stays. What it was doing to
          the outside at this moment may or may not happen.
        </p>
        <form method="post" action={`${path}/stop`}>
          <Input
            name="reason"
            label="Reason (optional)"
            faults={NO_FAULTS}
            more={{ maxlength: 1_000 }}
          />
          <div class="actions">
            <button type="submit" class="danger">
              Stop it
            </button>
            <button type="button" popovertarget="stop" popovertargetaction="hide">
              Let it go on
            </button>
          </div>
        </form>
      </section>
    </>
  );
}
