import { describe, expect, it } from "vitest";
import type { Toolset } from "../../../src/agent/tools/toolset.ts";
import type { MessageCommand } from "../../../src/contract/session.ts";
import type { EarlierReply } from "../../../src/executions/journal/history.ts";
import { acceptMessage, withEditedCall } from "../../../src/executions/messages.ts";
import { callOf, type Play, running } from "../../support/execution.ts";

const TOOLS: Toolset = {
  names: ["http_request"],
  descriptions: [],
  check: () => ({ ok: true, kind: "effect", price: 1, target: "there", description: "Posting" }),
  run: async () => ({ answer: { ok: true, content: null } }),
};

/** Sends messages to an execution as its session does, which keeps the replies. */
function sender(play: Play) {
  const replies = new Map<string, EarlierReply>();
  const session = {
    seed: play.seed,
    get state() {
      return play.state;
    },
    tools: async () => TOOLS,
    commit(...[change, also]: Parameters<Parameters<typeof acceptMessage>[0]["commit"]>) {
      play.commit(change);
      for (const fact of also?.(play.state) ?? []) {
        if (fact.kind !== "reply") continue;
        for (const { name, content } of fact.names) replies.set(name, { content, body: fact.body });
      }
    },
  };
  return async (command: MessageCommand) => {
    const checked = await withEditedCall(session, command);
    if (!checked.ok) throw new Error("the tool refuses the input");
    return acceptMessage(session, checked.command, (name) => replies.get(name) ?? null);
  };
}

describe("an approval with a changed input", () => {
  const approval = { callId: "post", decision: "approve" as const, input: { n: 2 } };
  const command: MessageCommand = {
    text: null,
    mode: "next_step",
    messageId: "m1",
    approval,
    idempotency: null,
    ifVersion: null,
  };
  const waiting = () => sender(running([callOf("effect", "post", { needsApproval: true })]));

  it("repeats its first response under the same message id once the call is decided", async () => {
    const send = waiting();
    const first = await send(command);
    expect(first).toMatchObject({ kind: "accepted", replayed: false });
    expect(await send(command)).toEqual({ ...first, replayed: true });
  });

  it("is another message with another input", async () => {
    const send = waiting();
    await send(command);
    const other = { ...command, approval: { ...approval, input: { n: 3 } } };
    expect(await send(other)).toEqual({ kind: "key_reused" });
  });
});
