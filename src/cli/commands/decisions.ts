import type { DecideBody } from "../../client/bodies.ts";
import { DECISION_STATES } from "../../contract/decisions.ts";
import { json } from "../../contract/json.ts";
import { type Call, type Command, calling, listing, type Options } from "../command.ts";
import { localTime, oneLine } from "../terminal.ts";

const TITLE = 60;
const COMMENT: Options = { comment: { value: "TEXT", help: "a comment, which the agent reads" } };

const list = listing({
  name: "decisions list",
  summary: "List what executions ask people, newest first",
  options: {
    state: {
      multiple: true,
      value: "STATE",
      help: `only these states: ${DECISION_STATES.join(", ")} (default: open)`,
    },
  },
  items(call) {
    const state = call.values.listOf("state", DECISION_STATES) ?? ["open"];
    return call.client.decisions.all({ state }, call);
  },
  columns: {
    DECISION: ({ decisionId }) => decisionId,
    STATE: ({ state }) => state,
    UNTIL: ({ expiresAt }) => localTime(expiresAt),
    TITLE: ({ tool, title }) => oneLine(tool === undefined ? title : `${tool}: ${title}`, TITLE),
  },
});

const show = calling({
  name: "decisions show",
  summary: "Show a decision with the exact call",
  args: ["decision"],
  async ask(call, decisionId) {
    const { inputSchema: _, ...decision } = await call.client.decisions.get(decisionId, call);
    return decision;
  },
  text: (decision) => JSON.stringify(decision, null, 2),
});

/** Makes a command that answers a decision. */
const deciding = (
  command: Pick<Command, "name" | "summary" | "args" | "options">,
  bodyOf: (call: Call) => DecideBody | Promise<DecideBody>,
) =>
  calling({
    ...command,
    ask: async (call, decisionId) =>
      call.client.decisions.decide(decisionId, await bodyOf(call), call),
    text: ({ decision }) => DONE[decision ?? "answer"],
  });

const DONE = { approve: "Approved.", deny: "Denied.", answer: "Answered." };

const approve = deciding(
  {
    name: "decisions approve",
    summary: "Approve a tool call, as it is or with another input",
    args: ["decision"],
    options: { ...COMMENT, input: { value: "FILE", help: "JSON of the whole input to call with" } },
  },
  async (call) => ({
    decision: "approve",
    input: await call.json("input", json),
    comment: call.values.text("comment"),
  }),
);

const deny = deciding(
  {
    name: "decisions deny",
    summary: "Deny a tool call",
    args: ["decision"],
    options: COMMENT,
  },
  ({ values }) => ({ decision: "deny", comment: values.text("comment") }),
);

const answer = deciding(
  {
    name: "decisions answer",
    summary: "Answer the question of an agent",
    args: ["decision", "text"],
  },
  ({ args }) => ({ answer: args[1] ?? "" }),
);

export const decisions = [list, show, approve, deny, answer];
