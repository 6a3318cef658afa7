import * as z from "zod";
import { closed } from "./closed.ts";
import { json, jsonObject } from "./json.ts";
import { toolReference } from "./tools/names.ts";
import { callbackSecret, callbackUrl, modelName, uniqueTools } from "./trigger.ts";

const timestamp = z.iso.datetime({ precision: 3 });

/** `wf_` and 20 base-62 digits. */
export const workflowId = z.string().regex(/^wf_[0-9A-Za-z]{20}$/);

/** What an input may hold. A `timestamp` is ISO 8601 with an offset. */
export const INPUT_TYPES = [
  "string",
  "number",
  "integer",
  "boolean",
  "timestamp",
  "object",
  "array",
] as const;
export const inputType = z.enum(INPUT_TYPES);
export type InputType = z.infer<typeof inputType>;

/** The name of an input, as `{{name}}` in a prompt refers to it. */
export const inputName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "must be a letter or _, then letters, digits or _")
  .refine((name) => name !== "__proto__", "is reserved");

/** An input of a workflow, as it is stored. */
export const workflowInput = z.object({
  name: inputName,
  type: inputType,
  required: z.boolean(),
  /** Null for none: a default itself is never null. */
  default: json.nullable(),
  description: z.string(),
});
export type WorkflowInput = z.infer<typeof workflowInput>;

const newInput = closed({
  name: inputName,
  type: inputType.default("string"),
  required: z.boolean().default(false),
  default: json.nullable().default(null),
  description: z.string().max(1_000).default(""),
});

const inputs = z
  .array(newInput)
  .max(100)
  .refine(
    (list) => new Set(list.map(({ name }) => name)).size === list.length,
    "names an input twice",
  );

const name = z.string().min(1).max(200);
const prompt = z
  .string()
  .min(1)
  .max(32_000)
  .refine((text) => text.trim() !== "", "must not be blank");
const credits = z.int().min(1).max(1_000_000);
const steps = z.int().min(1).max(1_000);
const seconds = z.int().min(1).max(86_400);

/** The body of POST /workflows. */
export const createWorkflowBody = closed({
  name,
  prompt,
  inputs: inputs.default([]),
  callbackUrl: callbackUrl.optional(),
  callbackSecret: callbackSecret.optional(),
  model: modelName.optional(),
  tools: uniqueTools.optional(),
  approvals: uniqueTools.optional(),
  maxCredits: credits.optional(),
  maxSteps: steps.optional(),
  timeoutSeconds: seconds.optional(),
  outputSchema: jsonObject.optional(),
}).meta({ id: "CreateWorkflow" });
export type CreateWorkflowBody = z.infer<typeof createWorkflowBody>;

/** The body of PATCH /workflows/:id: the named fields are replaced, null clears an optional one. */
export const updateWorkflowBody = closed({
  name: name.optional(),
  prompt: prompt.optional(),
  inputs: inputs.optional(),
  callbackUrl: callbackUrl.nullable().optional(),
  callbackSecret: callbackSecret.nullable().optional(),
  model: modelName.nullable().optional(),
  tools: uniqueTools.nullable().optional(),
  approvals: uniqueTools.nullable().optional(),
  maxCredits: credits.nullable().optional(),
  maxSteps: steps.nullable().optional(),
  timeoutSeconds: seconds.nullable().optional(),
  outputSchema: jsonObject.nullable().optional(),
})
  .refine((body) => Object.keys(body).length > 0, "names nothing to change")
  .meta({ id: "UpdateWorkflow" });
export type UpdateWorkflowBody = z.infer<typeof updateWorkflowBody>;

/** The body of POST /workflows/:id/run. */
export const runWorkflowBody = closed({ inputs: jsonObject.default({}) }).meta({
  id: "RunWorkflow",
});

/**
 * A workflow as it is stored, and as an endpoint's configuration carries it: with all that an
 * execution of it is started from. It is stored, so it carries a version.
 */
export const workflowDefinition = z.object({
  v: z.literal(1),
  workflowId,
  name: z.string(),
  prompt: z.string(),
  inputs: z.array(workflowInput),
  callback: z
    .object({ url: z.string().nullable(), sealedSecret: z.string().nullable(), last4: z.string() })
    .nullable(),
  model: z.string().nullable(),
  tools: z.array(toolReference).nullable(),
  approvals: z.array(toolReference),
  maxCredits: z.int().nullable(),
  maxSteps: z.int().nullable(),
  timeoutSeconds: z.int().nullable(),
  outputSchema: jsonObject.nullable(),
  /** The names under which the service was reached when the workflow was saved. */
  serviceHosts: z.array(z.string()),
});
export type WorkflowDefinition = z.infer<typeof workflowDefinition>;

/** A workflow as the API shows it. Fields that were not given are left out. */
export const workflowRecord = z
  .object({
    workflowId,
    name: z.string(),
    prompt: z.string(),
    inputs: z.array(workflowInput),
    callbackUrl: z.string().optional(),
    callbackSecret: z.object({ set: z.literal(true), last4: z.string() }).optional(),
    model: z.string().optional(),
    tools: z.array(z.string()).optional(),
    approvals: z.array(z.string()).optional(),
    maxCredits: z.int().optional(),
    maxSteps: z.int().optional(),
    timeoutSeconds: z.int().optional(),
    outputSchema: jsonObject.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Workflow" });
export type WorkflowRecord = z.infer<typeof workflowRecord>;
