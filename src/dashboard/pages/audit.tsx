import * as z from "zod";
import { AUDIT_ACTIONS, type AuditEntry } from "../../contract/audit.ts";
import { Time } from "../components/elements.tsx";
import { fieldColumns, serveFilteredList } from "../components/list-page.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { type Form, field, moment, optionsOf } from "../forms/form.ts";
import { AUDIT } from "../paths.ts";

const schema = z.object({
  action: z.enum(AUDIT_ACTIONS).exactOptional(),
  resource: z.string().exactOptional(),
  by: z.string().exactOptional(),
  from: moment.exactOptional(),
  to: moment.exactOptional(),
});

const FILTER: Form<typeof schema> = {
  schema,
  fields: {
    action: field.select("Action", { "": "All actions", ...optionsOf(AUDIT_ACTIONS) }),
    by: field.line("By", { hint: "The id of a key or a member, or a kind such as operator." }),
    resource: field.line("Resource", { hint: "The id of what was changed." }),
    from: field.moment("From (UTC)"),
    to: field.moment("To (UTC)"),
  },
};

const detailOf = ({ detail }: AuditEntry): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");

const COLUMNS: Column<AuditEntry>[] = [
  { name: "Time", cell: ({ at }) => <Time at={at} /> },
  { name: "Action", is: "keep", cell: ({ action }) => <code>{action}</code> },
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
        {resource.name !== resource.id && resource.name}
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
  serveFilteredList(app, {
    section: "audit",
    filter: () => FILTER,
    load: (api, query) => api.audit.list({ limit: 50, ...query }),
    rowsOf: ({ entries }) => entries,
    around: async () => null,
    columns: COLUMNS,
    idOf: ({ entryId }) => entryId,
    empty: {
      title: "No entries",
      text: "Changes and sign-ins appear here, and are kept for 400 days.",
    },
    csv: {
      ...fieldColumns("at", "action"),
      "by.kind": ({ by }) => by.kind,
      "by.id": ({ by }) => by.id,
      "by.name": ({ by }) => by.name,
      "resource.id": ({ resource }) => resource.id,
      "resource.name": ({ resource }) => resource.name,
      detail: detailOf,
      ...fieldColumns("requestId"),
    },
  });
}
