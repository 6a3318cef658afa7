import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { deliveryRecord } from "../../../src/contract/destinations.ts";
import {
  callsOf,
  expectProblem,
  faultsOf,
  newAccount,
  ORIGIN,
  trigger,
} from "../../support/worker/client.ts";
import { DESTINATIONS, newDestination } from "../../support/worker/destinations.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const MODEL = { model: "openai/scripted" };

const bodyOf = (letter: { body: string } | undefined) =>
  JSON.parse(letter?.body ?? "") as Record<string, unknown>;

describe("a destination", () => {
  it("hides its secret, its headers and the end of Slack's address", async () => {
    const secret = "a secret of the receiver";
    const headers = { Authorization: "Bearer a-token-of-yours" };
    const { destination, call } = await newDestination({ secret, headers });
    expect(destination).toMatchObject({
      status: "enabled",
      payload: "thin",
      secret: { set: true, last4: "iver" },
      headers: [{ name: "Authorization", set: true, last4: "ours" }],
    });
    const shown = await (await call("", "GET")).text();
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain("a-token");

    const slack = await newDestination({ format: "slack" });
    const { pathname } = new URL(slack.receiver.url);
    expect(slack.destination.url).not.toContain(pathname.slice(pathname.lastIndexOf("/") + 1));
  });

  it("is refused if a field does not fit its format, or its address is forbidden", async () => {
    const { post } = await newAccount();
    const body = { name: "test", format: "standard", url: "https://a.example/" };
    for (const [change, field] of [
      [{ format: "email", email: undefined, url: undefined }, "email"],
      [{ url: undefined }, "url"],
      [{ email: "a@acme.example" }, "email"],
      [{ format: "slack", secret: "a long secret" }, "secret"],
      [{ format: "teams", headers: { "X-Key": "1" } }, "headers"],
      [{ format: "otlp", events: ["execution.completed"] }, "events"],
      [{ content: true }, "content"],
      [{ url: "https://10.0.0.1/" }, "url"],
      [{ url: "https://prompthook.example/hook" }, "url"],
      [{ headers: { "webhook-id": "mine" } }, "headers.webhook-id"],
    ] as const) {
      expect(await faultsOf(await post(DESTINATIONS, { ...body, ...change }))).toContain(field);
    }
  });

  it("needs its headers again for another host, so that nobody reads them there", async () => {
    const { call } = await newDestination({ headers: { "X-Key": "a-token-of-yours" } });
    const elsewhere = { url: "https://other.example/hook" };
    expect(await faultsOf(await call("", "PATCH", elsewhere))).toEqual(["headers"]);
    expect(await faultsOf(await call("", "PATCH", { url: "elsewhere" }))).toEqual(["url"]);
    expect((await call("", "PATCH", { ...elsewhere, headers: {} })).status).toBe(200);
    expect((await call("", "PATCH", { url: "https://third.example/hook" })).status).toBe(200);
  });

  it("is changed and deleted, and the audit log names both", async () => {
    const { apiKey, call, destination } = await newDestination({ secret: "a long secret" });
    const change = { name: "renamed", secret: null, events: ["execution.failed"] };
    expect(await (await call("", "PATCH", change)).json()).toMatchObject(change);
    // It changes nothing, so the audit log does not name it.
    await expectProblem(await call("", "PATCH", {}), 400, "invalid_request");
    expect((await call("", "DELETE")).status).toBe(204);
    await expectProblem(await call("", "GET"), 404, "not_found");
    const audit = `/api/v1/audit?resource=${destination.destinationId}`;
    expect(await (await callsOf(apiKey).get(audit)).json()).toMatchObject({
      entries: ["deleted", "updated", "created"].map((what) => ({ action: `destination.${what}` })),
    });
  });
});

describe("a test message", () => {
  it("arrives signed, and its delivery shows the receiver's response", async () => {
    const secret = "a secret of the receiver";
    const { call, receiver, until, deliveries, destination } = await newDestination({ secret });
    const response = await call("/ping");
    expect(response.status).toBe(202);
    const { deliveryId } = deliveryRecord.parse(await response.json());
    const [letter] = await receiver.letters(1);
    const { body = "", headers = {} } = letter ?? {};
    expect(new Webhook(secret, { format: "raw" }).verify(body, headers)).toMatchObject({
      type: "ping",
      data: { destinationId: destination.destinationId, url: expect.stringContaining(ORIGIN) },
    });
    await until("delivered");
    expect(await deliveries()).toMatchObject([
      { deliveryId, type: "ping", attempts: [{ attempt: 1, status: 200, url: receiver.url }] },
    ]);
  });

  it("is a card for Teams", async () => {
    const { call, receiver } = await newDestination({ format: "teams" });
    await call("/ping");
    expect(bodyOf((await receiver.letters(1))[0])).toMatchObject({
      type: "message",
      attachments: [{ content: { type: "AdaptiveCard" } }],
    });
  });

  it("to a disabled destination is refused, and its backlog is dropped", async () => {
    const { call, receiver, until } = await newDestination();
    await receiver.answer(500);
    await call("/ping");
    await receiver.letters(1);
    expect(await (await call("/disable")).json()).toMatchObject({
      status: "disabled",
      disabledReason: expect.stringMatching(/^Disabled by /),
    });
    await until("failed");
    await expectProblem(await call("/ping"), 409, "conflict");
    expect(await (await call("/enable")).json()).not.toHaveProperty("disabledReason");
    expect((await call("/ping")).status).toBe(202);
  });
});

describe("a delivery", () => {
  it("is abandoned if the receiver is gone, and repeated under the same id on request", async () => {
    const { call, receiver, until, deliveries } = await newDestination();
    await receiver.answer(410);
    await call("/ping");
    await until("failed");
    await receiver.answer(200);
    const [failed] = await deliveries();
    expect((await call(`/deliveries/${failed?.deliveryId}/redeliver`)).status).toBe(202);
    await until("delivered");
    const ids = (await receiver.letters(2)).map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    const [delivered] = await deliveries();
    expect(delivered?.attempts.map(({ status }) => status)).toEqual([410, 200]);
    await expectProblem(await call("/deliveries/del_019a8b2c6f00_x/redeliver"), 404, "not_found");
  });
});

describe("an execution", () => {
  it("is sent at its end to subscribed destinations, thin or as its record", async () => {
    const events = ["execution.completed"];
    const thin = await newDestination({ events });
    const full = await newDestination({ events, payload: "full" }, thin);
    const failures = await newDestination({ events: ["execution.failed"] }, thin);
    const prompt = promptOf({ finish: { summary: "Done.", data: { n: 1 } } });
    const executionId = await trigger(thin.apiKey, { ...MODEL, prompt });

    const [first] = await thin.receiver.letters(1);
    const [second] = await full.receiver.letters(1);
    const url = `${ORIGIN}/dashboard/executions/${executionId}`;
    const shared = {
      executionId,
      workflowId: null,
      status: "completed",
      statusDetail: "done",
      url,
    };
    expect(bodyOf(first)).toEqual({
      type: "execution.completed",
      timestamp: expect.any(String),
      data: { ...shared, version: expect.any(Number) },
    });
    expect(bodyOf(second)).toMatchObject({
      data: { ...shared, presentedResult: { summary: "Done.", data: { n: 1 } }, outputs: [{}] },
    });
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(await failures.receiver.letters()).toEqual([]);
  });

  it("that waits for input is sent once", async () => {
    const { apiKey, receiver } = await newDestination({ events: ["execution.waiting_for_input"] });
    const prompt = promptOf({ calls: [{ tool: "ask_user", input: { question: "Which year?" } }] });
    await trigger(apiKey, { ...MODEL, prompt, interactive: true });
    expect(bodyOf((await receiver.letters(1))[0])).toMatchObject({
      type: "execution.waiting_for_input",
      data: { statusDetail: "question" },
    });
  });
});
