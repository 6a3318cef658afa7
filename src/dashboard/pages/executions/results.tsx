import {
  type Effect,
  type ExecutionResult,
  type ExecutionState,
  type Output,
  type Table,
  table,
} from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { Address, Badge, DataTable, Notice, Time } from "../../components/elements.tsx";
import { formatNumber } from "../../format.ts";
import { executionPath, outputFilePath, outputPath } from "../../paths.ts";
import { type ShownLog, SourceLinks } from "./event-log.tsx";
import { DETAIL_LABELS, EFFECT_LABELS } from "./labels.ts";
import { isOpen } from "./load.ts";
import { LongJson, LongText, type Piece, piecesOf, Rows, tableOf } from "./values.tsx";
/** The outcome of an execution that has ended. */
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
  const { error, outputs, presentedResult } = result;
  const { summary, data } = presentedResult;
  const isOutput = outputs.some(({ value }) => JSON.stringify(value) === JSON.stringify(data));
  return (
    <>
      {error === undefined ? (
        <section class="card" aria-labelledby="result-title">
          <h2 id="result-title">Result</h2>
          <Summary text={summary} data={data} />
        </section>
      ) : (
        <Notice tone="bad">
          <strong>{`${DETAIL_LABELS[error.code]}.`}</strong>
          <p class="plain">{error.message}</p>
        </Notice>
      )}
      {data !== undefined && !isOutput && (
        <section class="card" aria-labelledby="data-title">
          <h2 id="data-title">Data</h2>
          <LongJson
            value={data}
            label="Data as JSON"
            whole={`${executionPath(result.executionId)}/result`}
          />
        </section>
      )}
    </>
  );
}

/** The summary with its tables; a table that the data repeats is left to the data. */
function Summary({ text, data }: { text: string; data: Json | undefined }) {
  const below = data === undefined ? null : tableOf(data);
  const pieces: Piece[] = [];
  for (const piece of piecesOf(text)) {
    const last = pieces.at(-1);
    const said = "table" in piece && isLike(piece.table, below) ? IN_DATA : piece;
    if (last !== undefined && "text" in last && "text" in said) {
      last.text += `\n\n${said.text}`;
    } else {
      pieces.push({ ...said });
    }
  }
  return (
    <>
      {pieces.map((piece, at) =>
        "text" in piece ? (
          <LongText text={piece.text} />
        ) : (
          <Rows table={piece.table} label={`Result, part ${at + 1}`} />
        ),
      )}
    </>
  );
}

const IN_DATA: Piece = { text: "(See the data below.)" };

function isLike(one: Table, other: Table | null): boolean {
  if (other?.rows.length !== one.rows.length) return false;
  return one.columns.join("\0") === other.columns.join("\0");
}

/** The external effects of the execution. */
export function Effects({
  effects,
  isOver,
  isUpdate,
}: {
  effects: readonly Effect[];
  isOver: boolean;
  isUpdate: boolean;
}) {
  return (
    <div id="effects" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {effects.length > 0 && (
        <section aria-labelledby="effects-title" class="part">
          <h2 id="effects-title">External effects</h2>
          <DataTable
            label="Effects"
            columns={["State", "Tool", "Target", "When"]}
            id="effects-table"
          >
            {effects.map((effect) => (
              <EffectRow effect={effect} isOver={isOver} />
            ))}
          </DataTable>
        </section>
      )}
    </div>
  );
}

/** Returns a text that changes with the states of the effects. */
export function effectsKey(effects: readonly Effect[]): string {
  return effects.map(({ state }) => state.charAt(0)).join("");
}

/** An effect without a result counts as uncertain; during the execution it is mostly in progress. */
function EffectRow({ effect, isOver }: { effect: Effect; isOver: boolean }) {
  const { state, tool, target, at } = effect;
  return (
    <tr>
      <td class="wrap">
        <Badge state={state} />
        <div class="muted">
          {state === "uncertain" && !isOver ? "In progress, or interrupted." : EFFECT_LABELS[state]}
        </div>
      </td>
      <td class="whole">
        <code>{tool}</code>
      </td>
      <td class="wrap">{target}</td>
      <td>
        <Time at={at} />
      </td>
    </tr>
  );
}

/** The outputs; new ones are added below. */
export function Outputs({ outputs, shown }: { outputs: readonly Output[]; shown: ShownLog }) {
  return (
    <section aria-labelledby="outputs-title" class="part">
      <h2 id="outputs-title">Outputs</h2>
      <div id="outputs">
        <OutputCards outputs={outputs} shown={shown} />
      </div>
      <p class="muted none">No outputs yet.</p>
    </section>
  );
}

/** Outputs with their values. */
export function OutputCards({ outputs, shown }: { outputs: readonly Output[]; shown: ShownLog }) {
  return (
    <>
      {outputs.map((output) => (
        <OutputCard output={output} shown={shown} />
      ))}
    </>
  );
}

function OutputCard({ output, shown }: { output: Output; shown: ShownLog }) {
  const { outputId, label, nodeType, type, createdAt, sources } = output;
  return (
    <article class="card output" id={outputId} aria-labelledby={`${outputId}-label`}>
      <header>
        <h3 id={`${outputId}-label`}>{label}</h3>
        <p class="muted output-kind">
          {`${type} · ${nodeType.toLowerCase().replaceAll("_", " ")} · `}
          <Time at={createdAt} />
        </p>
      </header>
      <OutputValue executionId={shown.executionId} output={output} />
      <SourceLinks shown={shown} sources={sources} />
    </article>
  );
}

interface ValueProps {
  executionId: string;
  output: Output;
}

function OutputValue({ executionId, output }: ValueProps) {
  const { outputId, label, type, value, url = "" } = output;
  const whole = outputPath(executionId, outputId, "json");
  switch (type) {
    case "file":
      return <OutputFile executionId={executionId} output={output} />;
    case "link":
      return (
        <p>
          <Address url={url} />
        </p>
      );
    case "table":
      return <OutputTable executionId={executionId} output={output} />;
    case "text":
      return (
        <LongText text={typeof value === "string" ? value : JSON.stringify(value)} whole={whole} />
      );
    case "json":
      return <LongJson value={value ?? null} label={`${label} (${outputId})`} whole={whole} />;
  }
}

function OutputFile({ executionId, output }: ValueProps) {
  const { outputId, filename = outputId, mediaType, sizeBytes = 0 } = output;
  return (
    <p>
      <a class="button" href={outputFilePath(executionId, outputId)}>
        {`Download ${filename}`}
      </a>{" "}
      <span class="muted">{`${mediaType}, ${formatNumber(sizeBytes)} bytes`}</span>
    </p>
  );
}

function OutputTable({ executionId, output: { outputId, label, value } }: ValueProps) {
  const whole = outputPath(executionId, outputId, "json");
  const read = table.safeParse(value);
  if (!read.success)
    return <LongJson value={value ?? null} label={`${label} (${outputId})`} whole={whole} />;
  const csv = outputPath(executionId, outputId, "csv");
  return <Rows table={read.data} label={`${label} (${outputId})`} csv={csv} json={whole} />;
}
