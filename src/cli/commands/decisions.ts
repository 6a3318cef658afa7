import type { DecideBody } from "../../client/bodies.ts";
import { DECISION_STATES } from "../../contract/decisions.ts";
import { json } from "../../contract/json.ts";
import type { Call, Command } from "../command.ts";
import { readJson } from "../files.ts";
import { printList } from "../terminal.ts";
import { localTime, oneLine } from "../text.ts";

const TITLE = 60;
const COMMENT = {
  comment: { value: "TEXT", help: "a comment, which the agent reads" },
} as const;

const list: Command = {
  name: "decisions list",
  summary: "List what executions ask people, newest first",
  options: {
    state: {
      multiple: true,
      value: "STATE",
      help: `only these states: ${DECISION_STATES.join(", ")} (default: open)`,
    },
    limit: { value: "N", help: "maximum number of rows (default: 100)" },
  },
  async run({ client, output, values, signal }) {
    const state = values.listOf("state", DECISION_STATES) ?? ["open"];
    const decisions = client.decisions.all({ state }, { signal });
    const heading = ["DECISION", "STATE", "UNTIL", "TITLE"];
    await printList(output, decisions, values.wholeNumber("limit", 1) ?? 100, heading, (each) => [
      each.decisionId,
      each.state,
      localTime(each.expiresAt),
      oneLine(`${each.tool === undefined ? "" : `${each.tool}: `}${each.title}`, TITLE),
    ]);
  },
};

const show: Command = {
  name: "decisions show",
  summary: "Show a decision with the exact call",
  args: ["decision"],
  async run({ client, output, args: [decisionId = ""], signal }) {
    const { inputSchema: _, ...decision } = await client.decisions.get(decisionId, { signal });
    output.print(decision, (shown) => JSON.stringify(shown, null, 2));
  },
};

const approve: Command = {
  name: "decisions approve",
  summary: "Approve a tool call, as it is or with another input",
  args: ["decision"],
  options: { ...COMMENT, input: { value: "FILE", help: "JSON of the whole input to call with" } },
  async run(call) {
    const { values, output } = call;
    const file = values.text("input");
    const input = file === undefined ? undefined : await readJson(file, json, output.terminal);
    await decide(call, { decision: "approve", input, comment: values.text("comment") });
  },
};

const deny: Command = {
  name: "decisions deny",
  summary: "Deny a tool call",
  args: ["decision"],
  options: COMMENT,
  run: (call) => decide(call, { decision: "deny", comment: call.values.text("comment") }),
};

const answer: Command = {
  name: "decisions answer",
  summary: "Answer the question of an agent",
  args: ["decision", "text"],
  run: (call) => decide(call, { answer: call.args[1] ?? "" }),
};

async function decide(
  { client, output, args: [decisionId = ""], signal }: Call,
  body: DecideBody,
): Promise<undefined> {
  const decided = await client.decisions.decide(decisionId, body, { signal });
  output.print(decided, ({ decision }) => DONE[decision ?? "answer"]);
}

const DONE = { approve: "Approved.", deny: "Denied.", answer: "Answered." };

export const decisions = [list, show, approve, deny, answer];
