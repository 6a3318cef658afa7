import * as z from "zod";
import { EXAMPLE_ID } from "../../contract/execution.ts";
import { isObject } from "../../lib/json-values.ts";

const TIME = "2026-11-20T09:30:00.000Z";
const REQUEST_ID = "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42";
const URL = "https://receiver.example/callback";

/** What fields hold in examples, by their names. A field whose schema refuses that holds something plain. */
const BY_NAME = new Map<string, unknown>(
  Object.entries({
    accountId: "acc_8sKd02LmQx7Z",
    action: "workflow.updated",
    apiKey: `ph_live_${"0".repeat(50)}`,
    approvals: [],
    auto: true,
    availableCredits: 980,
    baseUrl: "https://models.acme.example/v1",
    body: '{"id":"evt_1","order":{"id":1007}}',
    by: { kind: "key", id: "key_4kQ0mYb2Zt7RcX1a", name: "backend" },
    callbackUrl: URL,
    changed: true,
    connectionId: "con_4kQ0mYb2Zt7RcX1a",
    contextWindow: 128_000,
    createdAt: TIME,
    creditsConsumed: 4,
    currentStep: 2,
    decisionId: `dec_${EXAMPLE_ID.replaceAll("-", "")}_7`,
    deliveryId: "del_019a8b2c6f00_ping-4kQ0mYb2Zt7R",
    description: "",
    destinationId: "dst_4kQ0mYb2Zt7RcX1a",
    detail: { revision: 3 },
    diagnosis: [],
    effectId: "call_2",
    effects: [],
    email: "ada@acme.example",
    emailRecipients: ["@acme.example"],
    enabled: true,
    endpointId: "ep_9f2c4e7a1b3d5f60718293a4b5c6d7e8f9012345",
    entryId: "aud_01935a2b4c5d9f3e2a71c048",
    errors: [],
    escalateTo: [{ email: "ada@acme.example" }],
    event: "execution.completed",
    eventId: "evt_1",
    events: ["execution.failed"],
    eventType: "order.paid",
    executionId: EXAMPLE_ID,
    externalId: "look-at-an-order",
    header: "Authorization",
    headers: [{ name: "Authorization", set: true, last4: "3xYz" }],
    hosts: ["api.crm.example"],
    httpStatus: 202,
    inputTimeoutSeconds: 86_400,
    jobId: "7d1f0c52-93b4-4a11-8d0a-6c1f2e3b4a5d",
    key: "acme/shop/7",
    keyId: "key_4kQ0mYb2Zt7RcX1a",
    keys: ["9f86d081", "60303ae2"],
    label: "Links",
    last4: "3xYz",
    limit: 1_000,
    mappedInputs: { orderId: "1007", domain: "example.com" },
    matched: 300,
    maxBytes: 1_048_576,
    maxCredits: 50,
    maxSteps: 30,
    mediaType: "application/json",
    memberId: "mem_4kQ0mYb2Zt7RcX1a",
    message: "Opening https://example.com",
    messageId: "msg_1",
    metadata: { order: "1007" },
    method: "POST",
    model: "builtin/demo",
    name: "shop orders",
    nodeType: "LINK_EXTRACTION",
    notes: [],
    notify: [{ email: "ada@acme.example" }],
    ok: true,
    openapi: "3.1.0",
    outputId: "out_1",
    part: "account",
    parts: ["account", "host/12", "records"],
    path: "order.id",
    prompt: "List links of https://example.com.",
    promptPreview: "List links of https://example.com.",
    providerId: "prov_4kQ0mYb2Zt7RcX1a",
    reason: "The value is 1007.",
    requestId: REQUEST_ID,
    requestsPerMinute: 60,
    required: [],
    resource: { kind: "workflow", id: "wf_8sKd02LmQx7Z4kQ0mYb2", name: "Order check" },
    retentionDays: 30,
    revision: 3,
    route: "pull requests",
    scheduleId: "sch_4kQ0mYb2Zt7RcX1a9dLw",
    serverId: "mcp_4kQ0mYb2Zt7RcX1a",
    since: TIME,
    source: "ANTHROPIC_API_KEY",
    sourceIp: "203.0.113.7",
    summary: "The page has one link.",
    target: "ann@example.com",
    timeoutSeconds: 1_800,
    timeZone: "Europe/Berlin",
    title: "Sending an e-mail to ann@example.com",
    tokenId: "mct_4kQ0mYb2Zt7RcX1a",
    toleranceSeconds: 300,
    tool: "send_email",
    updatedAt: TIME,
    url: URL,
    version: 4,
    warnings: [],
    webhookId: `msg_${EXAMPLE_ID}_9`,
    workflowId: "wf_4kQ0mYb2Zt7RcX1a9dLw",
  }),
);

/** What plain fields hold, the first that their schema takes. */
const PLAIN = ["text", 1, false, {}, TIME, EXAMPLE_ID, null];

/**
 * Returns an example of a schema for the API document. `known` is what is known of it already, such as the
 * body that a request shows: the answer to it must say the same. Throws for a schema that nothing fits.
 */
export function exampleOf(schema: z.core.$ZodType, known?: unknown, name = ""): unknown {
  for (const candidate of [known, BY_NAME.get(name)]) {
    const parsed = candidate === undefined ? undefined : z.safeParse(schema, candidate);
    if (parsed?.success) return parsed.data;
  }
  if (schema instanceof z.ZodObject) return objectOf(schema, known);
  if (schema instanceof z.ZodArray) {
    const items: unknown[] = Array.isArray(known) ? known : [undefined];
    return items.map((item) => exampleOf(schema.element, item, name.replace(/s$/, "")));
  }
  if (schema instanceof z.ZodNullable)
    return known === undefined ? null : exampleOf(schema.unwrap(), known, name);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return exampleOf(schema.unwrap(), known, name);
  const [option] = schema instanceof z.ZodUnion ? schema.options : [];
  if (option !== undefined) return exampleOf(option, known, name);
  if (schema instanceof z.ZodLazy) return exampleOf(schema.unwrap(), known, name);
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  const plain = PLAIN.find((value) => z.safeParse(schema, value).success);
  if (plain === undefined) throw new Error(`no example fits ${name}`);
  return plain;
}

function objectOf({ shape }: z.ZodObject, known: unknown): Record<string, unknown> {
  const given = isObject(known) ? known : {};
  const fields = Object.entries(shape).filter(
    ([name, field]) => given[name] !== undefined || !isOptional(field),
  );
  return Object.fromEntries(
    fields.map(([name, field]) => [name, exampleOf(field, given[name], name)]),
  );
}

/** Whether a field may be left out. One with a default is always there. */
function isOptional(field: z.core.$ZodType): boolean {
  const { success, data } = z.safeParse(field, undefined);
  return success && data === undefined;
}
