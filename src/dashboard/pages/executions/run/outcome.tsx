import type { ExecutionResult, ExecutionState, Table } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import { Notice } from "../../../components/parts.tsx";
import { resultPath } from "../paths.ts";
import { DETAILS } from "../words.ts";
import { isOpen } from "./load.ts";
import { type Piece, piecesOf, tableOf } from "./tables.ts";
import { LongJson, LongText, Rows } from "./values.tsx";

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
          <Summary text={summary} data={data} />
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

/** What was said, its tables as such; one that the data repeats is left to the data. */
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

const IN_DATA: Piece = { text: "(These rows are the data below.)" };

function isLike(one: Table, other: Table | null): boolean {
  if (other?.rows.length !== one.rows.length) return false;
  return one.columns.join("\0") === other.columns.join("\0");
}
