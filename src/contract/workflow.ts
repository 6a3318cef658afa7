import * as z from "zod";
import { decisionRules, decisionSettings, NO_RULES } from "./decisions.ts";
import {
  changing,
  closed,
  distinct,
  flag,
  listOf,
  matching,
  open,
  readableBy,
  shownSecret,
  textUpTo,
} from "./fields.ts";
import { givenFiles } from "./files.ts";
import { json, jsonObject } from "./json.ts";
import { modelChoice } from "./models.ts";
import { limits, limitsBody } from "./operators.ts";
import { expectation, scoreAverage } from "./rehearsals.ts";
import {
  identityBody,
  NOT_REVISED,
  revisedFields,
  revisionRecord,
  revisionStamp,
} from "./revision.ts";
import { toolReference } from "./tools/names.ts";
import {
  allowedHosts,
  callbackSecret,
  callbackUrl,
  connections,
  maxCostUsd,
  maxCredits,
  maxSteps,
  outputSchema,
  prompt as taskPrompt,
  timeoutSeconds,
  uniqueTools,
} from "./trigger.ts";

/** `wf_` and 20 base-62 digits. */
export const workflowId = matching(
  /^wf_[0-9A-Za-z]{20}$/,
  "must be `wf_` and 20 letters and digits",
).describe("The id of the workflow: `wf_` and 20 letters and digits.");

/** The types of inputs. A `timestamp` is ISO 8601 with an offset. */
export const INPUT_TYPES = [
  "string",
  "number",
  "integer",
  "boolean",
  "timestamp",
  "object",
  "array",
] as const;
const inputType = z.enum(INPUT_TYPES).describe("A `timestamp` is ISO 8601 with an offset.");
export type InputType = z.infer<typeof inputType>;

/** The name of an input, as `{{name}}` in a prompt refers to it. */
export const inputName = matching(
  /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  "must be a letter or _, then letters, digits or _",
)
  .refine((name) => name !== "__proto__", "is reserved")
  .describe("The input's name: a letter or `_`, then letters, digits or `_`.");

const required = z.boolean().describe("Whether an execution requires the input.");
/** Null means no default; a default is never null itself. */
const inputDefault = json.nullable().describe("The default value, or null.");
const inputDescription = z.string().describe("What it is, for people and the agent.");

/** An input of a workflow, as it is stored. */
const workflowInput = open({
  name: inputName,
  type: inputType,
  required,
  default: inputDefault,
  description: inputDescription,
}).meta({ id: "WorkflowInput" });
export type WorkflowInput = z.infer<typeof workflowInput>;

const newInput = closed({
  name: inputName,
  type: inputType.default("string"),
  required: required.default(false),
  default: inputDefault.default(null),
  description: inputDescription.max(1_000).default(""),
}).meta({ id: "WorkflowInputDraft" });

const inputs = distinct(listOf(newInput, 100), "an input", ({ name }) => name).describe(
  "The inputs of the workflow. `{{name}}` in the prompt refers to an input.",
);

const name = textUpTo(200).describe("A display name.");
const prompt = taskPrompt.describe("The task. `{{name}}` refers to an input, which is data.");
const tools = uniqueTools.describe("The tools that the agent may use.");
const approvals = uniqueTools.describe("Tools whose calls require approval.");
const rehearseBeforeSave = flag.describe("Whether a change is saved only once a rehearsal passed.");

/** The settings that a workflow can have; null is none. */
const settings = {
  inputs: inputs.nullish(),
  callbackUrl: callbackUrl.nullish(),
  callbackSecret: callbackSecret.nullish(),
  model: modelChoice.nullish().describe("The model, or a list; null for the default."),
  tools: tools.nullish(),
  approvals: approvals.nullish(),
  allowedHosts: allowedHosts.nullish(),
  connections: connections.nullish(),
  maxCredits: maxCredits.nullish(),
  maxCostUsd: maxCostUsd.nullish(),
  limits: limitsBody.nullish(),
  maxSteps: maxSteps.nullish(),
  timeoutSeconds: timeoutSeconds.nullish(),
  outputSchema: outputSchema.nullish(),
  expect: expectation.nullish(),
  rehearseBeforeSave: rehearseBeforeSave.nullish(),
  notify: decisionSettings.notify.nullish(),
  remindAfterSeconds: decisionSettings.remindAfterSeconds.nullish(),
  escalateTo: decisionSettings.escalateTo.nullish(),
  onTimeout: decisionSettings.onTimeout.nullish(),
  ...identityBody,
};

/** The body of POST /workflows. */
export const createWorkflowBody = closed({ name, prompt, ...settings }).meta({
  id: "CreateWorkflow",
});
export type CreateWorkflowBody = z.infer<typeof createWorkflowBody>;

/** The body of PATCH /workflows/:id: its fields are replaced, and null clears an optional one. */
export const updateWorkflowBody = changing({ name, prompt, ...settings }).meta({
  id: "UpdateWorkflow",
});
export type UpdateWorkflowBody = z.infer<typeof updateWorkflowBody>;

/** The body of POST /workflows/:id/run. */
export const runWorkflowBody = closed({
  inputs: jsonObject.default({}).describe("The workflow's inputs by name."),
  files: givenFiles.optional(),
}).meta({ id: "RunWorkflow" });

/**
 * A workflow as it is stored, and as an endpoint's configuration carries it, with everything that an
 * execution starts from. It is stored, so it carries a version.
 */
export const workflowDefinition = open({
  v: z.literal(1),
  workflowId,
  name: z.string(),
  prompt: z.string(),
  inputs: listOf(workflowInput),
  callback: open({
    url: z.string().nullable(),
    sealedSecret: z.string().nullable(),
    last4: z.string(),
  }).nullable(),
  model: z.string().nullable(),
  /** The models to ask after it. Definitions of earlier versions lack it. */
  fallbacks: listOf(z.string()).default([]),
  tools: listOf(toolReference).nullable(),
  approvals: listOf(toolReference),
  allowedHosts: listOf(z.string()).nullable().default(null),
  connections: listOf(z.string()).default([]),
  maxCredits: z.int().nullable(),
  maxCostUsd: z.number().nullable().default(null),
  limits: limits.default(null),
  maxSteps: z.int().nullable(),
  timeoutSeconds: z.int().nullable(),
  outputSchema: jsonObject.nullable(),
  /** Definitions of earlier versions lack it. */
  expect: expectation.nullable().default(null),
  /** Definitions of earlier versions lack it. */
  rehearseBeforeSave: z.boolean().default(false),
  /** Definitions of earlier versions lack it. */
  decisions: decisionRules.default(NO_RULES),
  /** The names under which the service was reached when the workflow was saved. */
  serviceHosts: listOf(z.string()),
  ...revisionStamp.shape,
});
export type WorkflowDefinition = z.infer<typeof workflowDefinition>;

/** A definition as it is stored. Keeps the fields that only newer code knows. */
export const storedWorkflow: z.ZodType<WorkflowDefinition> = workflowDefinition
  .extend({ readableBy })
  .loose();

/** A workflow as the API shows it. Fields without a value are left out. */
export const workflowRecord = open({
  workflowId,
  name,
  prompt,
  inputs: listOf(workflowInput).describe("The inputs of the workflow."),
  ...open({
    callbackUrl,
    callbackSecret: shownSecret,
    model: modelChoice,
    tools,
    approvals,
    allowedHosts: listOf(z.string()).describe(allowedHosts.description ?? ""),
    connections,
    maxCredits,
    maxCostUsd,
    limits: limits.unwrap(),
    maxSteps,
    timeoutSeconds,
    outputSchema,
    expect: expectation,
    rehearseBeforeSave,
    ...decisionSettings,
  }).partial().shape,
  scores: listOf(scoreAverage)
    .optional()
    .describe("The scores of its executions, by revision and model. Lists leave them out."),
  ...revisedFields,
}).meta({ id: "Workflow" });
export type WorkflowRecord = z.infer<typeof workflowRecord>;

/** What a revision of a workflow has. */
export const workflowContent = workflowRecord
  .omit({ workflowId: true, scores: true, ...NOT_REVISED })
  .meta({ id: "WorkflowContent", description: "The settings of a workflow." });
export type WorkflowContent = z.infer<typeof workflowContent>;
export const workflowRevision = revisionRecord(workflowContent, "WorkflowRevision");
export type WorkflowRevision = z.infer<typeof workflowRevision>;
