import { afterEach, describe, expect, it, vi } from "vitest";
import { Account } from "../../../src/accounts/account.ts";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import {
  consume,
  entryOf,
  messageOf,
  openEndpoint,
  rowsOf,
  scripted,
  statusOf,
} from "../../support/worker/inbound-queue.ts";
import { accepting } from "../../support/worker/inboxes.ts";

afterEach(() => vi.restoreAllMocks());

describe("held requests", () => {
  const declared = {
    ...scripted,
    inputs: [
      { name: "orderId", type: "integer", required: true, default: null, description: "" },
      { name: "country", type: "string", required: false, default: "NZ", description: "" },
    ],
  } satisfies EndpointConfig["workflow"];
  const bodyOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

  /** Holds requests with these payloads, then attaches the workflow. */
  async function release(payloads: unknown[]) {
    const { account, inbox } = await openEndpoint({ workflow: null });
    const ids: string[] = [];
    for (const payload of payloads) {
      const decision = accepting({ mappedInputs: null });
      const arrival = inbox.arrival({ request: { body: bodyOf(payload) }, decision });
      await inbox.api.accept(arrival);
      ids.push(arrival.request.requestId);
    }
    await inbox.api.configure({ ...inbox.config, version: 2, workflow: declared });
    await expect
      .poll(async () => (await inbox.api.workBatch(ids)).items.length)
      .toBe(payloads.length);
    return { account, inbox, ids };
  }

  it("are mapped when they are released, and the log shows to what", async () => {
    const { account, inbox, ids } = await release([{ orderId: 7 }, { order_id: 8, country: "FR" }]);
    await consume([messageOf(inbox, ids)]);
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
    expect((await entryOf(inbox, ids[0])).mappedInputs).toEqual({ orderId: 7, country: "NZ" });
    expect((await entryOf(inbox, ids[1])).mappedInputs).toEqual({ orderId: 8, country: "FR" });
    expect(await rowsOf(account)).toHaveLength(2);
  });

  it("reach the account in the order of arrival", async () => {
    const calls = vi.spyOn(Account.prototype, "acceptBatch");
    const payloads = Array.from({ length: 30 }, (_, orderId) => ({ orderId }));
    const { inbox, ids } = await release(payloads);
    await consume([messageOf(inbox, ids.toReversed())]);
    const handed = calls.mock.calls
      .flatMap(([starts]) => starts.map(({ draft }) => draft))
      .filter(({ inbound }) => ids.includes(inbound?.requestId ?? ""))
      .map(({ inputs }) => inputs);
    expect(handed.map((inputs) => inputs?.orderId)).toEqual(payloads.map(({ orderId }) => orderId));
  });
});
