import type { ExecutionResult, ExecutionState } from "../../../../contract/execution.ts";
import { Notice } from "../../../components/parts.tsx";
import { resultPath } from "../paths.ts";
import { DETAILS } from "../words.ts";
import { isOpen } from "./load.ts";
import { LongJson, LongText } from "./values.tsx";

/** How it ended; nothing before. */
export function Outcome({
  state,
  result,
  isUpdate,
}: {
  state: ExecutionState;
  result: ExecutionResult;
  isUpdate: boolean;
}) {
  return (
    <div id="outcome" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {!isOpen(state) && <Ended result={result} />}
    </div>
  );
}

function Ended({ result }: { result: ExecutionResult }) {
  const { error, presentedResult } = result;
  const { summary, data } = presentedResult;
  return (
    <>
      {error === undefined ? (
        <section class="card" aria-labelledby="result-title">
          <h2 id="result-title">Result</h2>
          <LongText text={summary} />
        </section>
      ) : (
        <Notice tone="bad">
          <strong>{`${DETAILS[error.code]}.`}</strong>
          <p class="plain">{error.message}</p>
        </Notice>
      )}
      {data !== undefined && (
        <section class="card" aria-labelledby="data-title">
          <h2 id="data-title">Data</h2>
          <LongJson value={data} label="Data as JSON" whole={resultPath(result.executionId)} />
        </section>
      )}
    </>
  );
}
