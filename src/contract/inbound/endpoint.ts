import * as z from "zod";
import { closed } from "../closed.ts";
import { jsonObject } from "../json.ts";
import { workflowDefinition, workflowId } from "../workflow.ts";
import { mapping, mappingBody } from "./mapping.ts";
import { customScheme, headerName, place, presetName, signatureScheme } from "./signature.ts";

const timestamp = z.iso.datetime({ precision: 3 });

/** `ep_` and 40 hex digits: 160 random bits, the first 40 of which tag the executions of an endpoint. */
export const endpointId = z.string().regex(/^ep_[0-9a-f]{40}$/);

export const DEFAULT_MAX_BYTES = 1_048_576;
export const MAX_MAX_BYTES = 10 * 1_048_576;
export const DEFAULT_REQUESTS_PER_MINUTE = 6_000;
export const DEFAULT_TOLERANCE_SECONDS = 300;
/** Where a token is looked for that names no header; `Authorization: Bearer` is taken as well. */
export const DEFAULT_TOKEN_HEADER = "X-Webhook-Token";
export const MAX_HELD_REQUESTS = 10_000;
export const MAX_HELD_BYTES = 1_073_741_824;

export const method = z.enum(["POST", "GET"]);
export type InboundMethod = z.infer<typeof method>;

/** The types that `validation.types` can ask for. */
export const payloadType = z.enum([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
  "timestamp",
]);
export type PayloadType = z.infer<typeof payloadType>;

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

export const replayProtection = z.object({
  enabled: z.boolean(),
  toleranceSeconds: z.int().min(1).max(86_400),
  /** Null: the preset's signed timestamp, else the body's top-level `timestamp`. */
  timestamp: place.nullable(),
});

export const validationRules = z.object({
  required: z.array(z.string()),
  types: z.record(z.string(), payloadType),
  schema: jsonObject.nullable(),
  maxBytes: z.int(),
});
export type ValidationRules = z.infer<typeof validationRules>;

/**
 * All that admission knows of an endpoint, with the workflow that is attached. D1 keeps the truth, the
 * endpoint's inbox and every isolate a copy; of two copies the higher version is the newer. It is
 * stored, so it carries the version of its shape as well.
 */
export const endpointConfig = z.object({
  v: z.literal(1),
  endpointId,
  accountId: z.string(),
  /** Raised by every change of the endpoint and of the workflow that is attached. */
  version: z.int(),
  name: z.string(),
  path: z.string().nullable(),
  enabled: z.boolean(),
  deleted: z.boolean(),
  methods: z.array(method),
  auth: storedAuth,
  replayProtection,
  eventId: place.nullable(),
  onDuplicate: z.enum(["skip", "run"]),
  validation: validationRules,
  mapping,
  retentionDays: z.int(),
  requestsPerMinute: z.int(),
  workflow: workflowDefinition.nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type EndpointConfig = z.infer<typeof endpointConfig>;

/** Most senders choose it themselves, so how good it is is theirs to say. */
const secret = z.string().min(1).max(512);

/** `auth` in a body. A secret that is left out is kept when there is one, else made and shown once. */
const authBody = closed({
  token: closed({ header: headerName.optional(), secret: secret.optional() }).nullable().optional(),
  hmac: z
    .union([
      closed({ preset: presetName, secret: secret.optional() }),
      closed({
        preset: z.never().optional(),
        ...customScheme.shape,
        secret: secret.optional(),
      }),
    ])
    .nullable()
    .optional(),
  ipAllowlist: z.array(z.string().min(2).max(50)).min(1).max(1_000).nullable().optional(),
  headers: z
    .array(closed({ name: headerName, value: z.string().min(1).max(1_000).optional() }))
    .max(20)
    .optional(),
});

const replayBody = closed({
  enabled: z.boolean().default(true),
  toleranceSeconds: z.int().min(1).max(86_400).default(DEFAULT_TOLERANCE_SECONDS),
  timestamp: place.nullable().default(null),
});

export const validationBody = closed({
  required: z.array(z.string().min(1).max(500)).max(200).default([]),
  types: z.record(z.string().min(1).max(500), payloadType).default({}),
  schema: jsonObject.nullable().default(null),
  maxBytes: z.int().min(1).max(MAX_MAX_BYTES).default(DEFAULT_MAX_BYTES),
});

/** A custom path: segments of letters, digits, `-`, `_`, `.` and `~`; none is `.` or `..`. */
export const customPath = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/,
    "must be segments of letters, digits, -, _, . or ~, split by /",
  )
  .refine((path) => !/^ep_[0-9a-f]{40}$/i.test(path), "looks like a generated path");

const name = z.string().min(1).max(200);
const methods = z
  .array(method)
  .min(1)
  .max(2)
  .refine((list) => new Set(list).size === list.length, "names a method twice");
const retentionDays = z.int().min(1).max(3_650);
const requestsPerMinute = z.int().min(1).max(1_000_000);
const onDuplicate = z.enum(["skip", "run"]);

/** The body of POST /webhooks. */
export const createEndpointBody = closed({
  name,
  path: customPath.nullable().optional(),
  workflowId: workflowId.nullable().optional(),
  enabled: z.boolean().default(true),
  methods: methods.default(["POST"]),
  auth: authBody.default({}),
  replayProtection: replayBody.prefault({}),
  eventId: place.nullable().optional(),
  onDuplicate: onDuplicate.default("skip"),
  validation: validationBody.prefault({}),
  mapping: mappingBody.prefault({}),
  retentionDays: retentionDays.default(30),
  requestsPerMinute: requestsPerMinute.default(DEFAULT_REQUESTS_PER_MINUTE),
}).meta({ id: "CreateEndpoint" });
export type CreateEndpointBody = z.infer<typeof createEndpointBody>;

/** The body of PATCH /webhooks/:endpointId: top-level fields are replaced, null sets the default. */
export const updateEndpointBody = closed({
  name: name.optional(),
  path: customPath.nullable().optional(),
  workflowId: workflowId.nullable().optional(),
  enabled: z.boolean().nullable().optional(),
  methods: methods.nullable().optional(),
  auth: authBody.nullable().optional(),
  replayProtection: replayBody.nullable().optional(),
  eventId: place.nullable().optional(),
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
  /** May be left out where the endpoint has only one of them; with both it means `hmac`. */
  target: z.enum(["token", "hmac"]).optional(),
  /** Made, and shown once in the answer, when it is left out. */
  secret: secret.optional(),
  overlapSeconds: z.int().min(0).max(2_592_000).default(86_400),
}).meta({ id: "RotateSecret" });

const shownSecret = z.object({
  set: z.literal(true),
  last4: z.string(),
  previousValidUntil: timestamp.optional(),
});

/** An endpoint as the API shows it; of its secrets only the last characters. */
export const endpointRecord = z
  .object({
    endpointId,
    name: z.string(),
    url: z.string(),
    path: z.string().nullable(),
    workflowId: workflowId.nullable(),
    enabled: z.boolean(),
    methods: z.array(method),
    auth: z.object({
      token: z.object({ header: z.string(), secret: shownSecret }).optional(),
      hmac: z
        .object({ preset: presetName.optional(), secret: shownSecret })
        .extend(signatureScheme.partial().shape)
        .optional(),
      ipAllowlist: z.array(z.string()).optional(),
      headers: z
        .array(
          z.object({
            name: z.string(),
            value: z.object({ set: z.literal(true), last4: z.string() }).optional(),
          }),
        )
        .optional(),
    }),
    replayProtection,
    eventId: place.nullable(),
    onDuplicate,
    validation: validationRules,
    mapping,
    retentionDays: z.int(),
    requestsPerMinute: z.int(),
    queuedCount: z
      .int()
      .nullable()
      .meta({ description: "Requests that are held; null while they cannot be counted." }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Endpoint" });
export type EndpointRecord = z.infer<typeof endpointRecord>;

/** The answer of creating, changing and rotating; `secrets` are those that the service made itself. */
export const endpointSaved = endpointRecord
  .extend({
    secrets: z
      .object({ token: z.string().optional(), hmac: z.string().optional() })
      .optional()
      .meta({ description: "Made by the service; shown only now." }),
  })
  .meta({ id: "EndpointSaved" });
