import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { deliveryRecord } from "../../../src/contract/destinations.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import { expectProblem, newAccount, ORIGIN, send, trigger } from "../../support/worker/client.ts";
import { DESTINATIONS, newDestination } from "../../support/worker/destinations.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { verifySignature } from "../../support/worker/standard-webhooks.ts";

const MODEL = { model: "openai/scripted" };

const bodyOf = ({ body }: { body: string }) => JSON.parse(body) as Record<string, unknown>;

describe("a destination", () => {
  it("shows neither its secret, nor its headers, nor the end of Slack's address", async () => {
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

  it.each([
    [{ format: "email", email: undefined, url: undefined }, "email"],
    [{ format: "standard", url: undefined }, "url"],
    [{ format: "standard", email: "a@acme.example" }, "email"],
    [{ format: "slack", secret: "a long secret" }, "secret"],
    [{ format: "teams", headers: { "X-Key": "1" } }, "headers"],
    [{ format: "otlp", events: ["execution.completed"] }, "events"],
    [{ format: "standard", content: true }, "content"],
    [{ url: "https://10.0.0.1/" }, "url"],
    [{ url: "https://prompthook.example/hook" }, "url"],
    [{ headers: { "webhook-id": "mine" } }, "headers.webhook-id"],
    [{ events: ["execution.begun"] }, "events[0]"],
  ])("is refused with %j, naming the field", async (change, field) => {
    const { apiKey } = await newAccount();
    const body = { name: "test", format: "standard", url: "https://a.example/", ...change };
    const response = await send(DESTINATIONS, { method: "POST", token: apiKey, body });
    const { errors } = await expectProblem(response, 400, "invalid_request");
    expect(errors?.map(({ path }) => path)).toContain(field);
  });

  it("of another account is not found", async () => {
    const { destination } = await newDestination();
    const { apiKey: token } = await newAccount();
    const path = `${DESTINATIONS}/${destination.destinationId}`;
    const found = [
      await send(path, { token }),
      await send(`${path}/ping`, { method: "POST", token }),
      await send(`${path}/deliveries`, { token }),
      await send(path, { method: "DELETE", token }),
    ];
    for (const response of found) await expectProblem(response, 404, "not_found");
  });

  it("is changed and deleted, and the audit log names both", async () => {
    const { apiKey, call, destination } = await newDestination({ secret: "a long secret" });
    const events = ["execution.failed"];
    const changed = await call("", "PATCH", { name: "renamed", secret: null, events });
    expect(await changed.json()).toMatchObject({ name: "renamed", secret: null, events });
    expect((await call("", "DELETE")).status).toBe(204);
    await expectProblem(await call("", "GET"), 404, "not_found");
    const audit = await send(`/api/v1/audit?resource=${destination.destinationId}`, {
      token: apiKey,
    });
    const { entries } = (await audit.json()) as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual([
      "destination.deleted",
      "destination.updated",
      "destination.created",
    ]);
  });
});

describe("a test message", () => {
  it("arrives signed, and its delivery shows what the receiver answered", async () => {
    const secret = "a secret of the receiver";
    const { call, receiver, until, deliveries, destination } = await newDestination({ secret });
    const response = await call("/ping");
    expect(response.status).toBe(202);
    const { deliveryId } = deliveryRecord.parse(await response.json());
    const [letter] = await receiver.letters(1);
    expect(verifySignature(secret, letter)).toMatchObject({
      type: "ping",
      data: { destinationId: destination.destinationId, url: expect.stringContaining(ORIGIN) },
    });
    await until("delivered");
    expect(await deliveries()).toMatchObject([
      { deliveryId, type: "ping", attempts: [{ attempt: 1, status: 200, url: receiver.url }] },
    ]);
  });

  it("is a message with blocks for Slack, a card for Teams and an event for CloudEvents", async () => {
    const bodies = await Promise.all(
      ["slack", "teams", "cloudevents", "otlp"].map(async (format) => {
        const { call, receiver } = await newDestination({ format });
        await call("/ping");
        const [letter] = await receiver.letters(1);
        return bodyOf(letter ?? { body: "" });
      }),
    );
    expect(bodies).toMatchObject([
      {
        text: "Test message from Prompthook",
        blocks: [{ type: "header" }, {}, { type: "actions" }],
      },
      { type: "message", attachments: [{ content: { type: "AdaptiveCard" } }] },
      { specversion: "1.0", type: "ping", source: ORIGIN, id: expect.stringMatching(/^msg_/) },
      { resourceSpans: [] },
    ]);
  });

  it("to a disabled destination is refused", async () => {
    const { call } = await newDestination();
    const disabled = await call("/disable");
    expect(await disabled.json()).toMatchObject({
      status: "disabled",
      disabledReason: expect.stringMatching(/^Disabled by /),
    });
    await expectProblem(await call("/ping"), 409, "conflict");
    expect(await (await call("/enable")).json()).not.toHaveProperty("disabledReason");
    expect((await call("/ping")).status).toBe(202);
  });
});

describe("a delivery", () => {
  it.each([
    [500, { status: 500, error: "It answered 500." }],
    [404, { status: 404, error: "It answered 404." }],
    [
      { status: 302, headers: { location: "http://10.0.0.1/" }, body: "" },
      { status: 302, error: "It answered 302; redirects are not followed." },
    ],
  ])("that the receiver answers with %j is tried again", async (answer, attempt) => {
    const { call, receiver, deliveries } = await newDestination();
    await receiver.answer(answer);
    await call("/ping");
    await expect
      .poll(deliveries)
      .toMatchObject([
        { state: "pending", attempts: [{ ...attempt, nextAttemptAt: expect.any(String) }] },
      ]);
  });

  it("is given up when the receiver is gone, and made again under the same id when asked", async () => {
    const { call, receiver, until, deliveries } = await newDestination();
    await receiver.answer(410);
    await call("/ping");
    await until("failed");
    await receiver.answer(200);
    const [{ deliveryId } = { deliveryId: "" }] = await deliveries();
    expect((await call(`/deliveries/${deliveryId}/redeliver`)).status).toBe(202);
    await until("delivered");
    const ids = (await receiver.letters(2)).map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    const [{ attempts } = { attempts: [] }] = await deliveries();
    expect(attempts.map(({ status }) => status)).toEqual([410, 200]);
    await expectProblem(await call("/deliveries/del_019a8b2c6f00_x/redeliver"), 404, "not_found");
  });

  it("that waits is dropped once its destination is disabled", async () => {
    const { call, receiver, until } = await newDestination();
    await receiver.answer(500);
    await call("/ping");
    await receiver.letters(1);
    await call("/disable");
    await until("failed");
  });
});

describe("an execution", () => {
  it("is told to the destinations that take its end, thin or as its record", async () => {
    const events = ["execution.completed"];
    const thin = await newDestination({ events });
    const receiver = mailbox();
    const add = (body: object) =>
      send(DESTINATIONS, { method: "POST", token: thin.apiKey, body: { name: "more", ...body } });
    await add({ format: "standard", url: receiver.url, events, payload: "full" });
    const failures = mailbox();
    await add({ format: "standard", url: failures.url, events: ["execution.failed"] });
    const prompt = promptOf({ finish: { summary: "Done.", data: { n: 1 } } });
    const executionId = await trigger(thin.apiKey, { ...MODEL, prompt });

    const [first] = await thin.receiver.letters(1);
    const [second] = await receiver.letters(1);
    const data = { executionId, workflowId: null, status: "completed", statusDetail: "done" };
    const url = `${ORIGIN}/dashboard/executions/${executionId}`;
    expect(bodyOf(first ?? { body: "" })).toEqual({
      type: "execution.completed",
      timestamp: expect.any(String),
      data: { ...data, url, version: expect.any(Number) },
    });
    expect(bodyOf(second ?? { body: "" })).toMatchObject({
      data: { ...data, url, presentedResult: { summary: "Done.", data: { n: 1 } }, outputs: [{}] },
    });
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(await failures.letters()).toEqual([]);
  });

  it("that waits for input is told once", async () => {
    const { apiKey, receiver } = await newDestination({ events: ["execution.waiting_for_input"] });
    const prompt = promptOf({ calls: [{ tool: "ask_user", input: { question: "Which year?" } }] });
    await trigger(apiKey, { ...MODEL, prompt, interactive: true });
    const [letter] = await receiver.letters(1);
    expect(bodyOf(letter ?? { body: "" })).toMatchObject({
      type: "execution.waiting_for_input",
      data: { statusDetail: "question" },
    });
  });
});

describe("a message to one recipient", () => {
  it("reaches a destination that takes no events, once for each key", async () => {
    const { accountId, destination, receiver } = await newDestination({ format: "slack" });
    const { destinationId } = destination;
    const message = {
      key: "decision_1",
      type: "decision.requested",
      at: Date.now(),
      page: "/dashboard/decisions",
      data: { decisionId: "1" },
      notice: {
        title: "Approve?",
        facts: [],
        text: "send_email",
        links: [{ label: "Decide", url: "https://a.example/decide/1" }],
      },
    };
    const account = accountStub(env, accountId);
    const sent = [
      await account.sendTo({ destinationId }, message),
      await account.sendTo({ destinationId }, message),
    ];
    expect(sent[0]).toBe(sent[1]);
    const [letter] = await receiver.letters(1);
    expect(letter?.body).toContain("https://a.example/decide/1");
    expect(await account.sendTo({ destinationId: "dst_none" }, message)).toBeNull();
    expect(await receiver.letters()).toHaveLength(1);
  });
});
