import * as z from "zod";
import { closed } from "./closed.ts";
import { metadata } from "./execution.ts";
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
  .regex(/^[a-z0-9-]+\/\S+$/, "must be provider/name, for instance builtin/planner");

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
  );

/** The address of a callback; the address guard looks at it as well. */
export const callbackUrl = z.string().min(1).max(2_048);

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
    .refine((text) => text.trim() !== "", "must not be blank"),
  callbackUrl: callbackUrl.optional(),
  callbackSecret: callbackSecret.optional(),
  callbackEvents: z
    .array(callbackEvent)
    .min(1)
    .max(4)
    .default([...DEFAULT_CALLBACK_EVENTS]),
  outputSchema: jsonObject.optional(),
  inputs: jsonObject.optional(),
  model: modelName.optional(),
  tools: uniqueTools.optional(),
  approvals: uniqueTools.optional(),
  interactive: z.boolean().default(false),
  maxCredits: z.int().min(1).max(1_000_000).optional(),
  maxSteps: z.int().min(1).max(1_000).default(DEFAULT_MAX_STEPS),
  timeoutSeconds: z.int().min(1).max(86_400).default(DEFAULT_TIMEOUT_SECONDS),
  inputTimeoutSeconds: z.int().min(1).max(2_592_000).default(DEFAULT_INPUT_TIMEOUT_SECONDS),
  metadata: metadata.default({}),
}).meta({ id: "Trigger" });
export type TriggerBody = z.infer<typeof triggerBody>;

/** The body of POST /trigger/:id/message. */
export const messageBody = closed({
  message: z.string().min(1).max(32_000).optional(),
  mode: z.enum(["next_step", "interrupt"]).default("next_step"),
  messageId: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 visible ASCII characters")
    .optional(),
  approval: closed({
    callId: z.string().min(1).max(128),
    decision: z.enum(["approve", "deny"]),
  }).optional(),
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
export const stopBody = closed({ reason: z.string().max(1_000).optional() }).meta({ id: "Stop" });

/** The body of POST /trigger/:id/callbacks/redeliver. */
export const redeliverBody = closed({ callbackUrl: callbackUrl.optional() }).meta({
  id: "Redeliver",
});
