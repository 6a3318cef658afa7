import { describe, expect, it } from "vitest";
import { openInbox, untilSent, wholeLog } from "../../support/worker/inboxes.ts";

describe("a request that is accepted", () => {
  it("has an execution, an entry in the log and work", async () => {
    const inbox = await openInbox();
    await inbox.intercept();
    const arrival = inbox.arrival();
    const receipt = await inbox.api.receive(arrival);
    expect(receipt).toMatchObject({ kind: "accepted", duplicate: false });
    const { requestId } = arrival.request;
    expect(await untilSent(inbox, 1)).toEqual([requestId]);
    const { entries } = await inbox.api.list(wholeLog);
    expect(entries).toMatchObject([
      { requestId, status: "queued", httpStatus: 202, mappedInputs: { orderId: 7 } },
    ]);
    const slice = await inbox.api.slice([requestId]);
    expect(slice.items).toMatchObject([{ requestId, work: { kind: "mapped" } }]);
  });
});
