import * as z from "zod";
import { readToken, signToken } from "../accounts/signed-links.ts";
import type { Authorized } from "../contract/account.ts";
import { EXAMPLE_ID, type ExecutionResult, executionResult } from "../contract/execution.ts";
import { json } from "../contract/json.ts";
import type { KeptKeyRecord, Scope } from "../contract/keys.ts";
import { createShareBody, SHARE_PREFIX, shareRecord } from "../contract/shares.ts";
import { type LogEntry, logEntry } from "../contract/webhooks/log.ts";
import { accountStub } from "../durable/stubs.ts";
import { wholeEntry } from "../endpoints/log-reader.ts";
import { settingsOf } from "../env.ts";
import { redactorOf } from "../intake/redact.ts";
import { openEndpoint } from "../intake/secrets.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { mapTexts } from "../lib/json-values.ts";
import { loadEndpoint } from "../records/endpoints.ts";
import { apiKey, problemOf } from "./authentication.ts";
import type { Http } from "./context.ts";
import { type File, resultNotReady } from "./executions/read.ts";
import { callSession } from "./executions/session.ts";
import { addKey, keysOf, revokeKey } from "./keys.ts";
import { callWithRetry, HttpProblem, secretsOr503 } from "./problem.ts";
import { randomId, resource } from "./resource.ts";
import { loggedRequest } from "./webhooks/requests.ts";
import { existingEndpoint } from "./webhooks/resource.ts";

// A link shows its content to people without a key: a key that cannot read the content must not get one.
const OF_EXECUTIONS: Scope[] = ["executions:read", "executions:write"];
const OF_REQUESTS: Scope[] = ["webhooks:read", "webhooks:write"];

/** Returns the scope that a caller lacks to share something; null if the caller may. */
function missingScope({ scopes }: Authorized, name: string): Scope | null {
  const needed = name.includes("/") ? OF_REQUESTS : OF_EXECUTIONS;
  return needed.find((scope) => !scopes.includes(scope)) ?? null;
}

/** Returns the shares that work and that the caller could have made. */
async function sharesFor(http: Http, caller: Authorized): Promise<KeptKeyRecord[]> {
  const all = await keysOf(http, caller, SHARE_PREFIX);
  return all.filter(
    ({ name, revokedAt, expiresAt }) =>
      revokedAt === null &&
      Date.parse(expiresAt ?? "") > Date.now() &&
      missingScope(caller, name) === null,
  );
}

const share = resource({
  path: "/api/v1/shares",
  name: "Share",
  one: "a share",
  id: "shareId",
  record: shareRecord,
  // In this order a token that is limited to some endpoints is refused.
  reader: apiKey("webhooks:write", "management", "executions:write"),
});

export const shareRoutes = [
  share.create({
    description:
      "Creates a link to the result of an execution that has ended, or to a request of an endpoint's log. Anyone who has the link can read that until it expires or is revoked, without a key and without the secrets of the endpoint. A result is shown without its prompt, inputs, effects and log. The key needs the scopes `executions:read` and `executions:write`, for a request `webhooks:read` and `webhooks:write`. Shares count as keys.",
    body: createShareBody,
    bodyExample: { executionId: EXAMPLE_ID, expiresInSeconds: 86_400 },
    problems: ["conflict", "not_found", "result_not_ready"],
    async handler({ http, caller, body }) {
      const { executionId, endpointId = "", requestId = "", expiresInSeconds } = body;
      // The name of its key says what it is of. Ids are equal in either case (RFC 9562 §4).
      const name = (executionId ?? `${endpointId}/${requestId}`).toLowerCase();
      const scope = missingScope(caller, name);
      if (scope !== null) {
        const { by, rate } = caller;
        throw problemOf({ kind: "insufficient_scope", scope, by, rate });
      }
      await contentOf(http.env, caller.accountId, name);
      const keyId = randomId(SHARE_PREFIX);
      const expiresAt = Date.now() + expiresInSeconds * 1_000;
      // No API key has this hash, since the id of a share does not have the form of a key.
      const keyHash = await sha256Hex(keyId);
      const key = { keyId, keyHash, last4: "", name, scopes: [], expiresAt };
      return recordOf(http, caller, await addKey(http, caller, key));
    },
  }),
  share.list(
    "Returns the shares that have not ended, newest first: of results and of requests, as far as the key may share them.",
    async (http, caller) => {
      const shares = await sharesFor(http, caller);
      return Promise.all(shares.map((each) => recordOf(http, caller, each)));
    },
  ),
  share.remove(
    "The link stops working at once.",
    async (asked) => {
      const shares = await sharesFor(asked.http, asked.caller);
      return shares.some(({ keyId }) => keyId === asked.id) && revokeKey(asked);
    },
    { verb: "revoke" },
  ),
];

/** The purpose of the links, and what they say: whose they are, and when they expire (epoch milliseconds). */
const LINK = "shares: link";
const linkContent = z.tuple([z.string(), z.string(), z.int()]);

async function recordOf(
  { env, req }: Http,
  { accountId }: Authorized,
  { keyId: shareId, name, createdAt, expiresAt }: KeptKeyRecord,
): Promise<z.output<typeof shareRecord>> {
  const until = expiresAt ?? createdAt;
  const content = [accountId, shareId, Date.parse(until)];
  const token = await signToken(LINK, content, settingsOf(env).ID_KEY);
  const [first = "", requestId = null] = name.split("/");
  return {
    shareId,
    url: new URL(`/s/${token}`, req.url).href,
    executionId: requestId === null ? first : null,
    endpointId: requestId === null ? null : first,
    requestId,
    createdAt,
    expiresAt: until,
  };
}

/** What a share shows, and the endpoint whose secrets may be in it. */
type Content =
  | { kind: "result"; result: ExecutionResult; endpointId: string | null }
  | { kind: "request"; entry: LogEntry; endpointId: string };

const callerOf = (accountId: string) => ({ accountId, pending: null });

/** Reads what is shared. Throws a 404 without it, and a 409 for an execution that has not ended. */
async function contentOf(env: CloudflareEnv, accountId: string, name: string): Promise<Content> {
  const [id = "", requestId] = name.split("/");
  if (requestId !== undefined) {
    const { endpointId } = await existingEndpoint({ env }, accountId, id);
    const entry = wholeEntry(await loggedRequest({ env }, endpointId, requestId));
    return { kind: "request", entry, endpointId };
  }
  const asked = { http: { env }, caller: callerOf(accountId), params: { executionId: id } };
  const [reply, { task }] = await Promise.all([
    callSession(asked, (host) => host.result(id)),
    callSession(asked, (host) => host.task(id)),
  ]);
  if (reply.kind === "not_ready") throw resultNotReady(reply.status);
  return { kind: "result", result: reply.result, endpointId: task.inbound?.endpointId ?? null };
}

/** A share that was opened by its link, without the secrets of its endpoint. */
export interface OpenedShare {
  accountId: string;
  content: Content;
  expiresAt: number;
  hide(text: string): string;
}

/**
 * Opens a link. Returns null if it was changed, has expired or was revoked, and if its content is gone. A
 * changed or expired one is refused without a look-up.
 */
export async function openShare(env: CloudflareEnv, token: string): Promise<OpenedShare | null> {
  const link = await readToken(LINK, token, linkContent, settingsOf(env).ID_KEY);
  if (link === null || link[2] <= Date.now()) return null;
  const [accountId, shareId, expiresAt] = link;
  const name = await callWithRetry(() => accountStub(env, accountId).openShare(shareId));
  if (name === null) return null;
  try {
    const content = await contentOf(env, accountId, name);
    const hide = await hiderOf(env, accountId, content.endpointId);
    return { accountId, content: withoutSecrets(content, hide), expiresAt, hide };
  } catch (error) {
    if (error instanceof HttpProblem && error.code === "not_found") return null;
    throw error;
  }
}

/** Returns a function that hides the secrets of an endpoint; there are none without it. */
async function hiderOf(env: CloudflareEnv, accountId: string, endpointId: string | null) {
  const config =
    endpointId && (await callWithRetry(() => loadEndpoint(env.DB, accountId, endpointId)));
  if (!config) return (text: string) => text;
  return redactorOf(await secretsOr503(openEndpoint(config, settingsOf(env)))).hide;
}

function withoutSecrets(content: Content, hide: OpenedShare["hide"]): Content {
  const hidden = (value: object) => mapTexts(json.parse(value), hide);
  return content.kind === "result"
    ? { ...content, result: executionResult.parse(hidden(content.result)) }
    : { ...content, entry: logEntry.parse(hidden(content.entry)) };
}

/** Returns a file of a shared result without the secrets of its endpoint; null for all else. */
export async function sharedFile(
  env: CloudflareEnv,
  { accountId, content, hide }: OpenedShare,
  outputId: string,
): Promise<File | null> {
  if (content.kind === "request") return null;
  const { executionId, outputs } = content.result;
  if (!outputs.some((each) => each.outputId === outputId && each.type === "file")) return null;
  const asked = { http: { env }, caller: callerOf(accountId), params: { executionId } };
  const file = await callSession(asked, (host, id) => host.file(id, outputId));
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(file.bytes);
  const hidden = hide(text);
  // A file without a secret is returned as it is: its bytes may not be text.
  const bytes = hidden === text ? file.bytes : new TextEncoder().encode(hidden);
  return { ...file, filename: hide(file.filename), bytes };
}
