import * as z from "zod";
import {
  decideBody,
  decisionId as decisionIdSchema,
  decisionRecord,
  decisionState,
} from "../contract/decisions.ts";
import { closed } from "../contract/fields.ts";
import { ACT, nextCursor, PAGE, READ } from "./fields.ts";
import { tool } from "./tool.ts";

const listDecisions = tool({
  name: "list_decisions",
  title: "List decisions",
  description:
    "Lists what the account's executions ask people, newest first: questions, and tool calls that require approval, each with the exact call and until when it waits.",
  input: closed({
    state: z
      .array(decisionState)
      .max(4)
      .default(["open"])
      .describe("Only decisions in these states."),
    ...PAGE,
  }),
  output: z.object({ decisions: z.array(decisionRecord), nextCursor }),
  annotations: READ,
  run: (query, call) => call.api.decisions.list(query, call),
});

const answerDecision = tool({
  name: "answer_decision",
  title: "Answer a decision",
  description:
    "Approves or denies the tool call of a decision, or answers its question. Only do so if a person told you to: an approved call is made, and its effects cannot be undone. With input the call is made with this whole input instead.",
  input: closed({
    decisionId: decisionIdSchema.describe("The decisionId that list_decisions returned."),
    ...decideBody.shape,
  }),
  output: decisionRecord,
  annotations: ACT,
  run: ({ decisionId, ...body }, call) => call.api.decisions.decide(decisionId, body, call),
});

/** Tools about the decisions of people. */
export const DECISION_TOOLS = [listDecisions, answerDecision];
