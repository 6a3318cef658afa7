import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import {
  anyAddress,
  env,
  expectProblem,
  newAccount,
  newKey,
  ORIGIN,
  send,
} from "../../support/worker/client.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

/** Sends a request to a service that notes which objects and databases it asks. */
async function asking(path: string, init: RequestInit = {}) {
  const asked: string[] = [];
  const noting = <T extends object>(name: string, binding: T): T =>
    new Proxy(binding, {
      get(target, property) {
        asked.push(name);
        const value: unknown = Reflect.get(target, property);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const watched = {
    ...env,
    DB: noting("DB", env.DB),
    ACCOUNT: noting("ACCOUNT", env.ACCOUNT),
    INBOX: noting("INBOX", env.INBOX),
  };
  const response = await app.fetch(
    new Request(ORIGIN + path, init),
    watched,
    createExecutionContext(),
  );
  return { response, asked };
}

const bearer = (apiKey: string) => ({
  headers: { Authorization: `Bearer ${apiKey}`, "CF-Connecting-IP": anyAddress() },
});

/** The text with another last digit. */
const altered = (text: string) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");

describe("a made-up id reaches no object and no database:", () => {
  it("an API key", async () => {
    const { apiKey } = await newAccount();
    const made = await asking("/api/v1/agent/credits", bearer(altered(apiKey)));
    await expectProblem(made.response, 401, "unauthorized");
    expect(made.asked).toEqual([]);
    const issued = await asking("/api/v1/agent/credits", bearer(apiKey));
    expect(issued.response.status).toBe(200);
    expect(issued.asked).toContain("ACCOUNT");
  });

  it("an API key that was refused a moment ago", async () => {
    const { apiKey } = await newAccount();
    const { apiKey: gone, keyId } = await newKey(apiKey, { name: "gone" });
    await send(`/api/v1/keys/${keyId}`, { method: "DELETE", token: apiKey });
    const first = await asking("/api/v1/agent/credits", bearer(gone));
    const { detail } = await expectProblem(first.response, 401, "unauthorized");
    const second = await asking("/api/v1/agent/credits", bearer(gone));
    expect(await expectProblem(second.response, 401, "unauthorized")).toMatchObject({ detail });
    expect(second.asked).toEqual([]);
  });

  it("the URL of an endpoint", async () => {
    const { endpointId } = await newEndpoint();
    for (const id of [altered(endpointId), `ep_${"0".repeat(40)}`]) {
      const made = await asking(`/hooks/${id}`, { method: "POST", body: "{}" });
      await expectProblem(made.response, 404, "not_found");
      expect(made.asked).toEqual([]);
    }
  });

  it("an endpoint in the API, whose caller is asked for and no more", async () => {
    const { endpointId, apiKey } = await newEndpoint();
    const path = `/api/v1/webhooks/${altered(endpointId)}`;
    const made = await asking(path, bearer(apiKey));
    await expectProblem(made.response, 404, "not_found");
    expect(new Set(made.asked)).toEqual(new Set(["ACCOUNT"]));
  });
});

describe("an unknown custom path", () => {
  it("is looked up once in a moment", async () => {
    const path = `/hooks/nobody/${crypto.randomUUID()}`;
    const first = await asking(path, { method: "POST", body: "{}" });
    await expectProblem(first.response, 404, "not_found");
    expect(first.asked).toContain("DB");
    const second = await asking(path, { method: "POST", body: "{}" });
    await expectProblem(second.response, 404, "not_found");
    expect(second.asked).toEqual([]);
    await expectProblem(await send(path, { method: "POST", body: {} }), 404, "not_found");
  });
});
