import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { credits } from "../../../src/contract/account.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { AGENT, callsOf, expectProblem, resultOf } from "../../support/worker/client.ts";
import { changeHead, dueAtRest, hostOf } from "../../support/worker/objects.ts";

const { accountId, apiKey, decide, asked, ended, paying } = await openOffice();

describe("while a call waits", () => {
  const wakeupsOf = async (id: string) => ({
    due: await dueAtRest({ account: { accountId }, executionId: id }),
    alarm: await runInDurableObject(hostOf(accountId, id), (_, { storage }) => storage.getAlarm()),
  });

  it("nothing is paid, and nothing wakes before the user's time is over", async () => {
    const { id } = await paying({ timeoutSeconds: 1, inputTimeoutSeconds: 7 * 86_400 });
    const { askedAt, creditsConsumed } = await asked(id);
    const deadline = Date.parse(askedAt) + 7 * 86_400_000;
    await expect.poll(() => wakeupsOf(id)).toEqual({ due: { deadline }, alarm: deadline });
    expect((await asked(id)).creditsConsumed).toBe(creditsConsumed);
  });

  it("it survives that all objects are lost, and days later the approval still counts", async () => {
    const { id, site } = await paying({ inputTimeoutSeconds: 7 * 86_400 });
    const before = await asked(id);
    await ageQuestion(accountId, id, 6 * 86_400_000);
    await abortAllDurableObjects();
    expect(await asked(id)).toMatchObject({ callId: before.callId, input: before.input });
    await decide(id, "pay", "approve");
    expect(await ended(id)).toMatchObject({ status: "completed" });
    expect(await site.letters()).toHaveLength(1);
  });

  it("it fails with input_timeout when the days are over, does nothing, and frees the hold", async () => {
    const own = await openOffice(100);
    const { id, site } = await own.paying({ inputTimeoutSeconds: 7 * 86_400 });
    await own.asked(id);
    await ageQuestion(own.accountId, id, 7 * 86_400_000);
    expect(await own.ended(id)).toMatchObject({
      status: "failed",
      error: { code: "input_timeout" },
      creditsConsumed: 1,
    });
    const balance = async () =>
      credits.parse(await (await callsOf(own.apiKey).get(`${AGENT}/credits`)).json());
    await expect
      .poll(balance)
      .toMatchObject({ availableCredits: 99, reservedCredits: 0, consumedCredits: 1 });
    expect(await site.letters()).toEqual([]);
    await expectProblem(await own.decide(id, "pay", "approve"), 409, "execution_not_active");
  });

  /** Lets the question be asked so much earlier, as if the time had passed since. */
  async function ageQuestion(accountId: string, id: string, ms: number): Promise<void> {
    await changeHead({ account: { accountId }, executionId: id }, ({ state, ...head }) => {
      if (state.question == null) throw new Error("nothing is asked");
      const askedAt = Date.parse(state.question.askedAt) - ms;
      const question = { ...state.question, askedAt: new Date(askedAt).toISOString() };
      return {
        ...head,
        state: { ...state, question },
        due: { deadline: askedAt + 7 * 86_400_000 },
      };
    });
    await evictDurableObject(hostOf(accountId, id));
  }
});

it("makes an approved call at most once when all objects are lost right after the yes", async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, () => paying()));
  await Promise.all(runs.map(({ id }) => asked(id)));
  const answers = await Promise.all(runs.map(({ id }) => decide(id, "pay", "approve")));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202));
  await abortAllDurableObjects();
  for (const { id, site } of runs) {
    expect(await ended(id)).toMatchObject({ status: "completed" });
    const [effect] = (await resultOf(apiKey, id)).effects;
    const { length } = await site.letters();
    expect(length).toBeLessThanOrEqual(1);
    if (effect?.state === "confirmed") expect(length).toBe(1);
    else expect(effect?.state).toBe("uncertain");
  }
});
