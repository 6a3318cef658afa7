import * as z from "zod";
import { closed, timestamp } from "../fields.ts";
import { workflowDefinition, workflowId } from "../workflow.ts";
import { authBody, chosenSecret, shownAuth } from "./auth.ts";
import { mapping, mappingBody } from "./mapping.ts";
import { headerName, place, presetName, signatureScheme } from "./signature.ts";
import { validationBody, validationRules } from "./validation.ts";

/** `ep_` and 40 hex digits: 160 random bits, the first 40 of which tag the executions of an endpoint. */
export const endpointId = z
  .string()
  .regex(/^ep_[0-9a-f]{40}$/)
  .describe("The endpoint: `ep_` and 40 hex digits.");

export const DEFAULT_REQUESTS_PER_MINUTE = 6_000;
const DEFAULT_RETENTION_DAYS = 30;
export const DEFAULT_TOLERANCE_SECONDS = 300;
/** Where a token is looked for that names no header; `Authorization: Bearer` is taken as well. */
export const DEFAULT_TOKEN_HEADER = "X-Webhook-Token";
export const MAX_HELD_REQUESTS = 10_000;
export const MAX_HELD_BYTES = 1_073_741_824;

export const method = z.enum(["POST", "GET"]);
export type InboundMethod = z.infer<typeof method>;

/** A secret that is kept: sealed, with its last characters, and the one before while both are valid. */
export const keptSecret = z.object({
  sealed: z.string(),
  last4: z.string(),
  previous: z
    .object({
      sealed: z.string(),
      validUntil: z.int().meta({ description: "Epoch milliseconds." }),
    })
    .nullable(),
});
export type KeptSecret = z.infer<typeof keptSecret>;

export const storedAuth = z.object({
  /** `header` is null for the default: X-Webhook-Token or Authorization: Bearer. */
  token: z.object({ header: headerName.nullable(), secret: keptSecret }).nullable(),
  hmac: z
    .object({
      /** Null for a scheme of the caller's own. */
      preset: presetName.nullable(),
      scheme: signatureScheme,
      secret: keptSecret,
    })
    .nullable(),
  ipAllowlist: z.array(z.string()).nullable(),
  headers: z.array(
    z.object({
      name: headerName,
      /** Null for a header that only has to be present. */
      value: z.object({ sealed: z.string(), last4: z.string() }).nullable(),
    }),
  ),
});
export type StoredAuth = z.infer<typeof storedAuth>;

const protectionEnabled = z.boolean().describe("Whether the age of a request is looked at.");
const tolerance = z
  .int()
  .min(1)
  .max(86_400)
  .describe("How far a request's timestamp may be in the past or the future.");
const timestampPlace = place
  .nullable()
  .describe("Where it stands. Null: the preset's signed one, else `timestamp` in the body.");

export const replayProtection = z
  .object({
    enabled: protectionEnabled,
    toleranceSeconds: tolerance,
    timestamp: timestampPlace,
  })
  .meta({ id: "ReplayProtection" });
/**
 * All that admission knows of an endpoint, with the workflow that is attached. D1 keeps the truth, the
 * endpoint's inbox and every isolate a copy; of two copies the higher version is the newer. It is
 * stored, so it carries the version of its shape as well, and one that was stored before a field was
 * known has a new endpoint's default for it; `auth` has none, since that would let everybody in.
 */
export const endpointConfig = z.object({
  v: z.literal(1),
  endpointId,
  accountId: z.string(),
  /** Raised by every change of the endpoint and of the workflow that is attached. */
  version: z.int(),
  name: z.string(),
  path: z.string().nullable(),
  enabled: z.boolean().default(true),
  deleted: z.boolean(),
  methods: z.array(method),
  auth: storedAuth,
  replayProtection,
  eventId: place.nullable(),
  onDuplicate: z.enum(["skip", "run"]).default("skip"),
  validation: validationRules,
  mapping,
  retentionDays: z.int().default(DEFAULT_RETENTION_DAYS),
  requestsPerMinute: z.int().default(DEFAULT_REQUESTS_PER_MINUTE),
  workflow: workflowDefinition.nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type EndpointConfig = z.infer<typeof endpointConfig>;

const replayBody = closed({
  enabled: protectionEnabled.default(true),
  toleranceSeconds: tolerance.default(DEFAULT_TOLERANCE_SECONDS),
  timestamp: timestampPlace.default(null),
}).meta({ id: "ReplayProtectionDraft", description: "How old a request may be." });

/** A custom path: segments of letters, digits, `-`, `_`, `.` and `~`; none is `.` or `..`. */
export const customPath = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/,
    "must be segments of letters, digits, -, _, . or ~, split by /",
  )
  .refine((path) => !/^ep_[0-9a-f]{40}$/i.test(path), "looks like a generated path")
  .describe("The end of its URL. Needs at least one method of auth, since it can be guessed.");

const name = z.string().min(1).max(200).describe("A name for people.");
const enabled = z.boolean().describe("A disabled endpoint answers 404.");
const attached = workflowId
  .nullable()
  .describe("The workflow that it starts; without one its requests are held.");
const methods = z
  .array(method)
  .min(1)
  .max(2)
  .refine((list) => new Set(list).size === list.length, "names a method twice")
  .describe("The methods that it takes.");
const retentionDays = z
  .int()
  .min(1)
  .max(3_650)
  .describe("How long an entry of its log is kept once it is settled.");
const requestsPerMinute = z
  .int()
  .min(1)
  .max(1_000_000)
  .describe("Requests that it takes per minute.");
const onDuplicate = z
  .enum(["skip", "run"])
  .describe("What becomes of an event that came before; either way it is flagged.");
const eventId = place
  .nullable()
  .describe("Where an event's id stands. Null: where the preset has it, else `id` in the body.");

/** The body of POST /webhooks. */
export const createEndpointBody = closed({
  name,
  path: customPath.nullable().optional(),
  workflowId: attached.optional(),
  enabled: enabled.default(true),
  methods: methods.default(["POST"]),
  auth: authBody.default({}),
  replayProtection: replayBody.prefault({}),
  eventId: eventId.optional(),
  onDuplicate: onDuplicate.default("skip"),
  validation: validationBody.prefault({}),
  mapping: mappingBody.prefault({}),
  retentionDays: retentionDays.default(DEFAULT_RETENTION_DAYS),
  requestsPerMinute: requestsPerMinute.default(DEFAULT_REQUESTS_PER_MINUTE),
}).meta({ id: "CreateEndpoint" });
export type CreateEndpointBody = z.infer<typeof createEndpointBody>;

/** The body of PATCH /webhooks/:endpointId: top-level fields are replaced, null sets the default. */
export const updateEndpointBody = closed({
  name: name.optional(),
  path: customPath.nullable().optional(),
  workflowId: attached.optional(),
  enabled: enabled.nullable().optional(),
  methods: methods.nullable().optional(),
  auth: authBody.nullable().optional(),
  replayProtection: replayBody.nullable().optional(),
  eventId: eventId.optional(),
  onDuplicate: onDuplicate.nullable().optional(),
  validation: validationBody.nullable().optional(),
  mapping: mappingBody.nullable().optional(),
  retentionDays: retentionDays.nullable().optional(),
  requestsPerMinute: requestsPerMinute.nullable().optional(),
})
  .refine((body) => Object.keys(body).length > 0, "names nothing to change")
  .meta({ id: "UpdateEndpoint" });
export type UpdateEndpointBody = z.infer<typeof updateEndpointBody>;

/** The body of POST /webhooks/:endpointId/rotate-secret. */
export const rotateSecretBody = closed({
  target: z
    .enum(["token", "hmac"])
    .optional()
    .describe("Which one. Where it is left out, `hmac` if the endpoint has both."),
  secret: chosenSecret
    .optional()
    .describe("The new secret. Made, and shown once in the answer, where it is left out."),
  overlapSeconds: z
    .int()
    .min(0)
    .max(2_592_000)
    .default(86_400)
    .describe("How long the old secret is valid beside the new one."),
}).meta({ id: "RotateSecret" });

/** An endpoint as the API shows it; of its secrets only the last characters. */
export const endpointRecord = z
  .object({
    endpointId,
    name,
    url: z.string().describe("Where senders post to."),
    path: z.string().nullable().describe("The end of its URL, or null for its id."),
    workflowId: attached,
    enabled,
    methods,
    auth: shownAuth,
    replayProtection: replayProtection.describe("How old a request may be."),
    eventId,
    onDuplicate,
    validation: validationRules.describe("What a payload must look like."),
    mapping: mapping.describe("How a payload becomes the workflow's inputs."),
    retentionDays,
    requestsPerMinute,
    queuedCount: z
      .int()
      .nullable()
      .meta({ description: "Requests that are held; null while they cannot be counted." }),
    createdAt: timestamp.describe("When it was made."),
    updatedAt: timestamp.describe("When it last changed."),
  })
  .meta({ id: "Endpoint" });
export type EndpointRecord = z.infer<typeof endpointRecord>;

/** The answer of creating, changing and rotating; `secrets` are those that the service made itself. */
export const endpointSaved = endpointRecord
  .extend({
    secrets: z
      .object({
        token: z.string().optional().describe("The token."),
        hmac: z.string().optional().describe("The secret of the signature."),
      })
      .optional()
      .meta({ description: "Made by the service; shown only now." }),
  })
  .meta({ id: "EndpointSaved" });
