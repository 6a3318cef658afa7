import * as z from "zod";
import { AUDIT_ACTIONS, type AuditEntry } from "../../contract/audit.ts";
import { toCsv } from "../../lib/csv.ts";
import { Empty, LinkButton, NextPage, Submit, Time } from "../components/elements.tsx";
import { Layout } from "../components/layout.tsx";
import { show } from "../components/reader.tsx";
import { type Column, Table } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { Controls, FormErrors } from "../forms/fields.tsx";
import { type Form, moment } from "../forms/form.ts";
import { readFilter, searchOf } from "../forms/list-filter.tsx";
import { AUDIT } from "../paths.ts";

/** The most entries of one CSV file. */
const MAX_ROWS = 10_000;

const CSV_COLUMNS = [
  "at",
  "action",
  "by.kind",
  "by.id",
  "by.name",
  "resource.id",
  "resource.name",
  "detail",
  "requestId",
];

const schema = z.object({
  action: z.enum(AUDIT_ACTIONS).optional(),
  resource: z.string().optional(),
  by: z.string().optional(),
  from: moment.optional(),
  to: moment.optional(),
});

const FILTER: Form<typeof schema> = {
  schema,
  fields: {
    action: {
      kind: "select",
      label: "Action",
      options: [
        { value: "", label: "All actions" },
        ...AUDIT_ACTIONS.map((value) => ({ value, label: value })),
      ],
    },
    by: {
      kind: "line",
      label: "By",
      hint: "The id of a key or a member, or a kind such as operator.",
    },
    resource: { kind: "line", label: "Resource", hint: "The id of what was changed." },
    from: { kind: "moment", label: "From (UTC)" },
    to: { kind: "moment", label: "To (UTC)" },
  },
};

const detailOf = ({ detail }: AuditEntry): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");

const COLUMNS: Column<AuditEntry>[] = [
  { name: "Time", isBare: true, cell: ({ at }) => <Time at={at} /> },
  { name: "Action", isBare: true, cell: ({ action }) => <code>{action}</code> },
  {
    name: "By",
    is: "wrap",
    cell: ({ by }) => (
      <>
        {by.name} <span class="muted">{by.kind}</span>
      </>
    ),
  },
  {
    name: "Resource",
    is: "wrap",
    cell: ({ resource }) => (
      <>
        {resource.name}
        <div>
          <a href={`${AUDIT}?${new URLSearchParams({ resource: resource.id })}`}>{resource.id}</a>
        </div>
      </>
    ),
  },
  { name: "Detail", is: "wrap", cell: detailOf },
];

/** Serves who did what in the account, with filters, and as CSV. */
export function serveAudit(app: Dashboard): void {
  app.get("/audit", async (http) => {
    const filter = readFilter(FILTER, new URL(http.req.url).searchParams);
    const { query, cursor, state, isFiltered } = filter;
    const page = query && {
      ...(await http
        .get("api")
        .audit.list({ ...query, limit: 50, ...(cursor !== null && { cursor }) })),
    };
    const { entries = [], nextCursor = null } = page ?? {};
    return show(
      http,
      <Layout
        title="Audit log"
        section="audit"
        actions={<LinkButton href={`${AUDIT}/csv${searchOf(filter)}`}>Download CSV</LinkButton>}
      >
        <FormErrors of={state} />
        <form method="get" action={AUDIT} class="card">
          <Controls of={state} names={Object.keys(FILTER.fields)} />
          <div class="actions">
            <Submit>Apply filter</Submit>
            {isFiltered && <LinkButton href={AUDIT}>Clear filter</LinkButton>}
          </div>
        </form>
        {entries.length > 0 && (
          <Table
            label="Audit log"
            columns={COLUMNS}
            rows={entries}
            idOf={({ entryId }) => entryId}
          />
        )}
        {entries.length === 0 && state.refusal === null && (
          <Empty title="No entries">
            <p>Changes and sign-ins appear here, and are kept for 400 days.</p>
          </Empty>
        )}
        <NextPage href={nextCursor && `${AUDIT}${searchOf(filter, { cursor: nextCursor })}`} />
      </Layout>,
    );
  });

  app.get("/audit/csv", async (http) => {
    const filter = readFilter(FILTER, new URL(http.req.url).searchParams);
    if (filter.query === null) return http.redirect(`${AUDIT}${searchOf(filter)}`, 303);
    const rows: string[][] = [];
    for await (const entry of http.get("api").audit.all(filter.query)) {
      const { at, action, by, resource, requestId } = entry;
      const { id, name } = resource;
      rows.push([at, action, by.kind, by.id, by.name, id, name, detailOf(entry), requestId]);
      if (rows.length === MAX_ROWS) break;
    }
    return http.body(toCsv({ columns: CSV_COLUMNS, rows }), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="audit-log.csv"',
    });
  });
}
