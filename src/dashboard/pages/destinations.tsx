import * as z from "zod";
import {
  createDestinationBody,
  type DeliveryRecord,
  type DestinationRecord,
  EVENT_TYPES,
} from "../../contract/destinations.ts";
import { Badge, Facts, NoValue, Time } from "../components/elements.tsx";
import { Layout, PostButton } from "../components/layout.tsx";
import { routeOf, serveList } from "../components/list-page.tsx";
import { type Column, RowLink } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { type Form, field, optionsOf } from "../forms/form.ts";
import { DESTINATIONS, destinationPath } from "../paths.ts";
import { serveResource } from "./resource.tsx";

const SCOPE = "destinations:write";

const COLUMNS: Column<DestinationRecord>[] = [
  {
    name: "Name",
    is: "wrap",
    cell: ({ destinationId, name, url, email }) => (
      <>
        <RowLink href={destinationPath(destinationId)}>{name}</RowLink>
        <div class="muted">{url ?? email}</div>
      </>
    ),
  },
  { name: "Format", cell: ({ format }) => format },
  { name: "Status", cell: (row) => <Badge state={stateOf(row)} /> },
  { name: "Failing since", cell: ({ failingSince }) => <Time at={failingSince} /> },
];

const stateOf = ({ status, failingSince }: DestinationRecord): string =>
  status === "enabled" && failingSince !== null ? "failing" : status;

const FORM: Form<typeof createDestinationBody> = {
  schema: createDestinationBody,
  fields: {
    name: field.line("Name", { required: true }),
    format: field.select("Format", {
      standard: "Webhook (Standard Webhooks)",
      slack: "Slack",
      teams: "Microsoft Teams",
      email: "E-mail",
      cloudevents: "CloudEvents",
      otlp: "OpenTelemetry traces",
    }),
    url: field.line("URL", {
      hint: "Of the receiver. Leave empty for e-mail.",
      more: { inputmode: "url" },
    }),
    email: field.line("E-mail address", { hint: "For the format E-mail alone." }),
    events: field.boxes("Events", optionsOf(EVENT_TYPES), {
      hint: "None for OpenTelemetry, which gets every execution.",
    }),
    payload: field.select("Payload", { thin: "Ids and a link", full: "The whole record" }),
    secret: field.secret("Secret", {
      hint: "Signs webhooks and CloudEvents. It is never shown again.",
    }),
  },
};

const DELIVERIES: Column<DeliveryRecord>[] = [
  { name: "Type", cell: ({ type }) => type },
  { name: "At", cell: ({ at }) => <Time at={at} /> },
  { name: "State", cell: ({ state }) => <Badge state={state} /> },
  { name: "Attempts", is: "num", cell: ({ attempts }) => attempts.length },
  {
    name: "Last answer",
    is: "wrap",
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? <NoValue /> : (last.error ?? last.status ?? "Sent");
    },
  },
  {
    name: "Next attempt",
    cell: ({ attempts, state }) => (
      <Time at={state === "pending" ? (attempts.at(-1)?.nextAttemptAt ?? null) : null} />
    ),
  },
];

const actions = z.enum(["ping", "enable", "disable"]);

/** Serves the destinations of the account's events, and each with its deliveries. */
export function serveDestinations(app: Dashboard): void {
  serveResource(app, {
    section: "destinations",
    scope: SCOPE,
    calls: ({ destinations }) => destinations,
    rowsOf: ({ destinations }) => destinations,
    idOf: ({ destinationId }) => destinationId,
    nameOf: ({ name }) => name,
    columns: () => COLUMNS,
    empty: {
      title: "No destinations yet",
      text: "A destination gets the account's events: failures, decisions and alerts, by webhook, Slack, Teams, e-mail or OpenTelemetry.",
    },
    form: FORM,
    create: "Create destination",
    created: async (http, { destinationId }) => {
      await http.get("api").destinations.ping(destinationId);
      return http.redirect(destinationPath(destinationId), 303);
    },
    act: "delete",
    about: () => <p>Its deliveries are deleted too, and what waits for it is not sent.</p>,
  });

  serveList(app, {
    title: "Deliveries",
    section: "destinations",
    path: `${DESTINATIONS}/:id`,
    load: (api, query, http) => api.destinations.deliveries(http.req.param("id") ?? "", query),
    rowsOf: ({ deliveries }) => deliveries,
    around: (http) => http.get("api").destinations.get(http.req.param("id") ?? ""),
    columns: ({ destinationId }) => [
      ...DELIVERIES,
      {
        name: "Actions",
        cell: ({ deliveryId, state }) =>
          state !== "pending" && (
            <PostButton
              scope={SCOPE}
              action={destinationPath(destinationId, `/deliveries/${deliveryId}`)}
            >
              Redeliver
            </PostButton>
          ),
      },
    ],
    empty: {
      title: "No deliveries yet",
      text: "Each message appears here with what the receiver answered.",
      button: <></>,
    },
    frame: ({ around, live, content }) => (
      <Layout
        title={around.name}
        section="destinations"
        live={live}
        actions={<Actions of={around} />}
      >
        <section class="card" aria-label="Configuration">
          <Facts
            facts={[
              ["Status", <Badge state={stateOf(around)} />],
              around.disabledReason !== undefined && ["Disabled because", around.disabledReason],
              ["Format", around.format],
              ["Sent to", <code>{around.url ?? around.email}</code>],
              around.events.length > 0 && ["Events", around.events.join(", ")],
              around.failingSince !== null && ["Failing since", <Time at={around.failingSince} />],
            ]}
          />
        </section>
        <h2>Deliveries</h2>
        {content}
      </Layout>
    ),
  });

  app.post(`${routeOf(DESTINATIONS)}/:id/deliveries/:deliveryId`, async (http) => {
    const { id, deliveryId } = http.req.param();
    await http.get("api").destinations.redeliver(id, deliveryId);
    return http.redirect(destinationPath(id), 303);
  });

  app.post(`${routeOf(DESTINATIONS)}/:id/:act`, async (http) => {
    const { id, act } = http.req.param();
    const action = actions.safeParse(act);
    if (action.success) await http.get("api").destinations[action.data](id);
    return http.redirect(destinationPath(id), 303);
  });
}

const ACTIONS = {
  enabled: { ping: "Send test message", disable: "Disable destination" },
  disabled: { enable: "Enable destination" },
};

function Actions({ of: { destinationId, status } }: { of: DestinationRecord }) {
  return (
    <>
      {Object.entries(ACTIONS[status]).map(([act, label]) => (
        <PostButton scope={SCOPE} action={destinationPath(destinationId, `/${act}`)}>
          {label}
        </PostButton>
      ))}
    </>
  );
}
