import * as z from "zod";
import { connectionName, hostPatterns } from "./connections.ts";
import { decisionSettings } from "./decisions.ts";
import { metadata } from "./execution.ts";
import {
  atLeastOne,
  closed,
  distinct,
  flag,
  listOf,
  matching,
  oneOf,
  textUpTo,
  whole,
  wordsUpTo,
} from "./fields.ts";
import { givenFiles } from "./files.ts";
import { json, jsonObject } from "./json.ts";
import { modelChoice } from "./models.ts";
import { toolReference } from "./tools/names.ts";

/** The events that can send a callback, named by their status. */
export const callbackEvent = oneOf("completed", "failed", "stopped", "waiting_for_input");

export const uniqueTools = distinct(listOf(toolReference, 100), "a tool");

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
    "must be base64 after whsec_",
  )
  .describe(
    "The secret that signs callbacks by Standard Webhooks: base64 after `whsec_`, or any other text. A text that is also base64 of 24 to 64 bytes, or has characters other than ASCII, gives two signatures, one for each reading of the stock verifiers. It is not shown again.",
  );

/** The address of a callback, which the address guard checks as well. */
export const callbackUrl = textUpTo(2_048)
  .meta({ format: "uri" })
  .describe("The https address that receives the result, public and not of this service.");

/** The only hosts that an execution's tools may reach. */
export const allowedHosts = hostPatterns
  .max(100)
  .describe(
    "The only hosts that tools may reach, exact or as `*.example.com` for all subdomains, each with or without a port. Holds for reading, redirects, MCP servers, the search provider and Google Sheets too. If left out, all public hosts.",
  );
export const connections = distinct(listOf(connectionName, 20), "a connection").describe(
  "The names of the account's connections whose credentials tools may use. If left out, none.",
);

/** The most that the tokens of an execution may cost. */
export const maxCostUsd = z
  .number()
  .positive()
  .max(1_000_000)
  .describe("The price in USD at which it stops before a step. Its models' prices must be known.");

/** A task for an agent. */
export const prompt = wordsUpTo(32_000).describe("The task, in plain language.");
export const maxCredits = whole(1, 1_000_000).describe("The credit limit.");
export const maxSteps = whole(1, 1_000).describe("The maximum number of model steps.");
export const timeoutSeconds = whole(1, 86_400).describe("The time limit, without waits.");
export const outputSchema = jsonObject.describe(
  "A JSON Schema (2020-12) for `presentedResult.data`. An execution whose data does not match fails and says why.",
);

/** The defaults of an execution. */
export const DEFAULT_MAX_CREDITS = 50;
export const DEFAULT_MAX_STEPS = 30;
export const DEFAULT_TIMEOUT_SECONDS = 1_800;
export const DEFAULT_INPUT_TIMEOUT_SECONDS = 86_400;
export const DEFAULT_CALLBACK_EVENTS = ["completed", "failed", "stopped"] as const;

/** The body of POST /trigger. */
export const triggerBody = closed({
  prompt,
  callbackUrl: callbackUrl.nullish(),
  callbackSecret: callbackSecret.optional(),
  callbackEvents: listOf(callbackEvent, 4, 1)
    .default([...DEFAULT_CALLBACK_EVENTS])
    .describe("The statuses that send a callback."),
  outputSchema: outputSchema.optional(),
  inputs: jsonObject.optional().describe("Data for the agent, never instructions."),
  files: givenFiles.optional(),
  model: modelChoice.optional(),
  tools: uniqueTools.optional().describe("The tools that the agent may use; all if left out."),
  approvals: uniqueTools.optional().describe("Tools whose calls require approval."),
  allowedHosts: allowedHosts.optional(),
  connections: connections.optional(),
  interactive: z.boolean().default(false).describe("Whether the agent can ask questions."),
  maxCredits: maxCredits
    .optional()
    .describe(`The credit limit: by default ${DEFAULT_MAX_CREDITS}, or the balance if lower.`),
  maxCostUsd: maxCostUsd.optional(),
  maxSteps: maxSteps.default(DEFAULT_MAX_STEPS),
  timeoutSeconds: timeoutSeconds.default(DEFAULT_TIMEOUT_SECONDS),
  inputTimeoutSeconds: whole(1, 2_592_000)
    .default(DEFAULT_INPUT_TIMEOUT_SECONDS)
    .describe("How many seconds to wait for an answer or an approval; see `onTimeout`."),
  notify: decisionSettings.notify.default([]),
  remindAfterSeconds: decisionSettings.remindAfterSeconds.optional(),
  escalateTo: decisionSettings.escalateTo.optional(),
  onTimeout: decisionSettings.onTimeout.default("fail"),
  metadata: metadata.default({}).describe("Up to 16 pairs of your own, which lists include."),
}).meta({ id: "Trigger" });
export type TriggerBody = z.infer<typeof triggerBody>;

/** The body of POST /trigger/:id/message. */
export const messageBody = closed({
  message: wordsUpTo(32_000).optional().describe("Optional with `approval`."),
  mode: oneOf("next_step", "interrupt")
    .default("next_step")
    .describe("`interrupt` aborts the current step; `next_step` waits for its end."),
  messageId: matching(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 visible ASCII characters")
    .optional()
    .describe("A unique id of your choice. Repeating a message with the same id delivers it once."),
  approval: closed({
    callId: textUpTo(128).describe("The `callId` of the tool call in `question`."),
    decision: oneOf("approve", "deny").describe("Whether to approve or deny the call."),
    input: json.optional().describe("The whole input, to change the call."),
    comment: textUpTo(2_000).optional().describe("A comment, which the agent reads."),
  })
    .refine(({ decision, input }) => input === undefined || decision === "approve", {
      message: "needs the decision `approve`",
      path: ["input"],
    })
    .optional()
    .describe("The decision about the tool call that requires approval."),
})
  .apply(atLeastOne(["message", "approval"], "is required without `approval`", "message"))
  .refine((body) => body.mode !== "interrupt" || body.approval?.decision !== "approve", {
    message:
      "must be next_step with an approval: an interrupt aborts the step of the approved call",
    path: ["mode"],
  })
  .meta({ id: "Message" });

/** The body of POST /trigger/:id/stop. */
export const stopBody = closed({
  reason: z.string().max(1_000).optional().describe("The reason, for the log."),
}).meta({ id: "Stop" });

/** The body of POST /trigger/:id/fork. */
export const forkBody = closed({
  afterStep: z
    .int()
    .min(0)
    .optional()
    .describe("The last step to take over; 0 for none. If left out, all but a failed one."),
  message: wordsUpTo(32_000)
    .optional()
    .describe("Further instructions. Required to continue a completed execution after its end."),
  model: modelChoice.optional(),
  tools: uniqueTools.optional().describe("The tools that it may use instead."),
  maxCredits: maxCredits.optional().describe("The credit limit of the fork."),
  acknowledgeUncertain: flag
    .default(false)
    .describe("Whether you checked the effects whose state is `uncertain`."),
}).meta({ id: "Fork" });

/** The body of POST /trigger/:id/callbacks/redeliver. */
export const redeliverBody = closed({
  callbackUrl: callbackUrl.optional().describe("Another address, required if there is none."),
}).meta({ id: "Redeliver" });
