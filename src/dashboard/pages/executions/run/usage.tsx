import type { ExecutionResult, ExecutionState } from "../../../../contract/execution.ts";
import { countOf } from "../words.ts";
import { isOpen } from "./load.ts";

/** What it took, once it is over. */
export function Usage({
  state,
  result: { usage, creditsConsumed },
  isUpdate,
}: {
  state: ExecutionState;
  result: ExecutionResult;
  isUpdate: boolean;
}) {
  const number = (count: number) => count.toLocaleString("en");
  return (
    <div id="usage" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {!isOpen(state) && (
        <>
          <h3>What it took</h3>
          <dl class="facts">
            <dt>Credits</dt>
            <dd>{number(creditsConsumed)}</dd>
            <dt>Calls</dt>
            <dd>{`${countOf(usage.modelSteps, "model step")}, ${countOf(usage.toolCalls, "tool call")}`}</dd>
            <dt>Tokens</dt>
            <dd>
              {`${number(usage.inputTokens)} in (${number(usage.cachedTokens)} cached), ${number(usage.outputTokens)} out`}
            </dd>
          </dl>
        </>
      )}
    </div>
  );
}
