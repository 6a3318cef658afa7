import { type ConnectionRecord, createConnectionBody } from "../../contract/connections.ts";
import { Time } from "../components/elements.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { type Form, field } from "../forms/form.ts";
import { serveResource } from "./resource.tsx";

const COLUMNS: Column<ConnectionRecord>[] = [
  { name: "Name", is: "keep", cell: ({ name }) => <strong>{name}</strong> },
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
];

const FORM: Form<typeof createConnectionBody> = {
  schema: createConnectionBody,
  fields: {
    name: field.line("Name", {
      hint: "Executions name the connections that they use.",
      required: true,
    }),
    hosts: field.lines("Hosts", {
      hint: "Requests to these hosts get the credential, over https: api.example.com or *.example.com, one per line.",
      required: true,
      more: { rows: 3 },
    }),
    pathPrefix: field.line("Path prefix", {
      hint: "Restricts it to paths such as /v2. Leave empty for all paths.",
    }),
    header: field.line("Header", { hint: "Such as Authorization.", required: true }),
    value: field.secret("Value", {
      hint: "Such as Bearer and a token. It is stored encrypted and never shown again, not even to the agent.",
      required: true,
    }),
  },
};

/** Serves the credentials that tools use and agents never see. */
export function serveConnections(app: Dashboard): void {
  serveResource(app, {
    section: "connections",
    scope: "keys:admin",
    calls: ({ connections }) => connections,
    rowsOf: ({ connections }) => connections,
    idOf: ({ connectionId }) => connectionId,
    nameOf: ({ name }) => name,
    columns: () => COLUMNS,
    empty: {
      title: "No connections yet",
      text: "A connection is a credential that the service adds to an agent's requests to some hosts. The agent never sees it.",
    },
    notices: { created: "Connection created. Executions that name it can use it." },
    form: FORM,
    create: "Create connection",
    act: "delete",
    about: () => (
      <p>
        Running executions continue without the credential from their next step. New ones that name
        it are refused.
      </p>
    ),
  });
}
