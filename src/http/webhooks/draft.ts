import type { Authorized } from "../../contract/account.ts";
import { controlsOf } from "../../contract/operators.ts";
import { firstRevision, withIdentity } from "../../contract/revision.ts";
import {
  createEndpointBody,
  type EndpointConfig,
  type UpdateEndpointBody,
} from "../../contract/webhooks/endpoint.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import { caseRuleOf } from "../../contract/webhooks/routing.ts";
import type { FieldPlace } from "../../contract/webhooks/signature.ts";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import { accountStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { mappingFaults } from "../../intake/mapping/faults.ts";
import { parsePath } from "../../intake/mapping/payload-path.ts";
import { routingFaults } from "../../intake/routing/routes.ts";
import { openEndpoint } from "../../intake/secrets.ts";
import { splitFault } from "../../intake/split.ts";
import { validationFaults } from "../../intake/validation.ts";
import { loadWorkflows } from "../../records/workflows.ts";
import type { Http } from "../context.ts";
import { changedFields } from "../external.ts";
import { callWithRetry, invalid, invalidByFaults, secretsOr503 } from "../problem.ts";
import { authOf, changedAuth, type GeneratedSecrets, type SealTarget } from "./auth.ts";
import { authFaults } from "./auth-faults.ts";

/** A changed endpoint that is not stored yet, with the secrets that were generated for it. */
export interface EndpointDraft {
  config: EndpointConfig;
  generated: GeneratedSecrets;
}

/** The defaults of the fields that a body leaves out. */
const DEFAULTS = createEndpointBody
  .pick({
    methods: true,
    auth: true,
    replayProtection: true,
    onDuplicate: true,
    withoutWorkflow: true,
    validation: true,
    mapping: true,
    retentionDays: true,
    requestsPerMinute: true,
  })
  .parse({});

/** The settings of an endpoint whose body says nothing of them. */
const SETTINGS = {
  ...DEFAULTS,
  path: null,
  enabled: true,
  eventId: null,
  limits: null,
  split: null,
  response: null,
};

/** Returns a new endpoint with defaults. */
export function blankEndpoint(
  { accountId, quotas, by }: Pick<Authorized, "accountId" | "quotas" | "by">,
  endpointId: string,
  now: number,
): EndpointConfig {
  return {
    v: 1,
    endpointId,
    accountId,
    version: 1,
    name: "",
    deleted: false,
    ...SETTINGS,
    auth: { token: null, hmac: null, ipAllowlist: null, headers: [] },
    source: null,
    workflow: null,
    routing: null,
    account: controlsOf({ suspended: false, quotas }),
    ...firstRevision(now, by),
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Returns `before` with the fields of the body replaced; null sets the default. Throws a 400 with all
 * faults of the fields.
 */
export async function draftOf(
  http: Http,
  before: EndpointConfig,
  body: UpdateEndpointBody,
  now: number,
): Promise<EndpointDraft> {
  const { endpointId } = before;
  const settings = settingsOf(http.env);
  const started = await startedBy(http, before, body);
  const source = await sourceOf(http, before, body);
  const { auth: _, ...named } = changedFields(body, SETTINGS);
  const { name = before.name } = body;
  const fields = { ...before, ...started, source, ...named, name };
  const plain = { ...fields, ...withIdentity(before, body) };
  const authBody = authBodyOf(before, body);
  const faults = [
    ...(await faultsOf(plain, body)),
    ...(authBody === null ? [] : await authFaults(authBody)),
  ];
  if (faults.length > 0) throw invalidByFaults(faults);
  const target = { endpointId, settings, now };
  const { auth, generated } =
    authBody === null
      ? { auth: await keptAuth(before, body.change, target), generated: {} }
      : await authOf(authBody, before.auth, target);
  const config = { ...plain, auth };
  assertAuthenticated(config);
  if (source === null) return { config, generated };
  if (auth.hmac?.preset !== SOURCE_PRESET)
    throw invalid("auth.hmac", "source", `must have the preset ${SOURCE_PRESET} with a source`);
  return { config, generated: {} };
}

/** The sender of an endpoint's source. */
const SOURCE_PRESET = "mcp";

/** Returns the `auth` of a body; null keeps what is stored. A source brings its own. */
function authBodyOf({ auth: { hmac } }: EndpointConfig, { auth, source }: UpdateEndpointBody) {
  const isEmpty = auth == null || Object.keys(auth).length === 0;
  if (source != null && isEmpty)
    return hmac?.preset === SOURCE_PRESET ? null : { hmac: { preset: SOURCE_PRESET } as const };
  return auth === undefined ? null : (auth ?? DEFAULTS.auth);
}

/** Returns the source of an endpoint; throws a 400 for a server that the account does not have. */
async function sourceOf(http: Http, before: EndpointConfig, { source }: UpdateEndpointBody) {
  if (source === undefined) return before.source;
  if (source === null) return null;
  const account = () => accountStub(http.env, before.accountId);
  const [server] = await callWithRetry(() => account().mcpEndpoints([source.mcpServerId]));
  if (server === undefined)
    throw invalid("source.mcpServerId", "source", "must be an MCP server of this account");
  return { ...source, origin: new URL(http.req.url).origin };
}

/** Returns the stored `auth`, with the change that a diagnosis advises. */
async function keptAuth(
  before: EndpointConfig,
  change: UpdateEndpointBody["change"],
  target: SealTarget,
): Promise<EndpointConfig["auth"]> {
  if (change === undefined) return before.auth;
  const opened = await secretsOr503(openEndpoint(before, target.settings));
  return await changedAuth(change, opened, target);
}

/** Returns the workflow or the routes of an endpoint: setting one of them to a value clears the other. */
async function startedBy(
  http: Http,
  before: EndpointConfig,
  { workflowId, routing }: UpdateEndpointBody,
): Promise<Pick<EndpointConfig, "workflow" | "routing">> {
  if (routing != null && workflowId != null) {
    throw invalid("routing", "exclusive", "must not be set together with `workflowId`");
  }
  const ids = routing?.routes.map((route) => route.workflowId) ?? [workflowId ?? []].flat();
  const { accountId } = before;
  const workflows = await callWithRetry(() =>
    loadWorkflows(http.env.DB, accountId, [...new Set(ids)]),
  );
  const found = new Map(workflows.map((workflow) => [workflow.workflowId, workflow]));
  const known = (id: string, field: string): WorkflowDefinition => {
    const workflow = found.get(id);
    if (workflow !== undefined) return workflow;
    throw invalid(field, "workflow", "must be a workflow of this account");
  };
  const given = workflowId == null ? null : known(workflowId, "workflowId");
  const routes = routing?.routes.map((route, at) => {
    const { name, when = null, workflowId: id, mapping, validation = null } = route;
    const { key = null, wake } = route;
    const workflow = known(id, `routing.routes[${at}].workflowId`);
    const rule = caseRuleOf(route);
    return { name, when, workflowId: id, mapping, validation, key, rule, wake, workflow };
  });
  const isKept = routing === undefined && given === null;
  return {
    workflow: workflowId === undefined && routes === undefined ? before.workflow : given,
    routing: isKept ? before.routing : routes === undefined ? null : { routes },
  };
}

/**
 * Returns the faults of the fields in the body. The others were valid when they were stored: a workflow
 * that lost an input since must not keep an endpoint from being disabled.
 */
async function faultsOf(config: EndpointConfig, body: UpdateEndpointBody): Promise<Fault[]> {
  const { mapping, validation, workflow, eventId, replayProtection, split } = config;
  const unsplit = split === null ? null : splitFault(split.path);
  const isMapped = body.mapping !== undefined || body.workflowId !== undefined;
  return [
    ...(body.validation === undefined ? [] : validationFaults(validation)),
    ...(isMapped ? await mappingFaults(mapping, workflow?.inputs ?? null) : []),
    ...(body.routing ? await routingFaults(config.routing) : []),
    ...placeFaults("eventId.path", eventId || null),
    ...(unsplit === null ? [] : [unsplit]),
    ...placeFaults("replayProtection.timestamp.path", replayProtection.timestamp),
  ];
}

function placeFaults(path: string, place: FieldPlace | null): Fault[] {
  // The schema of a place has checked the name of a header.
  if (place?.in !== "body") return [];
  const parsed = parsePath(place.path);
  return parsed.ok ? [] : [{ path, rule: "path", message: parsed.message }];
}

/** Throws a 400 for a custom path without authentication, because a path can be guessed. */
function assertAuthenticated({ path, auth }: EndpointConfig): void {
  const { token, hmac, signature, ipAllowlist, headers } = auth;
  // Anyone can have Amazon SNS sign a message of a topic of their own.
  const isForAnyone = signature?.preset === "aws-sns" && signature.audience === null;
  const isSigned = hmac || (signature && !isForAnyone);
  const isGuarded = token || isSigned || ipAllowlist || headers.some(({ value }) => value !== null);
  if (path === null || isGuarded) return;
  throw invalid(
    "auth",
    "custom_path",
    "is required with a custom path, which can be guessed: set token, hmac, signature (with audience for Amazon SNS), ipAllowlist or a header with a value",
  );
}
