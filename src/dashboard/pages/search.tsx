import type { Child } from "hono/jsx";
import type { Prompthook } from "../../client/prompthook.ts";
import type { ExecutionRow } from "../../contract/execution.ts";
import type { EndpointRecord } from "../../contract/webhooks/endpoint.ts";
import { type LogEntry, MIN_SEARCHED } from "../../contract/webhooks/log.ts";
import { Empty, LinkButton, Time } from "../components/elements.tsx";
import { Layout, show } from "../components/layout.tsx";
import type { Dashboard } from "../context.ts";
import { allWorkflows, ifAllowed, namesOf, newest, type WorkflowNames } from "../lookups.ts";
import { endpointPath, executionPath, REQUESTS, requestPath, workflowPath } from "../paths.ts";
import { titleOf } from "./executions/labels.ts";
import { gistOf, statusOf } from "./requests/labels.ts";

/** The most results of each kind. */
const MOST = 8;

/** Something that was found; `about` says what it is, its state, and when it began. */
type Found = ReturnType<typeof found>;

/** Serves the search over executions, requests, workflows and endpoints. */
export function serveSearch(app: Dashboard): void {
  app.get("/search", async (http) => {
    const text = (http.req.query("q") ?? "").trim().slice(0, 200);
    const found = text === "" ? [] : await search(http.get("api"), text);
    return show(
      http,
      <Layout title="Search" section={null}>
        <form method="get" action="/dashboard/search" class="filter">
          <div class="filter-head">
            <input
              type="search"
              name="q"
              value={text}
              aria-label="Search executions, requests, workflows and endpoints"
              placeholder="A word, an id, an event type or text of a payload"
              autofocus
            />
            <button type="submit">Search</button>
          </div>
        </form>
        {text !== "" && text.length < MIN_SEARCHED && (
          <p class="hint">{`Payloads are searched from ${MIN_SEARCHED} characters on.`}</p>
        )}
        {text !== "" && found.length === 0 && (
          <Empty title="Nothing found">
            <p>Try fewer words, or the whole id. Only the newest requests were searched.</p>
            <LinkButton href={`${REQUESTS}?q=${encodeURIComponent(text)}`}>Search log</LinkButton>
          </Empty>
        )}
        <ul id="results" class="lines">
          {found.map(({ href, label, about }) => (
            <li>
              <a href={href}>{label}</a> <span class="muted">{about}</span>
            </li>
          ))}
        </ul>
      </Layout>,
    );
  });
}

async function search(api: Prompthook, text: string): Promise<Found[]> {
  const [workflows, endpoints, executions, requests] = await Promise.all([
    allWorkflows(api),
    ifAllowed(newest(api.webhooks.all())),
    ifAllowed(api.executions.list({ q: text, limit: MOST })),
    ifAllowed(requestsWith(api, text)),
  ]);
  const words = text.toLowerCase().split(/\s+/);
  const isFound = ({ label, href }: Found) => {
    const lower = `${label} ${href.split("/").at(-1)}`.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
  const named = [
    ...workflows.map(({ workflowId, name }) => found(workflowPath(workflowId), name, "Workflow")),
    ...(endpoints ?? []).map(({ endpointId, name }) =>
      found(endpointPath(endpointId), name, "Endpoint"),
    ),
  ];
  return [
    ...named.filter(isFound).slice(0, MOST),
    ...(executions?.executions ?? []).map((row) => foundExecution(row, namesOf(workflows))),
    ...(requests ?? []).map((entry) => foundRequest(entry, endpoints ?? [])),
  ];
}

const found = (href: string, label: string, about: Child) => ({ href, label, about });

/** Returns the newest requests with this event type, this event id, or this text in their payload. */
async function requestsWith(api: Prompthook, text: string): Promise<LogEntry[]> {
  const pages = await Promise.all([
    api.webhooks.search({ eventType: text, limit: MOST }),
    api.webhooks.search({ eventId: text, limit: MOST }),
    ...(text.length < MIN_SEARCHED ? [] : [api.webhooks.search({ text, limit: MOST })]),
  ]);
  const all = pages.flatMap(({ requests }) => requests);
  const byId = new Map(all.map((entry) => [entry.requestId, entry]));
  return [...byId.values()]
    .sort((a, b) => Date.parse(b.receivedAt) - Date.parse(a.receivedAt))
    .slice(0, MOST);
}

function foundExecution(row: ExecutionRow, names: WorkflowNames): Found {
  const about = [`Execution, ${row.status.replaceAll("_", " ")} `, <Time at={row.createdAt} />];
  return found(executionPath(row.executionId), titleOf(row, names, 90), about);
}

function foundRequest(entry: LogEntry, endpoints: readonly EndpointRecord[]): Found {
  const { endpointId, requestId, eventType, eventId, method } = entry;
  const label = [eventType ?? `${method} request`, eventId, gistOf(entry)].filter(Boolean);
  const name = endpoints.find((one) => one.endpointId === endpointId)?.name ?? "an endpoint";
  const about = [`Request to ${name}, ${statusOf(entry)} `, <Time at={entry.receivedAt} />];
  return found(requestPath(endpointId, requestId), label.join(" · "), about);
}
