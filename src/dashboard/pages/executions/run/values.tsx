import type { Table } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import { JsonView } from "../../../components/json-view.tsx";
import { DataTable } from "../../../components/parts.tsx";
import { tableOf } from "./tables.ts";

/** Characters of a text, or of JSON, that a page shows. */
const MOST_CHARACTERS = 20_000;
/** Characters of JSON that a page lets fold: more of it would be too much for a browser. */
const MOST_FOLDING = 60_000;
/** Rows of a table that a page shows. */
const MOST_ROWS = 100;
/** Characters of one cell of a table. */
const MOST_IN_CELL = 1_000;
/** An address, say, which would make its column wider than the page. */
const LONG_WORD = /\S{30}/;

/** A text as it is, its beginning where it is long. `whole` is where all of it is. */
export function LongText({ text, whole }: { text: string; whole?: string }) {
  const isCut = text.length > MOST_CHARACTERS;
  return (
    <>
      <pre class="plain" tabindex={0}>
        {/* A browser drops the first end of a line. */}
        {text.startsWith("\n") ? `\n${beginning(text)}` : beginning(text)}
      </pre>
      {isCut && <Whole size={text.length} whole={whole} />}
    </>
  );
}

/**
 * JSON that folds, in a frame that scrolls; a list of like objects as a table; long JSON as text, its
 * beginning.
 */
export function LongJson({ value, label, whole }: { value: Json; label: string; whole?: string }) {
  const table = tableOf(value);
  if (table !== null) return <Rows table={table} label={label} {...(whole && { json: whole })} />;
  const text = JSON.stringify(value, null, 2);
  if (text.length > MOST_FOLDING)
    return <LongText text={text} {...(whole !== undefined && { whole })} />;
  return (
    // What scrolls must be reachable by keyboard (axe: scrollable-region-focusable).
    <section class="json-frame" aria-label={label} tabindex={0}>
      <JsonView value={value} />
    </section>
  );
}

/** A table, its beginning where it is long; `csv` and `json` are where all of it is. */
export function Rows({
  table: { columns, rows },
  label,
  csv,
  json,
}: {
  table: Table;
  label: string;
  csv?: string;
  json?: string;
}) {
  const shown = rows.slice(0, MOST_ROWS);
  const first = `The first ${MOST_ROWS} of ${rows.length.toLocaleString("en")} rows.`;
  const isCut = shown.length < rows.length;
  return (
    <>
      <DataTable label={label} columns={columns}>
        {shown.map((row) => (
          <tr>
            {row.map((cell) => (
              <Cell value={cell} />
            ))}
          </tr>
        ))}
      </DataTable>
      {json === undefined ? (
        isCut && <p class="muted">{first}</p>
      ) : (
        <p class="muted">
          {isCut ? `${first} The whole as ` : "As "}
          {csv !== undefined && (
            <>
              <a href={csv}>CSV</a>
              {" or "}
            </>
          )}
          <a href={json}>JSON</a>
        </p>
      )}
    </>
  );
}

/** A value within a table; one with words too long for a column may be broken anywhere. */
function Cell({ value }: { value: Json }) {
  if (value === null) {
    return (
      <td>
        <span class="muted">–</span>
      </td>
    );
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const shown = text.length <= MOST_IN_CELL ? text : `${text.slice(0, MOST_IN_CELL)}…`;
  return <td {...(LONG_WORD.test(shown) && { class: "wrap" })}>{shown}</td>;
}

function beginning(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

function Whole({ size, whole }: { size: number; whole: string | undefined }) {
  const first = `The first ${MOST_CHARACTERS.toLocaleString("en")} of ${size.toLocaleString("en")} characters.`;
  return (
    <p class="muted">
      {first}
      {whole !== undefined && (
        <>
          {" "}
          <a href={whole}>The whole</a>
        </>
      )}
    </p>
  );
}
