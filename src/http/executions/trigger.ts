import {
  type SeedDraft,
  type StartResult,
  triggerAccepted,
  triggerBatchBody,
  triggerBatchResult,
} from "../../contract/account.ts";
import { decisionRules } from "../../contract/decisions.ts";
import { type GivenFiles, MAX_FILES_BYTES, type StoredFile } from "../../contract/files.ts";
import { chainOf } from "../../contract/models.ts";
import { quotaReached } from "../../contract/operators.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { type TriggerBody, triggerBody } from "../../contract/trigger.ts";
import { accountStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { fromBase64, toBase64 } from "../../lib/encoding.ts";
import { newExecutionId } from "../../lib/execution-id.ts";
import { counted } from "../../lib/text.ts";
import { traceOf } from "../../lib/trace-context.ts";
import { serviceFetch } from "../../outbound/guarded-fetch.ts";
import { readFileAt } from "../../outbound/read-file.ts";
import { draftWithout, type SetLater } from "../../workflows/draft.ts";
import {
  assertNotified,
  assertOutputSchema,
  assertTools,
  callbackOf,
  modelProblem,
  serviceHosts,
} from "../agent-settings.ts";
import { apiKeyVerifiedByHandler, authorize, granted, type KeyHolder } from "../authentication.ts";
import type { Http } from "../context.ts";
import { idempotencyOf, keyReused, replayedHeader } from "../headers.ts";
import { callWithRetry, HttpProblem, invalid, invalidByIssues, problemBody } from "../problem.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";
import { AGENT } from "./session.ts";

/** When an execution may have ended, or the operators may have answered. */
const QUOTA_RETRY_SECONDS = 10;

/** When the window of a limit has moved on. */
const LIMIT_RETRY_SECONDS = 60;

/** What the routes that start one execution have in common. */
export const STARTING = {
  response: jsonResponse(202, "The execution was accepted and starts.", triggerAccepted),
  problems: ["insufficient_credits" as const, "idempotency_key_reused" as const],
  requestHeaders: ["Idempotency-Key" as const],
  responseHeaders: ["Location" as const, "Idempotency-Replayed" as const],
};

const trigger = route("POST", `${AGENT}/trigger`, {
  operationId: "triggerExecution",
  summary: "Start an execution",
  description:
    "Holds credits, stores the prompt and returns at once; the agent then works on its own. Poll its status, follow its events, or set `callbackUrl` to receive the result.",
  auth: apiKeyVerifiedByHandler("executions:write"),
  body: jsonBody(
    triggerBody,
    {
      prompt: "List links of https://example.com.",
      callbackUrl: "https://receiver.example/callback",
      callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      maxCredits: 20,
      metadata: { order: "1007" },
    },
    { hasFiles: true },
  ),
  ...STARTING,
  sendsCallback: true,
  async handler({ http, caller, body, bytes }) {
    const draft = await draftOf(http, caller.accountId, body, fileReader(http, caller));
    return acceptDraft(http, caller, draft, bytes);
  },
});

const triggerBatch = route("POST", `${AGENT}/trigger/batch`, {
  operationId: "triggerExecutions",
  summary: "Start many executions",
  description:
    "Starts up to 100 executions, each accepted or rejected by itself. Each ten that were begun count as one request. An `Idempotency-Key` covers all of them: a repeat returns those that were accepted, and tries those that were rejected again.",
  auth: apiKeyVerifiedByHandler("executions:write"),
  body: jsonBody(
    triggerBatchBody,
    {
      executions: [
        { prompt: "List links of https://example.com.", maxCredits: 20 },
        { prompt: "List headings of https://example.org.", maxCredits: 20 },
      ],
    },
    { hasFiles: true },
  ),
  response: jsonResponse(200, "What each came to.", triggerBatchResult),
  problems: ["idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Idempotency-Replayed"],
  async handler({ http, caller, body: { executions: all }, bytes }) {
    const { accountId, credential } = caller;
    const files = fileReader(http, caller);
    const whole = await idempotencyOf(http, bytes);
    const drafts = await Promise.all(
      all.map(async (each, at) => {
        // No key of a caller has a blank.
        const idempotency = whole && { ...whole, key: `${whole.key} ${at}` };
        try {
          const parsed = triggerBody.safeParse(each);
          if (!parsed.success) throw invalidByIssues("body", parsed.error.issues);
          const given = await draftOf(http, accountId, parsed.data, files);
          const draft = { ...given, ...traceOf(http.req.header("traceparent")) };
          return { at, start: { draft, idempotency, unslottedId: newExecutionId() } };
        } catch (error) {
          return { at, error };
        }
      }),
    );
    const starts = drafts.flatMap(({ start }) => start ?? []);
    const reply = await callWithRetry((isRepeat) =>
      accountStub(http.env, accountId).acceptMany(credential, starts, isRepeat, all.length, whole),
    );
    const replies = granted(http, reply).results;
    if (replies.some(({ kind }) => kind === "key_reused")) throw keyReused();
    const started = [...replies];
    const results = drafts.map(({ start, error }) => {
      try {
        if (start === undefined) throw error;
        const result = started.shift();
        if (result === undefined) throw new Error("a start without a result");
        return { ...replyOf(http, result).value, status: 202 as const };
      } catch (thrown) {
        const problem = problemBody(thrown, http.get("requestId"));
        return { status: problem.status, problem };
      }
    });
    const accepted = replies.filter((each) => each.kind === "accepted");
    const startsNone = accepted.length > 0 && accepted.every(({ replayed }) => replayed);
    return { value: { results }, headers: replayedHeader(startsNone) };
  },
});

export const triggerRoutes = [trigger, triggerBatch];

/** Has the account accept an execution and returns its 202. Throws the problem if it does not. */
export async function acceptDraft(
  http: Http,
  { accountId, credential }: KeyHolder,
  given: SeedDraft,
  bytes: Uint8Array,
) {
  const idempotency = await idempotencyOf(http, bytes);
  const draft = { ...given, ...traceOf(http.req.header("traceparent")) };
  // Chosen here, so that the call can be repeated when its reply is lost without a second start.
  const executionId = newExecutionId();
  const reply = await callWithRetry((isRepeat) =>
    accountStub(http.env, accountId).accept(credential, draft, idempotency, executionId, isRepeat),
  );
  return replyOf(http, granted(http, reply));
}

function replyOf(http: Http, result: StartResult) {
  switch (result.kind) {
    case "accepted": {
      const { body, replayed } = result;
      http.get("subject").executionId = body.executionId;
      const Location = `${AGENT}/trigger/${body.executionId}/status`;
      return { value: body, headers: { Location, ...replayedHeader(replayed) } };
    }
    case "key_reused":
      throw keyReused();
    case "quota_reached":
      throw new HttpProblem("rate_limited", quotaReached(result.quota, result.limit), {
        retryAfterSeconds: QUOTA_RETRY_SECONDS,
      });
    case "unknown_mcp_server":
      throw invalid(
        result.field,
        "mcp_server",
        `names the MCP server ${result.server}, which is not registered. Add it at /api/v1/mcp-servers`,
      );
    case "unknown_connection":
      throw invalid(
        "connections",
        "connection",
        `names ${result.name}, which the account does not have. Create it at /api/v1/connections`,
      );
    case "unusable_model":
      throw modelProblem(result);
    case "limit_reached":
      throw new HttpProblem("rate_limited", result.message, {
        retryAfterSeconds: LIMIT_RETRY_SECONDS,
      });
    case "insufficient_credits":
      throw new HttpProblem(
        "insufficient_credits",
        `The execution needs ${counted(result.needed, "credit")}; available: ${result.available}.`,
      );
  }
}

/** Returns the body with its defaults, checked against this deployment. */
async function draftOf(
  { env, req }: Http,
  accountId: string,
  body: TriggerBody,
  readFiles: FileReader,
): Promise<SeedDraft> {
  const settings = settingsOf(env);
  if (body.tools !== undefined) assertTools(body.tools, settings);
  if (body.outputSchema !== undefined) assertOutputSchema(body.outputSchema);
  const hosts = serviceHosts(req.url, settings);
  const decisions = decisionRules.parse(body);
  await assertNotified(decisions, env, accountId);
  return draftWithout<SetLater | "limits">()({
    v: 1,
    origin: "api",
    workflowId: null,
    revision: null,
    inbound: null,
    prompt: body.prompt,
    inputs: body.inputs ?? null,
    outputSchema: body.outputSchema ?? null,
    ...chainOf(body.model ?? settings.DEFAULT_MODEL),
    isDefaultModel: body.model === undefined,
    tools: body.tools ?? null,
    approvals: body.approvals ?? [],
    allowedHosts: body.allowedHosts ?? null,
    connections: body.connections ?? [],
    maxCredits: body.maxCredits ?? null,
    ...(body.maxCostUsd !== undefined && { maxCostUsd: body.maxCostUsd }),
    interactive: body.interactive,
    maxSteps: body.maxSteps,
    timeoutSeconds: body.timeoutSeconds,
    inputTimeoutSeconds: body.inputTimeoutSeconds,
    decisions,
    metadata: body.metadata,
    callback: await callbackOf(body, hosts, settings),
    serviceHosts: hosts,
    retentionDays: settings.EXECUTION_RETENTION_DAYS,
    ...(await readFiles(body.files)),
  });
}

/** How long all files of an execution may take to be read from their addresses. */
const READING_MS = 30_000;

type WithFiles = Pick<ExecutionSeed, "v"> & Required<Pick<ExecutionSeed, "files">>;

/** Reads files, and returns what a draft has of them: nothing without any. */
export type FileReader = (files: GivenFiles | undefined) => Promise<WithFiles | null>;

/**
 * Returns a reader of the files of one request, in all of its executions together at most 10 MiB. It throws a
 * 400 for a file that cannot be read, and a 413 for more bytes than fit.
 */
export function fileReader(http: Http, caller: KeyHolder): FileReader {
  let left = MAX_FILES_BYTES;

  async function fetched(at: number, url: string, timeoutMs: number): Promise<Uint8Array> {
    // A caller that the account has not admitted makes the service call nobody.
    if (http.get("rate") === undefined) await authorize(http, caller);
    const settings = settingsOf(http.env);
    const fetch = serviceFetch(settings, serviceHosts(http.req.url, settings));
    const read = await readFileAt(url, { fetch, maxBytes: left, timeoutMs });
    if (!read.ok) throw invalid(`files[${at}].url`, read.code, read.message);
    if (read.cut) throw tooMany();
    return read.bytes;
  }

  return async (files = []) => {
    const until = Date.now() + READING_MS;
    const read: StoredFile[] = [];
    for (const [at, { name, mediaType, data: given, url }] of files.entries()) {
      const bytes =
        given === undefined
          ? await fetched(at, url ?? "", Math.max(1, until - Date.now()))
          : fromBase64(given);
      if (bytes === null) throw invalid(`files[${at}].data`, "base64", "must be base64");
      left -= bytes.length;
      if (left < 0) throw tooMany();
      read.push({ name, mediaType, sizeBytes: bytes.length, data: given ?? toBase64(bytes) });
    }
    // Code that does not know files must not start an execution without them.
    return read.length === 0 ? null : { v: 2, files: read };
  };
}

function tooMany(): HttpProblem {
  return new HttpProblem(
    "payload_too_large",
    `The files exceed the limit of ${MAX_FILES_BYTES} bytes in all.`,
  );
}
