import {
  createEndpointBody,
  type EndpointConfig,
  type UpdateEndpointBody,
} from "../../contract/inbound/endpoint.ts";
import type { Fault } from "../../contract/inbound/payload.ts";
import type { Place } from "../../contract/inbound/signature.ts";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import { settingsOf } from "../../env.ts";
import { mappingFaults } from "../../inbound/mapping/faults.ts";
import { parsePath } from "../../inbound/mapping/paths.ts";
import { validationFaults } from "../../inbound/validation/faults.ts";
import { loadWorkflow } from "../../records/workflows.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { invalid, invalidByFaults } from "../problem.ts";
import { authOf, type MadeSecrets } from "./auth.ts";
import { authFaults } from "./auth-faults.ts";

/** An endpoint as it is to be written, and the secrets that were made for it. */
export interface EndpointDraft {
  config: EndpointConfig;
  made: MadeSecrets;
}

/** What an endpoint has where its body names nothing. */
const STANDARD = {
  methods: createEndpointBody.shape.methods.parse(undefined),
  auth: createEndpointBody.shape.auth.parse(undefined),
  replayProtection: createEndpointBody.shape.replayProtection.parse(undefined),
  onDuplicate: createEndpointBody.shape.onDuplicate.parse(undefined),
  validation: createEndpointBody.shape.validation.parse(undefined),
  mapping: createEndpointBody.shape.mapping.parse(undefined),
  retentionDays: createEndpointBody.shape.retentionDays.parse(undefined),
  requestsPerMinute: createEndpointBody.shape.requestsPerMinute.parse(undefined),
};

/** An endpoint that has nothing yet but its id and its owner. */
export function blankEndpoint(accountId: string, endpointId: string, now: number): EndpointConfig {
  return {
    v: 1,
    endpointId,
    accountId,
    version: 1,
    name: "",
    path: null,
    enabled: true,
    deleted: false,
    ...STANDARD,
    auth: { token: null, hmac: null, ipAllowlist: null, headers: [] },
    eventId: null,
    workflow: null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * `before` with the fields that the body names in place of its own; null stands for the default.
 * Throws a 400 with all that is wrong with them.
 */
export async function draftOf(
  http: Http,
  before: EndpointConfig,
  body: UpdateEndpointBody,
  now: number,
): Promise<EndpointDraft> {
  const { accountId, endpointId } = before;
  const settings = settingsOf(http.env);
  const workflow = await workflowOf(http, accountId, before.workflow, body.workflowId);
  const plain = withPlainFields({ ...before, workflow }, body);
  const authBody = body.auth === undefined ? null : (body.auth ?? STANDARD.auth);
  const wrong = [
    ...(await faultsOf(plain, body)),
    ...(authBody === null ? [] : authFaults(authBody)),
  ];
  if (wrong.length > 0) throw invalidByFaults(wrong);
  const { auth, made } =
    authBody === null
      ? { auth: before.auth, made: {} }
      : await authOf(authBody, before.auth, { endpointId, settings, now });
  const config = { ...plain, auth };
  checkPath(config);
  return { config, made };
}

function withPlainFields(before: EndpointConfig, body: UpdateEndpointBody): EndpointConfig {
  return {
    ...before,
    name: body.name ?? before.name,
    path: orElse(body.path, before.path, null),
    enabled: orElse(body.enabled, before.enabled, true),
    methods: orElse(body.methods, before.methods, STANDARD.methods),
    replayProtection: orElse(
      body.replayProtection,
      before.replayProtection,
      STANDARD.replayProtection,
    ),
    eventId: orElse(body.eventId, before.eventId, null),
    onDuplicate: orElse(body.onDuplicate, before.onDuplicate, STANDARD.onDuplicate),
    validation: orElse(body.validation, before.validation, STANDARD.validation),
    mapping: orElse(body.mapping, before.mapping, STANDARD.mapping),
    retentionDays: orElse(body.retentionDays, before.retentionDays, STANDARD.retentionDays),
    requestsPerMinute: orElse(
      body.requestsPerMinute,
      before.requestsPerMinute,
      STANDARD.requestsPerMinute,
    ),
  };
}

/** What a body's field says: nothing leaves it as it was, null sets the standard. */
function orElse<T>(given: T | null | undefined, before: T, standard: T): T {
  return given === undefined ? before : (given ?? standard);
}

async function workflowOf(
  http: Http,
  accountId: string,
  before: WorkflowDefinition | null,
  workflowId: string | null | undefined,
): Promise<WorkflowDefinition | null> {
  if (workflowId === undefined) return before;
  if (workflowId === null) return null;
  const found = await callWithRetry(() => loadWorkflow(http.env.DB, accountId, workflowId), {
    idempotent: true,
  });
  if (found === null) throw invalid("workflowId", "workflow", "is no workflow of this account");
  return found.definition;
}

/**
 * What is wrong with the fields that the body names. The others were right when they were stored; a
 * workflow that lost an input since must not keep an endpoint from being disabled.
 */
async function faultsOf(config: EndpointConfig, body: UpdateEndpointBody): Promise<Fault[]> {
  const { mapping, validation, workflow, eventId, replayProtection } = config;
  const isMapped = body.mapping !== undefined || body.workflowId !== undefined;
  return [
    ...(body.validation === undefined ? [] : validationFaults(validation)),
    ...(isMapped ? await mappingFaults(mapping, workflow?.inputs ?? null) : []),
    ...placeFaults("eventId.path", eventId),
    ...placeFaults("replayProtection.timestamp.path", replayProtection.timestamp),
  ];
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;

function placeFaults(path: string, place: Place | null): Fault[] {
  if (place === null) return [];
  if (place.in === "header") {
    if (HEADER_NAME.test(place.path)) return [];
    return [{ path, rule: "header", message: "must be the name of a header" }];
  }
  const parsed = parsePath(place.path);
  return parsed.ok ? [] : [{ path, rule: "path", message: parsed.message }];
}

/** A path can be guessed, so something must tell the sender from anybody. */
function checkPath({ path, auth }: EndpointConfig): void {
  const { token, hmac, ipAllowlist, headers } = auth;
  const isGuarded = token || hmac || ipAllowlist || headers.some(({ value }) => value !== null);
  if (path === null || isGuarded) return;
  throw invalid(
    "auth",
    "custom_path",
    "is needed with a custom path, which can be guessed: token, hmac, ipAllowlist or a header with a value",
  );
}
