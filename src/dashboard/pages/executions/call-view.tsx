import type { Child } from "hono/jsx";
import type { Output } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { incompleteBy } from "./labels.ts";
import type { CallRow, TimelineRow } from "./timeline.ts";
import { FileOutput, ValueView } from "./values.tsx";

/** What the calls of an execution refer to: earlier calls by their ids, and files by their outputs. */
export interface CallContext {
  executionId: string;
  calls: ReadonlyMap<string, CallRow>;
  outputs: ReadonlyMap<string, Output>;
}

/** Returns the context of these rows. */
export function callContext(
  executionId: string,
  rows: readonly TimelineRow[],
  outputs: readonly Output[],
): CallContext {
  return {
    executionId,
    calls: new Map(
      rows.flatMap((row) => (row.kind === "call" ? [[row.callId, row] as const] : [])),
    ),
    outputs: new Map(outputs.map((output) => [output.outputId, output])),
  };
}

/** A call with its input, and its result or error. */
export function CallDetails({ row, context }: { row: CallRow; context: CallContext }) {
  const { input, result, error, isTruncated, cuts, outputs } = row;
  // Regions of a page need names of their own.
  const of = `of event ${row.seqs[0]}`;
  return (
    <div class="call">
      {input !== undefined && (
        <Part title="Input">
          <CallInput input={input} context={context} label={`Input ${of}`} />
        </Part>
      )}
      {error !== null && (
        <Part title="Error">
          <p class="trouble-text">
            {error.message} <code>{error.code}</code>
          </p>
        </Part>
      )}
      {result !== undefined && error === null && (
        <Part title="Result">
          <ValueView value={result} label={`Result ${of}`} isFolded />
        </Part>
      )}
      {cuts.length > 0 && <p class="hint">{incompleteBy(cuts)}</p>}
      {isTruncated && <p class="hint">The log keeps the first 16,384 characters of long values.</p>}
      {outputs.map(({ outputId }) => {
        const output = context.outputs.get(outputId);
        if (output?.type !== "file") return null;
        return <FileOutput executionId={context.executionId} output={output} />;
      })}
    </div>
  );
}

function Part({ title, children }: { title: string; children: Child }) {
  return (
    <div class="call-part">
      <p class="part-name">{title}</p>
      {children}
    </div>
  );
}

/** The input of a call, in which earlier calls have their names. */
export function CallInput({
  input,
  context,
  label,
}: {
  input: Json;
  context: CallContext;
  label: string;
}) {
  return <ValueView value={input} label={label} nameOf={(id) => nameOf(id, context)} />;
}

/** Returns the files that a call created, else its title; a text that is no call's id is returned unchanged. */
function nameOf(callId: string, { calls, outputs }: CallContext): string {
  const call = calls.get(callId);
  if (call === undefined) return callId;
  const names = call.outputs.map(({ outputId, label }) => outputs.get(outputId)?.filename ?? label);
  return names.join(", ") || call.title;
}
