import * as z from "zod";
import { type By, by } from "./actor.ts";
import { executionId } from "./execution.ts";
import {
  atMostOne,
  closed,
  exactlyOne,
  flag,
  listOf,
  matching,
  needs,
  oneOf,
  open,
  textUpTo,
  timestamp,
  whole,
  wordsUpTo,
} from "./fields.ts";
import { json, jsonObject } from "./json.ts";
import { memberEmail } from "./keys.ts";

/** Whom a decision is sent to. */
const recipient = closed({
  email: memberEmail.optional().describe("An e-mail address, which gets a link of its own."),
  requireCode: flag
    .optional()
    .describe("Whether the link asks for a six-digit code that is sent to the same address."),
  destinationId: textUpTo(100).optional().describe("A destination of the account."),
})
  .apply(exactlyOne(["email", "destinationId"], "must have either `email` or `destinationId`"))
  .apply(needs("requireCode", "email", "needs `email`"))
  .meta({ id: "DecisionRecipient", description: "Whom a decision is sent to." });
export type DecisionRecipient = z.infer<typeof recipient>;

const recipients = listOf(recipient, 20);

/** The settings of a trigger and of a workflow about the people who decide. */
export const decisionSettings = {
  notify: recipients.describe("Who is told when the execution waits for a person."),
  remindAfterSeconds: whole(1, 2_592_000).describe("When they are reminded, once."),
  escalateTo: recipients.describe("Who is told as well when the others are reminded."),
  onTimeout: oneOf("fail", "deny").describe("Without an answer it fails, or the call is denied."),
};

/** The same settings as an execution and a workflow store them. */
export const decisionRules = open({
  notify: listOf(recipient).default([]),
  remindAfterSeconds: z.int().nullable().default(null).describe("When they are reminded, or null."),
  escalateTo: listOf(recipient).default([]),
  onTimeout: decisionSettings.onTimeout.default("fail"),
});
export type DecisionRules = z.infer<typeof decisionRules>;
export const NO_RULES: DecisionRules = decisionRules.parse({});

export const DECISION_STATES = ["open", "answered", "expired", "withdrawn"] as const;
export const decisionState = oneOf(...DECISION_STATES).describe(
  "`expired`: nobody answered in time. `withdrawn`: the execution ended before.",
);

const approval = oneOf("approve", "deny");
const comment = textUpTo(2_000);

/** The id of a decision, which names its execution. */
export const decisionId = matching(
  /^dec_[0-9a-f]{32}_[1-9]\d{0,9}$/,
  "must be the id of a decision",
).describe("The id of the decision.");

export const decisionIdOf = (id: string, number: number): string =>
  `dec_${id.replaceAll("-", "")}_${number}`;

/** Returns the execution that a decision belongs to. */
export function executionOf(id: string): string {
  const hex = id.slice("dec_".length);
  return [0, 8, 12, 16, 20].map((from, at) => hex.slice(from, [8, 12, 16, 20, 32][at])).join("-");
}

/** A decision of a person, for which an execution waits or waited. */
export const decisionRecord = open({
  decisionId,
  executionId,
  kind: oneOf("question", "approval").describe("Whether an answer or a call is waited for."),
  title: z.string().describe("What is asked, as one line."),
  promptPreview: z.string().describe("The start of the execution's prompt."),
  question: z.string().optional().describe("The agent's question."),
  choices: listOf(z.string()).optional().describe("Answers that the agent suggests."),
  tool: z.string().optional().describe("The tool to call."),
  input: json.optional().describe("The input of the call."),
  askedInput: json.optional().describe("The agent's own, if a person changed it."),
  inputSchema: jsonObject.optional().describe("The JSON Schema of `input`."),
  requestedAt: timestamp.describe("When the execution started to wait."),
  expiresAt: timestamp.describe("Until when it waits."),
  remindedAt: timestamp.optional().describe("When people were reminded."),
  state: decisionState,
  decision: approval.optional().describe("The decision about the call."),
  answer: z.string().optional().describe("The answer to the question."),
  comment: z.string().optional().describe("The comment of the person who decided."),
  by: by.optional(),
  via: oneOf("api", "dashboard", "link", "mcp").optional().describe("The door it came through."),
  answeredAt: timestamp.optional().describe("When it was answered, expired or was withdrawn."),
}).meta({ id: "Decision", description: "A decision of a person, for which an execution waits." });
export type DecisionRecord = z.infer<typeof decisionRecord>;
/** A decision as its session and its account store it. */
export const storedDecision = decisionRecord.extend({
  /** The call of the execution that waits. */
  callId: z.string(),
  /** The request that answered it, for the audit log. */
  requestId: z.string().optional(),
});
export type StoredDecision = z.infer<typeof storedDecision>;

/** Returns a stored decision as the API shows it. */
export function shownDecision({ callId: _, requestId: __, ...shown }: StoredDecision) {
  return shown;
}

/** A decision as its account knows it, and who is told of it. */
export interface KnownDecision {
  decision: StoredDecision;
  rules: DecisionRules;
}

/** The filters of the list of decisions; `after` is the last one of the previous page. */
export interface DecisionQuery {
  states: (typeof DECISION_STATES)[number][];
  limit: number;
  after: { createdAt: number; id: string } | null;
}

/** Who answers, through which door and in which request. */
export interface Answerer {
  by: By;
  via: NonNullable<DecisionRecord["via"]>;
  requestId: string;
}

const EITHER = "is required, or `answer` if the agent asked a question, and not both";
const APPROVED = "needs the decision `approve`";
const UNCOMMENTED = "needs a `decision`: write it into the answer instead";

/** The body of POST /decisions/:decisionId. */
export const decideBody = closed({
  decision: approval.optional().describe("Whether to approve or deny the call."),
  input: json.optional().describe("The whole input, to change the call."),
  comment: comment.optional().describe("A comment, which the agent reads."),
  answer: wordsUpTo(32_000).optional().describe("The answer to the question."),
})
  .apply(exactlyOne(["decision", "answer"], EITHER, "decision"))
  .apply(needs("input", "decision", APPROVED, (decision) => decision === "approve"))
  .apply(atMostOne(["answer", "comment"], UNCOMMENTED, "comment"))
  .meta({ id: "Decide" });
export type DecideBody = z.infer<typeof decideBody>;

/** Returns who closed a decision and when, as a sentence. */
export function outcomeLine(decision: DecisionRecord): string {
  const { state, by: who, answeredAt, decision: given } = decision;
  const at = answeredAt === undefined ? "" : ` at ${answeredAt}`;
  if (state === "open") return "Not answered yet.";
  if (state === "expired") return `It expired${at}, since nobody answered in time.`;
  if (state === "withdrawn") return `The execution ended${at} without an answer.`;
  const verb = given === undefined ? "answered" : given === "approve" ? "approved" : "denied";
  return `Already ${verb} by ${who?.name ?? "somebody"}${at}.`;
}
