import type { Child } from "hono/jsx";
import { formatNumber, formatUsd } from "../format.ts";
import { NoValue } from "./elements.tsx";

/** A column of a table. */
export interface Column<Row> {
  name: string;
  cell(row: Row): Child;
  /** How its cells are set: prose, or a name, that wraps, numbers to the right, text on one line, a box that selects. */
  is?: "wrap" | "name" | "num" | "keep" | "select" | undefined;
  /** Returns what stands below the column, which is about these rows alone. */
  total?(rows: readonly Row[]): Child;
}

/** Returns a column of numbers that add up, with their sum below; null is a number that is not known. */
export function sumColumn<Row>(
  name: string,
  of: (row: Row) => number | null,
  format: (value: number) => string = formatNumber,
): Column<Row> {
  const shown = (value: number | null) => (value === null ? <NoValue /> : format(value));
  const plus = (sum: number | null, value: number | null) =>
    sum === null || value === null ? null : sum + value;
  return {
    name,
    is: "num",
    cell: (row) => shown(of(row)),
    total: (rows) => shown(rows.map(of).reduce(plus, 0)),
  };
}

/** Returns a column of what tokens cost, with a dash where the price is not known. */
export function costColumn<Row extends { costUsd: number }>(
  name: string,
  isPriced: (row: Row) => boolean,
): Column<Row> {
  const aligned = (value: number) => formatUsd(value, true);
  return {
    ...sumColumn<Row>(name, ({ costUsd }) => costUsd, aligned),
    cell: (row) => (row.costUsd > 0 || isPriced(row) ? aligned(row.costUsd) : <NoValue />),
  };
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf?: (row: Row) => string;
  isWide?: boolean;
}

/**
 * A table. On a phone its rows are cards with the names of all columns but the first; `isWide` is for data of
 * any shape, which scrolls sideways in a frame of its own. Rows with ids keep the focus when a live page changes.
 */
export function Table<Row>({ label, columns, rows, idOf, isWide = false }: TableProps<Row>) {
  const table = (
    <table class={isWide ? "data" : "listing"} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ name, is }) => (
            <th scope="col" {...((is === "num" || is === "select") && { class: is })}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr {...(idOf && { id: idOf(row) })}>
            {columns.map(({ name, cell, is }) => (
              <td {...(is && { class: is })} {...(!isWide && { "data-label": name })}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <Totals columns={columns} rows={rows} isWide={isWide} />
    </table>
  );
  if (!isWide) return <div class="table-frame">{table}</div>;
  return (
    // What scrolls must be reachable by keyboard (axe: scrollable-region-focusable).
    <section class="table-frame scrolls" aria-label={label} tabindex={0}>
      {table}
    </section>
  );
}

/** The sums of several rows; a page of a list says nothing of the rows on other pages. */
function Totals<Row>({
  columns,
  rows,
  isWide,
}: Pick<TableProps<Row>, "columns" | "rows" | "isWide">) {
  const first = columns.findIndex(({ total }) => total !== undefined);
  if (first < 1 || rows.length < 2) return null;
  return (
    <tfoot>
      <tr>
        <th scope="row" colspan={first}>
          {`Total of these ${formatNumber(rows.length)} rows`}
        </th>
        {columns.slice(first).map(({ name, is, total }) => (
          <td {...(is && { class: is })} {...(!isWide && { "data-label": name })}>
            {total?.(rows)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** The link of a row, which all of the row follows; `isCurrent` for the row that is shown beside the table. */
export function RowLink({
  href,
  id,
  isCurrent = false,
  children,
}: {
  href: string;
  id?: string;
  isCurrent?: boolean;
  children: Child;
}) {
  const more = { ...(id !== undefined && { id }), ...(isCurrent && { "aria-current": "true" }) };
  return (
    <a {...more} class="row-link" href={href}>
      {children}
    </a>
  );
}

/** A part of a page with a table; `rows` may be why there is none, and `nothing` stands for no rows. */
export function TablePart<Row>({
  title,
  rows,
  nothing,
  children,
  ...table
}: Omit<TableProps<Row>, "label" | "rows"> & {
  title: string;
  rows: readonly Row[] | string;
  nothing: Child;
  /** Below the table. */
  children?: Child;
}) {
  const isText = typeof rows === "string";
  return (
    <section class="part">
      <h2>{title}</h2>
      {isText || rows.length === 0 ? (
        <p class="muted">{isText ? rows : nothing}</p>
      ) : (
        <>
          <Table label={title} rows={rows} {...table} />
          {children}
        </>
      )}
    </section>
  );
}
