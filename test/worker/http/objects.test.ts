import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { executionState } from "../../../src/contract/execution.ts";
import { AGENT, newAccount, send, trigger, untilEvent } from "../../support/worker/client.ts";

describe("an object that is reset in the middle of a call", () => {
  it("is asked again where a repeat changes nothing", async () => {
    const { apiKey } = await newAccount();
    const id = await trigger(apiKey);
    await untilEvent(apiKey, id, "step.started");
    const path = `${AGENT}/trigger/${id}/status`;
    const { version } = executionState.parse(await (await send(path, { token: apiKey })).json());
    const waiting = send(`${path}?sinceVersion=${version}&waitSeconds=30`, { token: apiKey });
    // The account serves one after the other, so the wait has passed it once this is answered.
    await send(`${AGENT}/credits`, { token: apiKey });
    await abortAllDurableObjects();
    await send(`${AGENT}/trigger/${id}/stop`, { method: "POST", token: apiKey });
    const response = await waiting;
    expect(response.status).toBe(200);
    expect(executionState.parse(await response.json()).status).toBe("stopped");
  });
});
