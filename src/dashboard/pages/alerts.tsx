import type { Child } from "hono/jsx";
import * as z from "zod";
import { type AlertRecord, type AlertType, failureCause } from "../../contract/alerts.ts";
import { capital } from "../../lib/text.ts";
import { LinkButton, Time } from "../components/elements.tsx";
import { serveList } from "../components/list-page.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import {
  CONNECTIONS,
  DESTINATIONS,
  endpointPath,
  executionPath,
  schedulePath,
  USAGE,
} from "../paths.ts";

/** An alert, or of a failing endpoint one cause. */
interface Group {
  alert: AlertRecord;
  about: string;
  count: number;
  /** The action that mends it. */
  action: { label: string; href: string };
}

const causes = z.object({ causes: z.array(failureCause) });
const execution = z.object({ executionId: z.string() });

/** Returns what an alert shows: each cause of a failing endpoint by itself. */
function groupsOf(alert: AlertRecord): Group[] {
  const { type, resource, data, count } = alert;
  const known = causes.safeParse(data);
  if (type === "endpoint.failing" && known.success && known.data.causes.length > 0) {
    return known.data.causes.map(({ stage, path, message, count: of }) => ({
      alert,
      about: `${capital(stage)}: ${path === null ? "" : `${path} `}${message}`,
      count: of,
      action: mending(stage, resource.id),
    }));
  }
  const ids = execution.safeParse(data);
  const executionId = ids.success ? ids.data.executionId : "";
  const { id } = resource;
  const shown: Readonly<Record<AlertType, [about: string, label: string, href: string]>> = {
    "endpoint.failing": ["Endpoint is failing", "View requests", requestsPath(id)],
    "callback.failed": [
      "Callbacks do not arrive",
      "Redeliver callback",
      executionPath(executionId),
    ],
    "schedule.missed": ["Schedule missed runs", "View schedule", schedulePath(id)],
    "connection.needs_attention": ["Credential was refused", "Replace connection", CONNECTIONS],
    "credits.low": ["Credits are low", "View balance", "/dashboard"],
    "quota.near": ["Quota is nearly used up", "View quotas", USAGE],
  };
  const [about, label, href] = shown[type];
  return [{ alert, about, count, action: { label, href } }];
}

/** Returns the action that mends a stage of an endpoint's checks. */
function mending(stage: string, endpointId: string): Group["action"] {
  if (stage === "mapping" || stage === "validation") {
    return { label: `Fix ${stage}`, href: endpointPath(endpointId, "/rules") };
  }
  const isRun = stage === "execution" || stage === "start";
  const query = new URLSearchParams({ status: isRun ? "failed" : "rejected" });
  const label = isRun ? "View and replay requests" : "View requests";
  return { label, href: `${requestsPath(endpointId)}?${query}` };
}

const requestsPath = (endpointId: string) => endpointPath(endpointId, "/requests");

const COLUMNS: Column<Group>[] = [
  {
    name: "What is failing",
    is: "wrap",
    cell: ({ about, count, alert: { resource } }): Child => (
      <>
        <strong>{`${about} × ${count}`}</strong>
        <div class="muted">{`on ${resource.name}`}</div>
      </>
    ),
  },
  { name: "Since", cell: ({ alert }) => <Time at={alert.since} /> },
  { name: "Last", cell: ({ alert }) => <Time at={alert.lastAt} /> },
  {
    name: "Action",
    cell: ({ action }) => <LinkButton href={action.href}>{action.label}</LinkButton>,
  },
];

/** Serves what is failing now and since when, with the action that mends it. */
export function serveAlerts(app: Dashboard): void {
  serveList(app, {
    section: "alerts",
    load: (api, query) => api.alerts.list(query),
    rowsOf: ({ alerts }) => alerts.flatMap(groupsOf),
    around: async () => null,
    columns: COLUMNS,
    empty: {
      title: "Nothing is failing",
      text: "Problems appear here until they end. Destinations report them to you.",
      button: <LinkButton href={DESTINATIONS}>View destinations</LinkButton>,
    },
  });
}
