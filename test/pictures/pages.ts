import type { APIRequestContext } from "playwright-core";
import { GUIDES } from "../../scripts/site/guides.ts";
import type { Prompthook } from "../../src/client/prompthook.ts";
import type { Endpoints, Workflows } from "./account.ts";
import type { Executions } from "./executions.ts";

/** Ids of what the account has; kept beside a state, so that it can be visited again. */
export interface World {
  accountId: string;
  apiKey: string;
  ports: { models: number; site: number };
  workflows: Workflows;
  endpoints: Endpoints;
  executions: Executions;
  replayId: string;
  shareUrl: string;
}

/** Whose browser sees a page: that of a key, of a member, or of somebody who has not signed in. */
export type Visitor = "key" | "member" | "nobody";

/** A page to visit. */
export interface Place {
  name: string;
  path: string;
  visitor: Visitor;
  /** The status of its answer. */
  status: number;
  /** Does what leads to a page that is shown once, and returns its address. */
  open?: (as: APIRequestContext) => Promise<string>;
}

/** Addresses that are made at each run, because mails and notices have them only once. */
export interface Links {
  signIn: string;
  decide: string;
  mail: string;
  origin: string;
}

/** Returns the pages to visit, several of a route where its pages differ. */
export async function placesOf(api: Prompthook, world: World, links: Links): Promise<Place[]> {
  const { executions, workflows } = world;
  const { github, stripe, crm, telemetry } = world.endpoints;
  const one = async (
    endpointId: string,
    status: "succeeded" | "rejected" | "queued" | "unrouted",
  ) => {
    const { requests } = await api.webhooks.requests(endpointId, { status: [status], limit: 1 });
    return `/webhooks/${endpointId}/requests/${requests[0]?.requestId}`;
  };
  const succeeded = await one(github.endpointId, "succeeded");
  const [list, providers, destinations, decisions, keys, members, servers, connections, cases] =
    await Promise.all([
      api.schedules.list({}),
      api.modelProviders.list({}),
      api.destinations.list({}),
      api.decisions.list({ state: ["open"] }),
      api.keys.list({}),
      api.members.list({}),
      api.mcpServers.list({}),
      api.connections.list({}),
      api.webhooks.cases(github.endpointId),
    ]);
  const execution = (id: string, rest = "") => `/executions/${id}${rest}`;
  const endpoint = ({ endpointId }: { endpointId: string }, rest = "") =>
    `/webhooks/${endpointId}${rest}`;
  const workflow = `/workflows/${workflows.triage}`;
  const { result, fork } = executions;
  const openCase = new URLSearchParams({ route: "pull requests", key: cases.cases[0]?.key ?? "" });
  const stock = list.schedules.find(({ name }) => name === "Stock check")?.scheduleId;
  const ops = destinations.destinations.find(({ format }) => format === "slack")?.destinationId;
  const revocable = keys.keys.find(({ name }) => name === "checkout service")?.keyId;
  const dashboard: Record<string, string> = {
    overview: "",
    executions: "/executions",
    "executions-failed": "/executions?status=failed",
    failures: "/executions/failures",
    "execution-new": "/executions/new",
    "execution-again": `/executions/new?from=${result}`,
    execution: execution(result),
    "execution-timeline": execution(result, "?tab=timeline"),
    "execution-callbacks": execution(executions.badCallback, "?tab=callbacks"),
    "execution-api": execution(result, "?tab=api"),
    "execution-step": execution(result, "/steps/1"),
    "execution-fork": execution(result, "/fork"),
    "execution-forked": execution(fork),
    "execution-compare": execution(result, `/compare?with=${fork}`),
    "execution-share": execution(result, "/share"),
    "execution-failed": execution(executions.failed),
    "execution-question": execution(executions.question),
    "execution-approval": execution(executions.approval),
    "execution-active": execution(executions.active),
    "execution-event": execution(executions.event),
    "execution-stopped": execution(executions.stopped),
    decisions: "/decisions",
    decision: `/decisions/${decisions.decisions[0]?.decisionId}`,
    workflows: "/workflows",
    "workflow-new": "/workflows/new",
    workflow,
    "workflow-edit": `${workflow}/edit`,
    "workflow-revisions": `${workflow}/revisions`,
    "workflow-delete": `${workflow}/delete`,
    rehearsal: `/rehearsals/${executions.rehearsalId}`,
    endpoints: "/webhooks",
    "endpoint-new": "/webhooks/new",
    "endpoint-new-github": "/webhooks/new/github",
    endpoint: endpoint(github),
    "endpoint-stripe": endpoint(stripe),
    "endpoint-held": endpoint(crm),
    "endpoint-logged": endpoint(telemetry),
    "endpoint-requests": endpoint(github, "/requests"),
    "endpoint-cases": endpoint(github, "/cases"),
    "endpoint-case": endpoint(github, `/case?${openCase}`),
    "endpoint-try": endpoint(stripe, "/try"),
    "endpoint-rules": endpoint(stripe, "/rules"),
    "endpoint-routes": endpoint(github, "/rules"),
    "endpoint-settings": endpoint(github, "/settings"),
    "endpoint-revisions": endpoint(github, "/revisions"),
    "endpoint-delete": endpoint(github, "/delete"),
    requests: "/requests",
    "requests-rejected": "/requests?status=rejected",
    "requests-beside": `/requests?show=${github.endpointId}/${succeeded.split("/").at(-1)}`,
    request: succeeded,
    "request-rejected": await one(github.endpointId, "rejected"),
    "request-invalid": await one(stripe.endpointId, "rejected"),
    "request-unrouted": await one(github.endpointId, "unrouted"),
    "request-held": await one(crm.endpointId, "queued"),
    "request-share": `${succeeded}/share`,
    "replays-new": `/replays/new?endpointId=${github.endpointId}&status=rejected`,
    replay: `/replays/${world.replayId}`,
    "retries-new": "/retries/new?status=failed",
    retry: `/retries/${executions.retryId}`,
    schedules: "/schedules",
    "schedule-new": `/schedules/new?workflowId=${workflows.orders}`,
    schedule: `/schedules/${stock}`,
    "schedule-delete": `/schedules/${stock}/delete`,
    alerts: "/alerts",
    usage: "/usage",
    audit: "/audit",
    models: "/models",
    "model-new": "/models/new",
    "model-delete": `/models/${providers.modelProviders[0]?.providerId}/delete`,
    destinations: "/destinations",
    "destination-new": "/destinations/new",
    destination: `/destinations/${ops}`,
    "destination-delete": `/destinations/${ops}/delete`,
    connections: "/connections",
    "connection-new": "/connections/new",
    "connection-delete": `/connections/${connections.connections[0]?.connectionId}/delete`,
    "mcp-servers": "/mcp-servers",
    "mcp-server-new": "/mcp-servers/new",
    "mcp-server-remove": `/mcp-servers/${servers.mcpServers[0]?.serverId}/remove`,
    keys: "/keys",
    "key-new": "/keys/new",
    "key-revoke": `/keys/${revocable}/revoke`,
    members: "/members",
    "member-new": "/members/new",
    "member-remove": `/members/${members.members[0]?.memberId}/remove`,
    search: "/search?q=tea",
  };
  const all = Object.entries(dashboard).map(
    ([name, path]): Place => ({ name, path: `/dashboard${path}`, visitor: "key", status: 200 }),
  );
  const place = (name: string, path: string, visitor: Visitor = "nobody", status = 200): Place => ({
    name,
    path,
    visitor,
    status,
  });
  return [
    ...all,
    place("not-found", "/dashboard/nothing", "key", 404),
    {
      ...place("key-created", "/dashboard/keys/:keyId/created", "key"),
      open: createKeyAt(links.origin),
    },
    place("accounts", "/dashboard/accounts", "member"),
    place("sign-in", "/dashboard/sign-in"),
    place("sign-in-link", links.signIn),
    place("outbox", "/dashboard/outbox"),
    place("mail", links.mail),
    place("decide", links.decide),
    place("shared", new URL(world.shareUrl).pathname),
    place("docs", "/docs"),
    ...GUIDES.flatMap(({ names }) => names.map((name) => place(`docs-${name}`, `/docs/${name}`))),
  ];
}

/** Returns what creates a key as its form does; the page that shows it is then opened once. */
const createKeyAt =
  (origin: string) =>
  async (as: APIRequestContext): Promise<string> => {
    const form = { name: "laptop", "scopes.executions:read": "on" };
    const sent = { form, headers: { origin }, maxRedirects: 0 };
    const answer = await as.post("/dashboard/keys", sent);
    const { location } = answer.headers();
    if (location === undefined) throw new Error(`No key was created: ${answer.status()}`);
    return location;
  };
