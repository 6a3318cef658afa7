import * as z from "zod";
import { metadata } from "./execution.ts";
import { closed } from "./fields.ts";
import { jsonObject } from "./json.ts";
import { toolReference } from "./tools/names.ts";

/** The events that a callback can be asked for, named by the status that causes them. */
export const callbackEvent = z.enum(["completed", "failed", "stopped", "waiting_for_input"]);
export type CallbackEvent = z.infer<typeof callbackEvent>;

export const uniqueTools = z
  .array(toolReference)
  .max(100)
  .refine((names) => new Set(names).size === names.length, "names a tool twice");

/** Names a model as `provider/name`. */
export const modelName = z
  .string()
  .max(200)
  .regex(/^[a-z0-9-]+\/\S+$/, "must be provider/name, for instance builtin/planner")
  .describe("The model, as `provider/name`, for instance `builtin/planner`.");

/** A secret that signs callbacks; `whsec_` secrets are base64 after the prefix (Standard Webhooks). */
export const callbackSecret = z
  .string()
  .min(8)
  .max(256)
  .refine(
    (secret) =>
      !secret.startsWith("whsec_") ||
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(
        secret.slice("whsec_".length),
      ),
    "a whsec_ secret must be base64 after the prefix",
  )
  .describe(
    "Signs the callbacks by Standard Webhooks. `whsec_` is followed by base64; any other secret is its UTF-8 bytes. Never shown again.",
  );

/** The address of a callback; the address guard looks at it as well. */
export const callbackUrl = z
  .string()
  .min(1)
  .max(2_048)
  .describe("Where the result is sent: an https address that is neither private nor this service.");

/** What a run has that names none of its own. */
export const DEFAULT_MAX_CREDITS = 50;
export const DEFAULT_MAX_STEPS = 30;
export const DEFAULT_TIMEOUT_SECONDS = 1_800;
export const DEFAULT_INPUT_TIMEOUT_SECONDS = 86_400;
export const DEFAULT_CALLBACK_EVENTS = ["completed", "failed", "stopped"] as const;

/** The body of POST /trigger. */
export const triggerBody = closed({
  prompt: z
    .string()
    .min(1)
    .max(32_000)
    .refine((text) => text.trim() !== "", "must not be blank")
    .describe("What the agent is to do, in plain words."),
  callbackUrl: callbackUrl.optional(),
  callbackSecret: callbackSecret.optional(),
  callbackEvents: z
    .array(callbackEvent)
    .min(1)
    .max(4)
    .default([...DEFAULT_CALLBACK_EVENTS])
    .describe("The statuses that are called back."),
  outputSchema: jsonObject
    .optional()
    .describe(
      "JSON Schema 2020-12 that `presentedResult.data` will match; an execution that cannot keep to it fails and says what does not match.",
    ),
  inputs: jsonObject
    .optional()
    .describe("Data for the agent. It is handed over as data and never becomes an instruction."),
  model: modelName
    .optional()
    .describe("The model, as `provider/name`; the service's own default where it is left out."),
  tools: uniqueTools
    .optional()
    .describe(
      "The only tools that the agent may use; all that the account has where it is left out.",
    ),
  approvals: uniqueTools
    .optional()
    .describe("Tools whose every call waits for a yes, given by a message."),
  interactive: z.boolean().default(false).describe("Whether the agent may ask you something."),
  maxCredits: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(
      `The most that it may cost, held from the start. ${DEFAULT_MAX_CREDITS}, or the balance where that is lower.`,
    ),
  maxSteps: z
    .int()
    .min(1)
    .max(1_000)
    .default(DEFAULT_MAX_STEPS)
    .describe("Steps of the model at most."),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(DEFAULT_TIMEOUT_SECONDS)
    .describe("How long it may take; time in which it waits for you does not count."),
  inputTimeoutSeconds: z
    .int()
    .min(1)
    .max(2_592_000)
    .default(DEFAULT_INPUT_TIMEOUT_SECONDS)
    .describe("How long it waits for an answer or an approval before it fails."),
  metadata: metadata.default({}).describe("Pairs of your own, shown in lists: at most 16."),
}).meta({ id: "Trigger" });
export type TriggerBody = z.infer<typeof triggerBody>;

/** The body of POST /trigger/:id/message. */
export const messageBody = closed({
  message: z
    .string()
    .min(1)
    .max(32_000)
    .optional()
    .describe("What the agent is told. May be left out beside an approval."),
  mode: z
    .enum(["next_step", "interrupt"])
    .default("next_step")
    .describe("`interrupt` aborts the step under way first; `next_step` lets it end."),
  messageId: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 visible ASCII characters")
    .optional()
    .describe("An id of yours: a message that comes again under the same id is taken once."),
  approval: closed({
    callId: z.string().min(1).max(128).describe("The call that waits, as `question` names it."),
    decision: z.enum(["approve", "deny"]).describe("Whether it may be made."),
  })
    .optional()
    .describe("Decides on the call that the execution waits with."),
})
  .refine((body) => body.message !== undefined || body.approval !== undefined, {
    message: "is needed unless there is an approval",
    path: ["message"],
  })
  .refine((body) => body.mode !== "interrupt" || body.approval?.decision !== "approve", {
    message: "must be next_step beside a yes: an interrupt gives up the step of the approved call",
    path: ["mode"],
  })
  .meta({ id: "Message" });

/** The body of POST /trigger/:id/stop. */
export const stopBody = closed({
  reason: z.string().max(1_000).optional().describe("Why, for the log."),
}).meta({ id: "Stop" });

/** The body of POST /trigger/:id/callbacks/redeliver. */
export const redeliverBody = closed({
  callbackUrl: callbackUrl
    .optional()
    .describe("Another address for this delivery; needed where the trigger named none."),
}).meta({ id: "Redeliver" });
