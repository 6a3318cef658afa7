import type { Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { DataTable } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";

/** Columns that a table of objects has at most: with more of them each object reads better alone. */
const MOST_COLUMNS = 12;

/** A list of objects of one kind as a table; null where it is none. */
export function tableOf(value: Json): Table | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const columns = columnsOf(value[0]);
  if (columns === null) return null;
  const rows: Json[][] = [];
  for (const item of value) {
    if (columnsOf(item)?.join("\0") !== columns.join("\0") || !isFlat(item)) return null;
    rows.push(Object.values(item));
  }
  return { columns, rows };
}

function columnsOf(item: Json | undefined): string[] | null {
  if (item === undefined || !isFlat(item)) return null;
  const names = Object.keys(item);
  return names.length === 0 || names.length > MOST_COLUMNS ? null : names;
}

function isFlat(item: Json): item is { [name: string]: Json } {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return false;
  return Object.values(item).every((value) => value === null || typeof value !== "object");
}

/** A piece of a text: what is to be read as it stands, or a table in Markdown. */
export type Piece = { text: string } | { table: Table };

/** Takes a text apart at its tables. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let prose: string[] = [];
  const endProse = () => {
    const said = prose.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
    if (said !== "") pieces.push({ text: said });
    prose = [];
  };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const found = tableAt(lines, at);
    if (found === null) {
      prose.push(lines[at] ?? "");
      continue;
    }
    endProse();
    pieces.push({ table: found });
    at += found.rows.length + 1;
  }
  endProse();
  return pieces;
}

/** The table that begins at this line: its names, a line of dashes, its rows. */
function tableAt(lines: readonly string[], at: number): Table | null {
  const columns = cellsOf(lines[at]);
  const dashes = cellsOf(lines[at + 1]);
  if (columns === null || dashes?.length !== columns.length) return null;
  if (!dashes.every((cell) => /^:?-+:?$/.test(cell))) return null;
  const rows: string[][] = [];
  for (let next = at + 2; ; next += 1) {
    const cells = cellsOf(lines[next]);
    if (cells === null) return { columns, rows };
    rows.push(columns.map((_, column) => cells[column] ?? ""));
  }
}

/** The cells of a line of a table; `\|` is a bar within one. */
function cellsOf(line: string | undefined): string[] | null {
  const inner = /^\s*\|(.*)\|\s*$/.exec(line ?? "")?.[1];
  if (inner === undefined) return null;
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

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
