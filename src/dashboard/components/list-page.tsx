import type { Child } from "hono/jsx";
import * as z from "zod";
import type { Prompthook } from "../../client/prompthook.ts";
import type { PageQuery } from "../../client/resource.ts";
import type { Scope } from "../../contract/keys.ts";
import { attachment } from "../../http/headers.ts";
import { toCsv } from "../../lib/csv.ts";
import { withNote } from "../../lib/text.ts";
import type { Dashboard, Page } from "../context.ts";
import { type Refusal, refusalOf } from "../forms/errors.ts";
import { FormErrors } from "../forms/fields.tsx";
import type { Form } from "../forms/form.ts";
import { FilterBar, type ListFilter, readFilter, searchOf } from "../forms/list-filter.tsx";
import { postedForm } from "../forms/posted.ts";
import { fingerprint, livePath, streamFollowed } from "../live.ts";
import { choiceOf, keepChoice } from "../session.ts";
import { Empty, LinkButton, NextPage } from "./elements.tsx";
import { Action, Layout, placeOf, type SectionId, show, useMay } from "./layout.tsx";
import { type Column, Table } from "./table.tsx";

/** Returns the path of a route, which the app has below `/dashboard`. */
export const routeOf = (path: string): string => path.slice("/dashboard".length);

/** What a list without rows says; `button` replaces the link to the form that creates one. */
interface NoRows {
  title: string;
  text: string;
  button?: Child;
}

export interface List<Query, Loaded, Row, Around> {
  section: SectionId;
  /** The title of the list; the name of the section by default. */
  title?: string;
  /** The path of the list; that of the section by default. */
  path?: string;
  load(api: Prompthook, query: Query & PageQuery, http: Page): Promise<Loaded>;
  rowsOf(loaded: Loaded): Row[];
  /** Loads what the page shows besides the rows. */
  around(http: Page, rows: readonly Row[]): Promise<Around>;
  columns: readonly Column<Row>[] | ((around: Around) => readonly Column<Row>[]);
  /** Returns what the page follows; all that was loaded by default. */
  seen?(loaded: Loaded): unknown;
  idOf?(row: Row): string;
  /** The link to the form that creates one. */
  action?: Parameters<typeof Action>[0];
  /** A link to another view of the list. */
  view?: Child;
  /** What a list without rows says; absent for one that always has some. */
  empty?: NoRows | ((around: Around) => NoRows);
  /** What the page says after a change, by the `done` of its address. */
  notices?: Record<string, string>;
  /** The values of a row by the columns of the CSV file; absent for a list without one. */
  csv?: Record<string, (row: Row) => string | number | null>;
  /** How selected rows, or all that match, are done again; absent for a list without that. */
  again?: Selection<Row>;
  /** The page around the list; a page of its section by default. */
  frame?(framed: Framed<Loaded, Around>): Child;
}

/** The form that takes selected rows, or the filter of the list, to another page. */
interface Selection<Row> {
  scope: Scope;
  path: string;
  verb: string;
  idOf(row: Row): string;
  /** The filters that the other page knows: with others, only selected rows can be taken. */
  filters: readonly string[];
  /** The statuses of which it takes any rows; absent for all. */
  statuses?: readonly string[];
  /** The id in the list's path that the other page needs as well. */
  param?: string;
}

interface Framed<Loaded, Around> {
  around: Around;
  /** Null where the filter is not valid. */
  loaded: Loaded | null;
  live: string | null;
  content: Child;
}

interface FilteredList<Schema extends z.ZodType<object>, Loaded, Row, Around>
  extends List<z.output<Schema>, Loaded, Row, Around> {
  /** The filter's form, which makes the query of the API. `around` is null where it is only read. */
  filter(around: Around | null): Form<Schema>;
  /** The field that is a search box. */
  search?: string;
}

export interface Listed {
  nextCursor: string | null;
}

/** Serves a list, page by page, and the stream of its first page. */
export function serveList<Loaded extends Listed, Row, Around>(
  app: Dashboard,
  list: List<object, Loaded, Row, Around>,
): void {
  serveFilteredList(app, { ...list, filter: () => ({ schema: z.object({}), fields: {} }) });
}

/** Serves a list with a filter, whose state is the page's address, and as CSV. */
export function serveFilteredList<
  Schema extends z.ZodType<object>,
  Loaded extends Listed,
  Row,
  Around,
>(app: Dashboard, filtered: FilteredList<Schema, Loaded, Row, Around>): void {
  const list = { ...placeOf(filtered.section), ...filtered };
  const route = routeOf(list.path);
  const { rowsOf, seen = (loaded) => loaded } = list;
  const slug = list.title.toLowerCase().replaceAll(" ", "-");
  const columnsChoice = `hidden-columns-of-${slug}`;

  app.get(route, async (http) => {
    const search = new URL(http.req.url).searchParams;
    const { query, cursor } = readFilter(list.filter(null), search);
    const { loaded, refusal } = await loadedOr400(
      query && list.load(http.get("api"), { ...query, ...(cursor !== null && { cursor }) }, http),
    );
    const rows = loaded === null ? [] : rowsOf(loaded);
    const around = await list.around(http, rows);
    const filter = readFilter(list.filter(around), search);
    if (refusal !== null) filter.state = { ...filter.state, refusal };
    // Older pages do not change by themselves.
    const isLive = loaded !== null && cursor === null;
    const { path } = http.req;
    const live = isLive
      ? livePath(`${path}/live${searchOf(filter)}`, await fingerprint(seen(loaded)))
      : null;
    const isBlank =
      rows.length === 0 && cursor === null && !filter.isFiltered && filter.state.refusal === null;
    const empty = typeof list.empty === "function" ? list.empty(around) : list.empty;
    const none = isBlank ? empty : null;
    const notice = list.notices?.[http.req.query("done") ?? ""] ?? null;
    const { nextCursor = null } = loaded ?? {};
    const hidden = choiceOf(http, columnsChoice)?.split(",") ?? [];
    const content = (
      <Content
        {...list}
        path={path}
        filter={filter}
        rows={rows}
        around={around}
        none={none}
        nextCursor={nextCursor}
        hidden={hidden}
      />
    );
    const { title, section, action, view } = list;
    const page = list.frame?.({ around, loaded, live, content }) ?? (
      <Layout
        title={title}
        section={section}
        live={live}
        notice={notice}
        // An empty list has the action itself.
        actions={
          <>
            {!none && view}
            {action && (!none || none.button !== undefined) && <Action {...action} />}
          </>
        }
      >
        {content}
      </Layout>
    );
    return show(http, page, filter.state.refusal?.status ?? 200);
  });

  app.get(`${route}/live`, async (http) => {
    const { query } = readFilter(list.filter(null), new URL(http.req.url).searchParams);
    const load = async () => query && seen(await list.load(http.get("api"), { ...query }, http));
    // One that cannot be read has no stream.
    await list.around(http, []);
    return streamFollowed(http, load, http.req.param("endpointId"));
  });

  // What is hidden is kept, so that a column of a later version is shown.
  app.post(`${route}/columns`, async (http) => {
    const posted = await postedForm(http);
    const shown = posted.all("shown");
    const hidden = posted.all("offered").filter((name) => !shown.includes(name));
    keepChoice(http, columnsChoice, hidden.join(","));
    const { pathname, search } = new URL(http.req.url);
    return http.redirect(pathname.replace(/\/columns$/, search), 303);
  });

  const { csv } = list;
  if (csv === undefined) return;
  app.get(`${route}/csv`, async (http) => {
    const search = new URL(http.req.url).searchParams;
    const { query } = readFilter(list.filter(null), search);
    if (query === null) return http.redirect(`${list.path}?${search}`, 303);
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const place: PageQuery = { limit: 100, ...(cursor !== null && { cursor }) };
      const loaded: Loaded = await list.load(http.get("api"), { ...query, ...place }, http);
      rows.push(...rowsOf(loaded));
      cursor = loaded.nextCursor;
    } while (cursor !== null && rows.length < MAX_CSV_ROWS);
    const cells = rows.map((row) => Object.values(csv).map((cell) => cell(row)));
    const note = cursor === null ? null : "More rows follow: filter the list for fewer.";
    const text = withNote(toCsv({ columns: Object.keys(csv), rows: cells }), "text/csv", note);
    return http.body(text, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": attachment(`${slug}.csv`),
    });
  });
}

/** Returns columns of a CSV file that have a row's own fields. */
export function fieldColumns<Name extends string>(...names: Name[]) {
  type Row = Readonly<Record<Name, string | number | null>>;
  return Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]]));
}

/** The most rows of one CSV file. */
const MAX_CSV_ROWS = 10_000;

/** Only faults of the address can be fixed in the form. */
async function loadedOr400<Loaded>(
  answer: Promise<Loaded> | null,
): Promise<{ loaded: Loaded | null; refusal: Refusal | null }> {
  try {
    return { loaded: await answer, refusal: null };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.status !== 400) throw error;
    return { loaded: null, refusal };
  }
}

/** One page of a list. */
interface Shown<Row, Around>
  extends Pick<
    FilteredList<z.ZodType<object>, never, Row, Around>,
    "columns" | "idOf" | "action" | "search" | "csv" | "again"
  > {
  title: string;
  path: string;
  filter: ListFilter<unknown>;
  rows: Row[];
  around: Around;
  /** What stands for the rows of a list that has none at all; absent for one that says nothing then. */
  none: NoRows | null | undefined;
  nextCursor: string | null;
  /** The names of the columns that the reader does not want to see. */
  hidden: readonly string[];
}

function Content<Row, Around>(shown: Shown<Row, Around>) {
  const { title, path, filter, rows, none, action, search, again, idOf, hidden } = shown;
  const all = typeof shown.columns === "function" ? shown.columns(shown.around) : shown.columns;
  const chosen = all.filter(({ name }) => !hidden.includes(name));
  // A table has a column.
  const columns = chosen.length === 0 ? all : chosen;
  const selects = again !== undefined && useMay(again.scope);
  const hasFilter = Object.keys(filter.state.form.fields).length > 0;
  const name = title.toLowerCase();
  const isPart = filter.isFiltered || filter.cursor !== null;
  return (
    <>
      {hasFilter && rows.length > 0 && (
        <a class="skip" href="#list">
          Skip to list
        </a>
      )}
      <FormErrors of={filter.state} />
      {hasFilter && none === null && (
        <FilterBar filter={filter} path={path} {...(search !== undefined && { search })} />
      )}
      {filter.cursor !== null && (
        <p class="liveness">
          {`Older ${name}. `}
          <a href={`${path}${searchOf(filter)}`}>View newest</a>
        </p>
      )}
      {rows.length > 0 && (
        <div id="list" tabindex={-1}>
          <Table
            label={title}
            columns={[...(selects ? [selectColumn(again)] : []), ...columns]}
            rows={rows}
            {...(idOf && { idOf })}
          />
        </div>
      )}
      {none && (
        <Empty title={none.title}>
          <p class="narrow">{none.text}</p>
          {none.button === undefined
            ? action && <Action {...action} />
            : (!action || useMay(action.scope)) && none.button}
        </Empty>
      )}
      {rows.length === 0 && isPart && filter.state.refusal === null && (
        <Empty title={`No ${filter.isFiltered ? "matching" : "older"} ${name}`}>
          {shown.nextCursor && <p>Only a part of the log was searched. Select Older to go on.</p>}
          {filter.isFiltered && <LinkButton href={path}>Clear filter</LinkButton>}
        </Empty>
      )}
      <div class="list-foot">
        {selects && rows.length > 0 && <SelectionForm of={again} path={path} filter={filter} />}
        {rows.length > 0 && (
          <ColumnChoice
            action={`${path}/columns${searchOf(filter, { cursor: filter.cursor })}`}
            all={all.map(({ name }) => name)}
            shown={columns.map(({ name }) => name)}
          />
        )}
        {shown.csv !== undefined && rows.length > 0 && (
          <p>
            <a href={`${path}/csv${searchOf(filter)}`}>Download CSV</a>
          </p>
        )}
        <NextPage
          href={shown.nextCursor && `${path}${searchOf(filter, { cursor: shown.nextCursor })}`}
        />
      </div>
    </>
  );
}

/** The columns of a list, of which the reader's browser keeps those that are not shown. */
function ColumnChoice({
  action,
  all,
  shown,
}: {
  action: string;
  all: readonly string[];
  shown: readonly string[];
}) {
  return (
    <details class="columns">
      <summary>Columns</summary>
      <form method="post" action={action} class="actions">
        {all.map((name) => (
          <label>
            <input type="hidden" name="offered" value={name} />
            <input type="checkbox" name="shown" value={name} checked={shown.includes(name)} />
            {` ${name}`}
          </label>
        ))}
        <button type="submit">Show these columns</button>
      </form>
    </details>
  );
}

function selectColumn<Row>({ idOf, verb }: Selection<Row>): Column<Row> {
  return {
    name: verb,
    is: "select",
    cell: (row) => {
      const id = idOf(row);
      return (
        <input
          type="checkbox"
          id={`select-${id}`}
          name="id"
          value={id}
          form="again"
          aria-label={`Select ${id}`}
        />
      );
    },
  };
}

function SelectionForm<Row>({
  of: { path: to, verb, filters, statuses, param },
  path,
  filter,
}: {
  of: Selection<Row>;
  path: string;
  filter: ListFilter<unknown>;
}) {
  const known = new URLSearchParams(searchOf(filter));
  const asked = filter.state.typed.all("status");
  const isTaken = asked.length === 0 || asked.some((one) => statuses?.includes(one) ?? true);
  const isExact = isTaken && [...known.keys()].every((name) => filters.includes(name));
  if (param !== undefined) known.set(param, decodeURIComponent(path.split("/").at(-2) ?? ""));
  return (
    <form id="again" method="get" action={`${to}/new`} class="actions">
      {param !== undefined && <input type="hidden" name={param} value={known.get(param) ?? ""} />}
      <button type="submit">{`${verb} selected…`}</button>
      {isExact && <LinkButton href={`${to}/new?${known}`}>{`${verb} all that match…`}</LinkButton>}
    </form>
  );
}
