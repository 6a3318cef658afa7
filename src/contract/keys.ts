import * as z from "zod";
import { closed, listOf, open, timestamp, whole } from "./fields.ts";
import { label } from "./operators.ts";

export const SCOPES = [
  "executions:read",
  "executions:write",
  "credits:read",
  "workflows:read",
  "workflows:write",
  "webhooks:read",
  "webhooks:write",
  "decisions:read",
  "decisions:write",
  "destinations:read",
  "destinations:write",
  "models:read",
  "models:write",
  "members:admin",
  "audit:read",
  "keys:admin",
] as const;
export const scope = z.enum(SCOPES).describe("A permission of a key.");
export type Scope = z.infer<typeof scope>;

/** The most keys of one account that are valid at the same time. */
export const MAX_KEYS = 1_000;
/** The fewest revoked and expired keys to keep, the newest ones. */
export const KEPT_ENDED_KEYS = 500;

/** The body of POST /keys. Without scopes, the key has all of them. */
export const createKeyBody = closed({
  name: label,
  scopes: listOf(scope, SCOPES.length, 1)
    .optional()
    .describe("The scopes of the key. If left out, all scopes."),
  expiresAt: z.iso.datetime({ offset: true }).optional().describe("When it expires, if ever."),
}).meta({ id: "CreateKey" });

/** The body of POST /keys/:keyId/rotate. */
export const rotateKeyBody = closed({
  overlapSeconds: whole(0, 2_592_000)
    .default(86_400)
    .describe("How long the old key stays valid, in seconds."),
}).meta({ id: "RotateKey" });

/** A key in a list. The key itself is shown once, when it is created. */
export const apiKeyRecord = open({
  keyId: z.string().describe("The id of the key."),
  name: label,
  scopes: listOf(scope).describe("The scopes of the key."),
  last4: z.string().describe("The key's last four characters."),
  createdAt: timestamp.describe("When it was created."),
  expiresAt: timestamp.nullable().describe("When the key expires; null for never."),
  revokedAt: timestamp.nullable().describe("When it was revoked, or null."),
  lastUsedAt: timestamp.nullable().describe("When it was last used, or null."),
}).meta({ id: "ApiKey" });
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>;
/** A key as its account knows it: a token of the MCP server may be limited to some endpoints. */
export type KeptKeyRecord = ApiKeyRecord & { endpointIds?: string[] };

export const apiKeyCreated = apiKeyRecord
  .extend({ apiKey: z.string().describe("The key itself. It is not shown again.") })
  .meta({ id: "ApiKeyCreated" });
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>;
