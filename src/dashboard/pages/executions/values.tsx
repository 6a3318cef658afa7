import * as z from "zod";
import { type Json, json } from "../../../contract/json.ts";
import type { FileOutput as FileItem, Table } from "../../../contract/outputs.ts";
import { isObject } from "../../../lib/json-values.ts";
import { wordsOf } from "../../../lib/text.ts";
import { Address, Facts, isWebAddress, NoValue } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay } from "../../components/layout.tsx";
import { type Column, Table as DataTable } from "../../components/table.tsx";
import { formatBytes, formatNumber } from "../../format.ts";

/** The most columns of a table of objects: with more, single objects read better. */
const MAX_COLUMNS = 12;

/** Returns a list of objects with the same fields as a table, or null for another value. */
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
  return names.length === 0 || names.length > MAX_COLUMNS ? null : names;
}

function isFlat(item: Json): item is { [name: string]: Json } {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return false;
  return Object.values(item).every((value) => value === null || typeof value !== "object");
}

/** Rows with named columns, as tools take and return them. */
const sheet = z.object({
  columns: z.array(
    z.union([
      z.string(),
      z
        .object({ name: z.string(), header: z.string().optional() })
        .transform(({ name, header }) => header ?? name),
    ]),
  ),
  rows: z.array(z.array(json)),
});

/** Addresses of an e-mail, one or several. */
const addresses = z.union([z.string(), z.array(z.string()).transform((all) => all.join(", "))]);

/** An e-mail: as a call sends it, or as an output keeps it. */
const email = z
  .object({
    from: z.string().optional(),
    to: addresses,
    cc: addresses.default(""),
    replyTo: z.string().optional(),
    subject: z.string(),
    text: z.string().default(""),
    html: z.string().default(""),
    attachments: z
      .array(
        z.union([z.string(), z.object({ filename: z.string() }).transform((one) => one.filename)]),
      )
      .default([]),
    route: z.string().optional(),
  })
  .catchall(json);

/** An e-mail as its reader gets it, then its other members. */
function Email({ of, label }: { of: z.output<typeof email>; label: string }) {
  const { from, to, cc, replyTo, subject, text, html, attachments, route, ...rest } = of;
  const isKept = route === "outbox";
  return (
    <>
      <Facts
        facts={[
          from !== undefined && ["From", from],
          ["To", to],
          cc !== "" && ["Cc", cc],
          replyTo !== undefined && ["Reply to", replyTo],
          ["Subject", <strong>{subject}</strong>],
          attachments.length > 0 && ["Attachments", attachments.join(", ")],
          isKept && ["Delivery", "Stored here only: no e-mail delivery is set up."],
        ]}
      />
      {text !== "" && <LongText text={text} />}
      {html !== "" && <iframe class="email" title={`HTML: ${label}`} sandbox="" srcdoc={html} />}
      {Object.keys(rest).length > 0 && <ValueView value={rest} label={label} isFolded />}
    </>
  );
}

/** The longest value that stands beside its name. */
const SHORT_VALUE = 200;

/** Returns a value as one line, null for a long one. */
function lineOf(value: Json): string | null {
  const items = Array.isArray(value) ? value : [value];
  if (items.some((item) => item !== null && typeof item === "object")) return null;
  const line = items.map(String).join(", ");
  return line.length > SHORT_VALUE || line.includes("\n") ? null : line;
}

/**
 * A value of any shape for people to read: texts as they are, rows as a table, an e-mail as one, the members
 * of an object by their names, the long ones after the short ones.
 */
export function ValueView({
  value,
  label,
  isFolded = false,
}: {
  value: Json;
  /** Names the regions of the page that it makes. */
  label: string;
  /** Whether long members are folded. */
  isFolded?: boolean;
}) {
  if (typeof value === "string") return <LongText text={value} />;
  const rows = sheet.safeParse(value);
  if (rows.success) return <Rows table={rows.data} label={label} />;
  const mail = email.safeParse(value);
  if (mail.success) return <Email of={mail.data} label={label} />;
  if (!isObject(value)) return <LongJson value={value} label={label} />;
  const members = Object.entries(value).map(([name, member]) => {
    return { name: wordsOf(name), member, line: lineOf(member) };
  });
  const short = members.flatMap(({ name, line }) =>
    line ? [[name, isWebAddress(line) ? <Address url={line} /> : line] as const] : [],
  );
  return (
    <>
      {short.length > 0 && <Facts facts={short} />}
      {members.map(
        ({ name, member, line }) =>
          line === null && (
            <details open={!isFolded}>
              <summary>{name}</summary>
              <ValueView value={member} label={`${label}: ${name}`} isFolded={isFolded} />
            </details>
          ),
      )}
    </>
  );
}

/** The most characters of a text or of JSON that a page shows. */
const MAX_CHARACTERS = 20_000;
/** The most characters of JSON that a page folds: more is too much for a browser. */
const MAX_FOLDED = 60_000;
/** The most rows of a table that a page shows. */
const MAX_ROWS = 30;
/** The most characters of one cell. */
const MAX_CELL = 1_000;
/** A long word, such as a URL, would make its column wider than the page. */
const LONG_WORD = /\S{30}/;

/** A text, cut where it is long. `whole` is the address of all of it. */
export function LongText({
  text,
  whole,
  isProse = false,
}: {
  text: string;
  whole?: string;
  /** Whether it is written for people to read, not data. */
  isProse?: boolean;
}) {
  const shown = text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
  return (
    <>
      {isProse ? (
        <div class="plain prose">{shown}</div>
      ) : (
        <pre class="plain" tabindex={0}>
          {/* Browsers drop a leading line break. */}
          {text.startsWith("\n") ? `\n${shown}` : shown}
        </pre>
      )}
      {shown !== text && (
        <p class="muted">
          {`The first ${formatNumber(MAX_CHARACTERS)} of ${formatNumber(text.length)} characters. `}
          <Whole href={whole}>View all</Whole>
        </p>
      )}
    </>
  );
}

/** The link to all of a value, for readers who can open executions: those of a shared result cannot. */
function Whole({ href, children }: { href: string | undefined; children: string }) {
  return (
    <IfMay scope="executions:read">{href !== undefined && <a href={href}>{children}</a>}</IfMay>
  );
}

/** Folding JSON in a scrolling frame; like objects as a table; long JSON as text, cut. */
export function LongJson({ value, label, whole }: { value: Json; label: string; whole?: string }) {
  const table = tableOf(value);
  if (table !== null) return <Rows table={table} label={label} {...(whole && { whole })} />;
  const text = JSON.stringify(value, null, 2);
  if (text.length > MAX_FOLDED)
    return <LongText text={text} {...(whole !== undefined && { whole })} />;
  return (
    // What scrolls must be reachable by keyboard (axe: scrollable-region-focusable).
    <section class="json-frame" aria-label={label} tabindex={0}>
      <JsonView value={value} />
    </section>
  );
}

/** A table, cut where it is long; `whole` is the address of all of it. */
export function Rows({
  table: { columns, rows },
  label,
  whole,
}: {
  table: Table;
  label: string;
  whole?: string;
}) {
  const shown = rows.slice(0, MAX_ROWS);
  return (
    <>
      <DataTable label={label} columns={columnsOfTable(columns, shown)} rows={shown} isWide />
      <p class="muted">
        {shown.length < rows.length &&
          `The first ${MAX_ROWS} of ${formatNumber(rows.length)} rows. `}
        <Whole href={whole}>Download table</Whole>
      </p>
    </>
  );
}

/** Returns the columns of data: numbers to the right; words too long for a column can break anywhere. */
function columnsOfTable(
  names: readonly string[],
  rows: readonly (readonly Json[])[],
): Column<readonly Json[]>[] {
  return names.map((name, at) => {
    const values = rows.map((row) => row[at] ?? null).filter((value) => value !== null);
    const isNumeric = values.length > 0 && values.every((value) => typeof value === "number");
    const hasLongWord = values.some((value) => LONG_WORD.test(cellText(value)));
    const is = isNumeric ? "num" : hasLongWord ? "wrap" : undefined;
    const cell = (row: readonly Json[]) => {
      const value = row[at] ?? null;
      return value === null ? <NoValue /> : cellText(value);
    };
    return { name, is, cell };
  });
}

function cellText(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MAX_CELL ? text : `${text.slice(0, MAX_CELL)}…`;
}

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;

/** A file to download; an image is shown as well. `path` is the page of its result. */
export function FileOutput({ path, output }: { path: string; output: FileItem }) {
  const { outputId, label, filename = outputId, mediaType, sizeBytes = 0 } = output;
  const href = `${path}/files/${outputId}`;
  return (
    <>
      {IMAGE.test(mediaType) && (
        <a href={href} class="shot">
          <img src={href} alt={label} loading="lazy" />
        </a>
      )}
      <p class="file">
        <a class="button" href={href} download>
          {`Download ${filename}`}
        </a>{" "}
        <span class="muted">{formatBytes(sizeBytes)}</span>
      </p>
    </>
  );
}
