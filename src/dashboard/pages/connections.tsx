import { type ConnectionRecord, createConnectionBody } from "../../contract/connections.ts";
import { Time } from "../components/elements.tsx";
import { type Resource, serveList } from "../components/list-page.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import type { Form } from "../forms/form.ts";
import { serveCreation } from "../forms/form-page.tsx";
import { findIn } from "../lookups.ts";
import { CONNECTIONS } from "../paths.ts";
import { DeleteLink, serveDeletion } from "./resource.tsx";

const RESOURCE: Resource = { title: "Connections", section: "connections", path: CONNECTIONS };

const COLUMNS: Column<ConnectionRecord>[] = [
  { name: "Name", is: "keep", isBare: true, cell: ({ name }) => <strong>{name}</strong> },
  {
    name: "Sent to",
    is: "wrap",
    cell: ({ hosts, pathPrefix }) =>
      hosts.map((host) => (
        <div>
          <code>{`${host}${pathPrefix ?? ""}`}</code>
        </div>
      )),
  },
  { name: "Header", cell: ({ header }) => <code>{header}</code> },
  { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: "Actions",
    isBare: true,
    cell: ({ connectionId, name }) => (
      <DeleteLink href={`${CONNECTIONS}/${connectionId}/delete`} name={name} verb="Delete" />
    ),
  },
];

const FORM: Form<typeof createConnectionBody> = {
  schema: createConnectionBody,
  fields: {
    name: {
      kind: "line",
      label: "Name",
      hint: "Executions name the connections that they use.",
      required: true,
      more: { maxlength: 64 },
    },
    hosts: {
      kind: "lines",
      label: "Hosts",
      hint: "Requests to these hosts get the credential, over https: api.example.com or *.example.com, one per line.",
      required: true,
      more: { rows: 3 },
    },
    pathPrefix: {
      kind: "line",
      label: "Path prefix",
      hint: "Restricts it to paths such as /v2. Leave empty for all paths.",
    },
    header: { kind: "line", label: "Header", hint: "Such as Authorization.", required: true },
    value: {
      kind: "secret",
      label: "Value",
      hint: "Such as Bearer and a token. It is stored encrypted and never shown again, not even to the agent.",
      required: true,
    },
  },
};

/** Serves the credentials that tools use and agents never see: list, add, delete. */
export function serveConnections(app: Dashboard): void {
  serveList(app, {
    ...RESOURCE,
    load: (api, query) => api.connections.list(query),
    rowsOf: ({ connections }) => connections,
    around: async () => null,
    columns: () => COLUMNS,
    action: { scope: "keys:admin", href: `${CONNECTIONS}/new`, children: "Create connection" },
    empty: {
      title: "No connections yet",
      text: "A connection is a credential that the service adds to an agent's requests to some hosts. The agent never sees it.",
    },
    notices: { created: "Connection created. Executions that name it can use it." },
  });

  serveCreation(app, {
    ...RESOURCE,
    title: "Create connection",
    submit: "Create connection",
    form: FORM,
    create: (api, body) => api.connections.create(body),
    done: (http) => http.redirect(`${CONNECTIONS}?done=created`, 303),
  });

  serveDeletion(app, {
    ...RESOURCE,
    act: "delete",
    find: (http, id) =>
      findIn(http.get("api").connections.all(), ({ connectionId }) => connectionId === id),
    nameOf: ({ name }) => name,
    about: () => (
      <p>
        Running executions continue without the credential from their next step. New ones that name
        it are refused.
      </p>
    ),
    remove: (api, id) => api.connections.delete(id),
  });
}
