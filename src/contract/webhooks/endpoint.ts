import * as z from "zod";
import {
  atMostOne,
  changing,
  closed,
  distinct,
  listOf,
  matching,
  oneOf,
  open,
  textUpTo,
  whole,
} from "../fields.ts";
import { DEFAULT_CONTROLS, inboundControls, limits, limitsBody } from "../operators.ts";
import {
  identityBody,
  NOT_REVISED,
  revisedFields,
  revisionRecord,
  revisionStamp,
} from "../revision.ts";
import { workflowDefinition, workflowId } from "../workflow.ts";
import { adviceChange } from "./advice.ts";
import { authBody, chosenSecret, shownAuth } from "./auth.ts";
import { mapping, mappingBody } from "./mapping.ts";
import { hookResponse } from "./response.ts";
import { routing, routingBody, shownRouting } from "./routing.ts";
import {
  headerName,
  keyPresetName,
  place,
  presetName,
  publicKeyScheme,
  signatureScheme,
  tokenPresetName,
  tokenSource,
} from "./signature.ts";
import { revisedSource, shownSource, sourceBody, storedSource } from "./source.ts";
import { validationBody, validationRules } from "./validation.ts";

/**
 * `ep_` and 40 hex digits: 128 random bits and a keyed check. Two more, the first, name the place of an
 * account that has one. The first ten tag executions.
 */
export const endpointId = matching(
  /^ep_(?:[0-9a-f]{2})?[0-9a-f]{40}$/,
  "must be `ep_` and 40 or 42 hex digits",
).describe("The id of the endpoint: `ep_` and 40 or 42 hex digits.");

const DEFAULT_REQUESTS_PER_MINUTE = 6_000;
const DEFAULT_RETENTION_DAYS = 30;
export const DEFAULT_TOLERANCE_SECONDS = 300;
/** The default header of a token; `Authorization: Bearer` is accepted as well. */
export const DEFAULT_TOKEN_HEADER = "X-Webhook-Token";
export const MAX_HELD_REQUESTS = 10_000;
export const MAX_HELD_BYTES = 1_073_741_824;

export const method = oneOf("POST", "GET");
export type InboundMethod = z.infer<typeof method>;

/** A stored secret: sealed, with its last characters, and the previous one while both are valid. */
const keptSecret = open({
  sealed: z.string(),
  last4: z.string(),
  previous: open({
    sealed: z.string(),
    validUntil: z.int().describe("Until when it is valid, in epoch milliseconds."),
  }).nullable(),
});
export type KeptSecret = z.infer<typeof keptSecret>;

const storedAuth = open({
  /** `header` is null for the default: X-Webhook-Token or Authorization: Bearer. */
  token: open({
    preset: tokenPresetName.optional().catch(undefined),
    header: headerName.nullable(),
    /** In a header if left out. */
    in: tokenSource.optional(),
    /** The query parameter, or the path in the payload. */
    name: z.string().optional(),
    secret: keptSecret,
  }).nullable(),
  hmac: open({
    /** Null for a custom scheme, which a sender becomes whose preset is given up. */
    preset: presetName.nullable().catch(null),
    scheme: signatureScheme,
    secret: keptSecret,
    /** Whether the sender may still choose the secret, in its handshake. */
    awaitsSecret: z.literal(true).optional(),
  }).nullable(),
  signature: open({
    /** Null for a custom scheme, as above. */
    preset: keyPresetName.nullable().catch(null),
    scheme: publicKeyScheme,
    /** Null if the key is fetched from the sender. */
    publicKey: z.string().nullable(),
    audience: z.string().nullable(),
    /** Earlier versions kept a secret for the API of a sender here, and require the name. */
    secret: z.null().catch(null),
  }).optional(),
  ipAllowlist: listOf(z.string()).nullable(),
  headers: listOf(
    open({
      name: headerName,
      /** Null for a header that may have any value. */
      value: open({ sealed: z.string(), last4: z.string() }).nullable(),
    }),
  ),
});
export type StoredAuth = z.infer<typeof storedAuth>;

const protectionEnabled = z.boolean().describe("Whether the age of requests is checked.");
const tolerance = whole(1, 86_400).describe(
  "The maximum difference between a request's timestamp and the current time, in seconds. A preset whose retries repeat the time, or whose sender names a window, replaces the default; another value counts.",
);
const timestampPlace = place
  .nullable()
  .describe(
    "The place of the timestamp. With null: the time that the preset names, if any; without a preset the signed timestamp, else `timestamp` in the body.",
  );

const replayProtection = open({
  enabled: protectionEnabled,
  toleranceSeconds: tolerance,
  timestamp: timestampPlace,
}).meta({ id: "ReplayProtection" });

const split = closed({
  path: textUpTo(500).describe(
    "The path of the list: `events`, `entry[*].changes` for the lists of all entries, `$` for the payload itself.",
  ),
})
  .nullable()
  .describe(
    "For senders that batch: makes one request of each item of a list in the payload, at most 1,000, each with an event id, a log entry and an execution of its own. The item is the payload. The sender and the age are checked once for all; validation, mapping and duplicates for each. With null, a batch is one request.",
  );

/**
 * Everything that admission knows of an endpoint, with the attached workflow. D1 keeps the truth; the
 * endpoint's inbox and every isolate keep a copy, and the higher version is the newer one. The stored
 * shape carries its own version `v`. A copy stored before a field existed gets a new endpoint's default
 * for it, except for `auth`, whose default would let everybody in.
 */
export const endpointConfig = open({
  v: z.literal(1),
  endpointId,
  accountId: z.string(),
  /** Raised by every change of the endpoint or its workflow. */
  version: z.int(),
  name: z.string(),
  path: z.string().nullable(),
  enabled: z.boolean().default(true),
  deleted: z.boolean(),
  methods: listOf(method),
  auth: storedAuth,
  replayProtection,
  eventId: z.union([place, z.literal(false)]).nullable(),
  onDuplicate: oneOf("skip", "run").default("skip"),
  validation: validationRules,
  mapping,
  retentionDays: z.int().default(DEFAULT_RETENTION_DAYS),
  requestsPerMinute: z.int().default(DEFAULT_REQUESTS_PER_MINUTE),
  limits: limits.default(null),
  split: split.default(null),
  response: hookResponse.nullable().default(null),
  withoutWorkflow: oneOf("hold", "log").default("hold"),
  workflow: workflowDefinition.nullable(),
  /** In place of a workflow. */
  routing: routing.nullable().default(null),
  source: storedSource.nullable().default(null),
  account: inboundControls.default(DEFAULT_CONTROLS),
  ...revisionStamp.shape,
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type EndpointConfig = z.infer<typeof endpointConfig>;

const replayBody = closed({
  enabled: protectionEnabled.default(true),
  toleranceSeconds: tolerance.default(DEFAULT_TOLERANCE_SECONDS),
  timestamp: timestampPlace.default(null),
}).meta({ id: "ReplayProtectionDraft", description: "The protection against replayed requests." });

/** A custom path: segments of letters, digits, `-`, `_`, `.` and `~`; none is `.` or `..`. */
export const customPath = z
  .string()
  .overwrite((path) => path.replace(/^\//, ""))
  .max(200)
  .regex(
    /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/,
    "must be segments of letters, digits, -, _, . or ~, separated by /",
  )
  .refine(
    (path) => !/^ep_(?:[0-9a-f]{2})?[0-9a-f]{40}$/i.test(path),
    "must not look like the id of an endpoint",
  )
  .describe("A custom path for the URL. It can be guessed, so it requires authentication.");

const name = textUpTo(200).describe("A display name.");
const enabled = z.boolean().describe("Whether it is enabled. A disabled endpoint returns 404.");
const attached = workflowId.nullable().describe("The workflow that requests start.");
const methods = distinct(listOf(method, 2, 1), "a method").describe("The allowed methods.");
const retentionDays = whole(1, 3_650).describe("How many days the log keeps a request.");
/** What one object can serve, which is some 1,000 requests a second. */
const MAX_REQUESTS_PER_MINUTE = 60_000;

const requestsPerMinute = whole(1, MAX_REQUESTS_PER_MINUTE).describe(
  "The maximum number of requests per minute. For more, use several endpoints.",
);
const response = hookResponse
  .nullable()
  .describe("The response to senders. With null, 202 and JSON.");
const onDuplicate = oneOf("skip", "run").describe("Whether a duplicate is skipped or run.");
const withoutWorkflow = oneOf("hold", "log").describe(
  "What an endpoint without a workflow and without `routing` does with a request: holds it until there is one, or logs it, as an event for MCP clients.",
);
const eventId = z
  .union([place, z.literal(false)])
  .nullable()
  .describe(
    "The place of the event's id; `false` tracks no duplicates. With null, the place of the preset, else the headers `webhook-id`, `svix-id`, `X-Event-Id`, `X-Webhook-Id`, `ce-id` (with `ce-source`) or `Idempotency-Key`, else `event_id` or `eventId` in the body, else the body's `id` together with a hash of the payload, so that only an identical request is a duplicate.",
  );

/** The body of POST /webhooks. */
export const createEndpointBody = closed({
  name,
  path: customPath.nullish(),
  workflowId: attached.optional(),
  routing: routingBody.nullish(),
  enabled: enabled.default(true),
  methods: methods.default(["POST"]),
  auth: authBody.default({}),
  replayProtection: replayBody.prefault({}),
  eventId: eventId.optional(),
  onDuplicate: onDuplicate.default("skip"),
  withoutWorkflow: withoutWorkflow.default("hold"),
  validation: validationBody.prefault({}),
  mapping: mappingBody.prefault({}),
  retentionDays: retentionDays.default(DEFAULT_RETENTION_DAYS),
  requestsPerMinute: requestsPerMinute.default(DEFAULT_REQUESTS_PER_MINUTE),
  limits: limitsBody.nullish(),
  split: split.optional(),
  response: response.optional(),
  source: sourceBody.optional(),
  ...identityBody,
}).meta({ id: "CreateEndpoint" });
export type CreateEndpointBody = z.infer<typeof createEndpointBody>;

/** The body of PATCH /webhooks/:endpointId: top-level fields are replaced, null sets the default. */
export const updateEndpointBody = changing({
  ...createEndpointBody.shape,
  enabled: enabled.nullish(),
  methods: methods.nullish(),
  auth: authBody.nullish(),
  replayProtection: replayBody.nullish(),
  onDuplicate: onDuplicate.nullish(),
  withoutWorkflow: withoutWorkflow.nullish(),
  validation: validationBody.nullish(),
  mapping: mappingBody.nullish(),
  retentionDays: retentionDays.nullish(),
  requestsPerMinute: requestsPerMinute.nullish(),
  change: adviceChange.describe("The `advice.change` of a logged request, in place of `auth`."),
})
  .apply(atMostOne(["auth", "change"], "must not be set together with `auth`", "change"))
  .meta({ id: "UpdateEndpoint" });
export type UpdateEndpointBody = z.infer<typeof updateEndpointBody>;

/** The body of POST /webhooks/:endpointId/rotate-secret. */
export const rotateSecretBody = closed({
  target: oneOf("token", "hmac")
    .optional()
    .describe("The secret to rotate. If left out, the only one, or `hmac` if there are both."),
  secret: chosenSecret.optional().describe("The new secret. If left out, one is generated."),
  overlapSeconds: whole(0, 2_592_000)
    .default(86_400)
    .describe("How long the old secret stays valid, in seconds."),
}).meta({ id: "RotateSecret" });

/** An endpoint as the API shows it, with the last characters of its secrets. */
export const endpointRecord = open({
  endpointId,
  name,
  url: z.string().describe("The address for senders."),
  path: z.string().nullable().describe("The custom path of the URL, or null."),
  workflowId: attached,
  routing: shownRouting.nullable(),
  enabled,
  methods,
  auth: shownAuth,
  replayProtection: replayProtection.describe("The protection against replayed requests."),
  eventId,
  onDuplicate,
  withoutWorkflow,
  validation: validationRules.describe("The rules for payloads."),
  mapping: mapping.describe("How payloads map to the workflow's inputs."),
  retentionDays,
  requestsPerMinute,
  limits,
  split,
  response,
  source: shownSource,
  queuedCount: z
    .int()
    .nullable()
    .describe("The requests that wait for their start; null if unknown now."),
  ...revisedFields,
}).meta({ id: "Endpoint" });
export type EndpointRecord = z.infer<typeof endpointRecord>;

/** What a revision of an endpoint has. */
export const endpointContent = endpointRecord
  .omit({ endpointId: true, url: true, queuedCount: true, ...NOT_REVISED })
  .extend({ source: revisedSource })
  .meta({ id: "EndpointContent", description: "The settings of an endpoint." });
export type EndpointContent = z.infer<typeof endpointContent>;
export const endpointRevision = revisionRecord(endpointContent, "EndpointRevision");
export type EndpointRevision = z.infer<typeof endpointRevision>;

/** The response to creating, changing and rotating; `secrets` are the generated ones. */
export const endpointSaved = endpointRecord
  .extend({
    secrets: open({
      token: z.string().optional().describe("The token."),
      hmac: z.string().optional().describe("The signing secret."),
    })
      .optional()
      .describe("The generated secrets. They are not shown again."),
  })
  .meta({ id: "EndpointSaved" });
export type EndpointSaved = z.infer<typeof endpointSaved>;
