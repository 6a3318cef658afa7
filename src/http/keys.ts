import type * as z from "zod";
import { KEY_RANDOM_BYTES, type KeyUse, newKey } from "../accounts/key-format.ts";
import type { Authorized } from "../contract/account.ts";
import type { NewKey } from "../contract/account-resources.ts";
import {
  type ApiKeyCreated,
  apiKeyCreated,
  apiKeyRecord,
  type ChangeMemberReply,
  createKeyBody,
  createMemberBody,
  KEPT_ENDED_KEYS,
  type KeptKeyRecord,
  MAX_KEYS,
  MAX_MEMBERS,
  type MemberRecord,
  memberRecord,
  rotateKeyBody,
  SCOPES,
  updateMemberBody,
} from "../contract/keys.ts";
import {
  createMcpTokenBody,
  MCP_TOKEN_PREFIX,
  type McpTokenRecord,
  mcpTokenCreated,
  mcpTokenRecord,
} from "../contract/mcp.ts";
import { settingsOf } from "../env.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { last4 } from "../lib/text.ts";
import { endpointIdsOf } from "../records/endpoints.ts";
import { addMembership, deleteMembership } from "../records/memberships.ts";
import { apiKey } from "./authentication.ts";
import type { Http } from "./context.ts";
import { callWithRetry, conflict, invalid, notFound } from "./problem.ts";
import {
  callAccount,
  changeAccount,
  randomBytes,
  randomId,
  resource,
  tooMany,
} from "./resource.ts";
import { jsonBody, jsonResponse, route } from "./route.ts";

const KEY_PREFIX = "key_";
/** The largest number of active keys of an account, as people read it. */
const KEY_LIMIT = MAX_KEYS.toLocaleString("en");

const auth = apiKey("keys:admin", "management");

const key = resource({
  path: "/api/v1/keys",
  name: "Key",
  one: "a key",
  id: "keyId",
  record: apiKeyRecord,
  saved: apiKeyCreated,
  reader: auth,
});

const rotate = route("POST", "/api/v1/keys/:keyId/rotate", {
  operationId: "rotateKey",
  summary: "Rotate a key",
  description: `Creates a key with the same name, scopes and expiry. The old key keeps working for \`overlapSeconds\`; until then both count toward the limit of ${KEY_LIMIT} keys. Expired and revoked keys cannot be rotated.`,
  auth,
  body: jsonBody(rotateKeyBody, { overlapSeconds: 3_600 }),
  response: jsonResponse(201, "The new key.", apiKeyCreated),
  problems: ["conflict"],
  async handler({ http, caller, params: { keyId }, body: { overlapSeconds } }) {
    const { secret, stored } = await generateKey(http.env, caller.accountId);
    const reply = await changeAccount(http, caller, (account, actor) =>
      account.rotateKey(keyId, stored, overlapSeconds, actor),
    );
    if (reply.kind === "not_found") throw notFound();
    if (reply.kind === "full") throw tooMany("an active key", MAX_KEYS);
    return { value: { ...reply.record, apiKey: secret } };
  },
});

export const keyRoutes = [
  key.create({
    description: `The response is the only one that includes the key itself. A key without \`scopes\` has all of them. An account can have ${KEY_LIMIT} active keys.`,
    body: createKeyBody,
    bodyExample: { name: "backend", scopes: ["executions:write"] },
    handler: ({ http, caller, body }) => createKey(http, caller, body),
  }),
  key.list(
    `Returns the account's keys, newest first, including at least the last ${KEPT_ENDED_KEYS} that expired or were revoked.`,
    (http, caller) => keysOf(http, caller, KEY_PREFIX),
  ),
  key.remove(
    "The key stops working at once. A revoked key cannot be restored. Executions that it started continue.",
    revokeKey,
    { verb: "revoke" },
  ),
  rotate,
];

/** Returns the account's keys of a kind, by how their ids begin. */
export async function keysOf(
  http: Http,
  caller: Authorized,
  prefix: string,
): Promise<KeptKeyRecord[]> {
  const all = await callAccount(http, caller, (account) => account.listKeys());
  return all.filter(({ keyId }) => keyId.startsWith(prefix));
}

/** Revokes a key. Returns false if there is none. */
export function revokeKey({ http, caller, id }: { http: Http; caller: Authorized; id: string }) {
  return callAccount(http, caller, (account, actor) => account.revokeKey(id, actor));
}

/** Who creates a key, and for which account. */
type Creator = Pick<Authorized, "accountId" | "by">;

/** Creates a key of an existing account. Throws a 400 for a past expiry and a 409 for one key too many. */
export async function createKey(
  http: Http,
  creator: Creator,
  body: z.output<typeof createKeyBody>,
): Promise<ApiKeyCreated> {
  const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt);
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw invalid("expiresAt", "future", "must be in the future");
  }
  const { secret, stored } = await generateKey(http.env, creator.accountId);
  const scopes = [...new Set(body.scopes ?? SCOPES)];
  const record = await addKey(http, creator, { ...stored, name: body.name, scopes, expiresAt });
  return { ...record, apiKey: secret };
}

/** Adds a generated key to its account. Throws a 409 for one key too many. */
export async function addKey(http: Http, creator: Creator, added: NewKey): Promise<KeptKeyRecord> {
  const reply = await changeAccount(http, creator, (account, actor) =>
    account.createKey(added, actor),
  );
  if (reply.kind === "full") throw tooMany("an active key", MAX_KEYS);
  return reply.record;
}

/** Generates a key of an account: the secret for its holder, the rest for the account. */
export async function generateKey(
  env: CloudflareEnv,
  accountId: string,
  { use, prefix }: { use: KeyUse; prefix: string } = { use: "live", prefix: KEY_PREFIX },
) {
  const { ID_KEY } = settingsOf(env);
  const secret = await newKey(accountId, randomBytes(KEY_RANDOM_BYTES), ID_KEY, use);
  const keyHash = await sha256Hex(secret);
  return { secret, stored: { keyId: randomId(prefix), keyHash, last4: last4(secret) } };
}

const token = resource({
  path: "/api/v1/mcp-tokens",
  name: "McpToken",
  one: "an MCP token",
  id: "tokenId",
  record: mcpTokenRecord,
  saved: mcpTokenCreated,
  reader: auth,
});

const createToken = token.create({
  description:
    "Creates an address of Prompthook's MCP server that needs no key: for clients that can only be given an address. It has the scopes that you name and, with `endpointIds`, reaches these endpoints alone. Only this response includes the address. Tokens count as keys.",
  body: createMcpTokenBody,
  bodyExample: { name: "assistant", scopes: ["webhooks:read"] },
  async handler({ http, caller, body: { name, scopes, endpointIds } }) {
    const { accountId } = caller;
    if (endpointIds !== undefined) {
      const own = await callWithRetry(() => endpointIdsOf(http.env.DB, accountId));
      const at = endpointIds.findIndex((id) => !own.includes(id));
      if (at >= 0) throw invalid(`endpointIds[${at}]`, "exists", "must be one of the account");
    }
    const kind = { use: "mcp", prefix: MCP_TOKEN_PREFIX } as const;
    const made = await generateKey(http.env, accountId, kind);
    const reach = { scopes: [...new Set(scopes)], endpointIds: endpointIds ?? null };
    const record = await addKey(http, caller, { ...made.stored, name, ...reach, expiresAt: null });
    const url = new URL(`/mcp/k/${made.secret}`, http.req.url).href;
    return { ...recordOf(record), url };
  },
});

function recordOf({ keyId, expiresAt: _, endpointIds, ...key }: KeptKeyRecord): McpTokenRecord {
  return { tokenId: keyId, ...key, endpointIds: endpointIds ?? null };
}

export const mcpTokenRoutes = [
  createToken,
  token.list(
    "Returns the account's tokens, newest first, revoked ones included.",
    async (http, caller) => (await keysOf(http, caller, MCP_TOKEN_PREFIX)).map(recordOf),
  ),
  token.remove(
    "The address stops working at once, and within a minute so do the subscriptions that were made with it.",
    revokeKey,
    { verb: "revoke" },
  ),
];

const member = resource({
  path: "/api/v1/members",
  name: "Member",
  one: "a member",
  id: "memberId",
  record: memberRecord,
  reader: apiKey("members:admin", "management"),
});

export const memberRoutes = [
  member.create({
    description: "Adds a person, who can sign in to the dashboard with this e-mail address.",
    body: createMemberBody,
    bodyExample: { email: "ada@acme.example", role: "operator", name: "Ada" },
    async handler({ http, caller, body: { email, role, name = null } }) {
      const added = { memberId: randomId("mem_"), email, role, name };
      const note = () => callWithRetry(() => addMembership(http.env.DB, email, caller.accountId));
      await note();
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.addMember(added, actor),
      );
      // A removal of the same person may have deleted the first note meanwhile.
      await note();
      if (reply.kind === "added") return reply.record;
      if (reply.kind === "full") throw tooMany("a member", MAX_MEMBERS);
      throw conflict(`${email} is a member already. Update the member instead.`);
    },
  }),
  member.list("Returns the members of the account, newest first.", (http, caller) =>
    callAccount(http, caller, (account) => account.listMembers()),
  ),
  member.update({
    description: "A new role applies from the next request. The last admin cannot be demoted.",
    body: updateMemberBody,
    bodyExample: { role: "admin" },
    async handler({ http, caller, id, body }) {
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.changeMember(id, body, actor),
      );
      return changed(reply);
    },
  }),
  member.remove(
    "The member is signed out at once. Keys that the member created keep working. The last admin cannot be removed.",
    async ({ http, caller, id }) => {
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.removeMember(id, actor),
      );
      const { email } = changed(reply);
      const { accountId } = caller;
      await callWithRetry(() => deleteMembership(http.env.DB, email, accountId));
      // The same person may have been added again meanwhile.
      const known = await callAccount(http, caller, (account) => account.nameForMember(email));
      if (known !== null) await callWithRetry(() => addMembership(http.env.DB, email, accountId));
      return true;
    },
    { problems: ["conflict"] },
  ),
];

function changed(reply: ChangeMemberReply): MemberRecord {
  if (reply.kind === "changed") return reply.record;
  if (reply.kind === "not_found") throw notFound();
  throw conflict("This is the last admin of the account. Make another member an admin first.");
}
