import { describe, expect, it } from "vitest";
import type { Toolset } from "../../../src/agent/tools/toolset.ts";
import type { MessageCommand } from "../../../src/contract/session.ts";
import type { EarlierReply } from "../../../src/executions/journal/history.ts";
import { stopByUser } from "../../../src/executions/machine/lifecycle.ts";
import { acceptMessage, withEditedCall } from "../../../src/executions/messages.ts";
import { callOf, Play, running } from "../../support/execution.ts";

const TOOLS: Toolset = {
  names: ["http_request"],
  descriptions: [],
  withDefaults: (_, input) => input,
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

const MESSAGE: MessageCommand = {
  text: "Please hurry",
  mode: "next_step",
  messageId: null,
  approval: null,
  idempotency: null,
  ifVersion: null,
};

describe("a message", () => {
  it("is accepted once, by its key or its id, and repeats its first response after the end", async () => {
    const play = new Play();
    const send = sender(play);
    const [keyed, named] = [
      { ...MESSAGE, idempotency: { key: "k1", bodyHash: "h1" } },
      { ...MESSAGE, messageId: "m1" },
    ];
    const first = [await send(keyed), await send(named)];
    expect(first).toMatchObject(Array(2).fill({ kind: "accepted", replayed: false }));
    const others = [{ ...keyed, idempotency: { key: "k1", bodyHash: "h2" } }];
    for (const other of [...others, { ...named, text: "other" }]) {
      expect(await send(other)).toEqual({ kind: "key_reused" });
    }
    play.commit((t) => stopByUser(t, null));
    const again = first.map((reply) => ({ ...reply, replayed: true }));
    expect([await send(keyed), await send(named)]).toEqual(again);
    expect(play.logged("message.queued")).toHaveLength(2);
  });

  it("is refused if the inbox is full", async () => {
    const send = sender(new Play());
    for (let n = 0; n < 20; n += 1) await send(MESSAGE);
    expect(await send(MESSAGE)).toEqual({ kind: "inbox_full", limit: 20 });
  });
});

describe("an approval with a changed input", () => {
  const approval = { callId: "post", decision: "approve" as const, input: { n: 2 } };
  const command = { ...MESSAGE, text: null, messageId: "m1", approval };
  const waiting = () => sender(running([callOf("effect", "post", { needsApproval: true })]));

  it("repeats its first response under the same message id once the call is decided", async () => {
    const send = waiting();
    const first = await send(command);
    expect(first).toMatchObject({ kind: "accepted", replayed: false });
    expect(await send(command)).toEqual({ ...first, replayed: true });
    const decision = { state: "answered", decision: "approve" };
    const late = await send({ ...command, messageId: null });
    expect(late).toMatchObject({ kind: "decided", decision });
  });

  it("is another message with another input", async () => {
    const send = waiting();
    await send(command);
    const other = { ...command, approval: { ...approval, input: { n: 3 } } };
    expect(await send(other)).toEqual({ kind: "key_reused" });
  });
});
