import type { Child } from "hono/jsx";

/** A column of a table. */
export interface Column<Row> {
  name: string;
  cell(row: Row): Child;
  /** How its cells are set: prose that wraps, numbers to the right, text on one line, a box that selects the row. */
  is?: "wrap" | "num" | "keep" | "select" | undefined;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf?: (row: Row) => string;
  isWide?: boolean;
}

/**
 * A table. On a phone its rows are cards with the names of all columns but the first; `isWide` is for data of any shape, which scrolls sideways in a
 * frame of its own. Rows with ids keep the focus when a live page changes.
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
