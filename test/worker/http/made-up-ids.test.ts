import { describe, expect, it } from "vitest";
import {
  AGENT,
  callsOf,
  env,
  expectProblem,
  newAccount,
  newKey,
  type Send,
} from "../../support/worker/client.ts";
import { sendWith } from "../../support/worker/other-service.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

/** Sends a request to a service that notes which objects and databases it asks. */
async function asking(path: string, request: Send) {
  const asked = new Set<string>();
  const noting = <T extends object>(name: string, binding: T): T =>
    new Proxy(binding, {
      get(target, property) {
        asked.add(name);
        const value: unknown = Reflect.get(target, property);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const watched = {
    DB: noting("DB", env.DB),
    ACCOUNT: noting("ACCOUNT", env.ACCOUNT),
    INBOX: noting("INBOX", env.INBOX),
  };
  return { response: await sendWith(watched, path, request), asked: [...asked] };
}

const credits = (token: string) => asking(`${AGENT}/credits`, { token });
const hook = (address: string) => asking(`/hooks/${address}`, { method: "POST", body: "{}" });

/** The text with another last digit. */
const altered = (text: string) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");

describe("an invalid id reaches no object and no database:", () => {
  it("an API key, even one that was just refused", async () => {
    const { apiKey } = await newAccount();
    const made = await credits(altered(apiKey));
    await expectProblem(made.response, 401, "unauthorized");
    expect(made.asked).toEqual([]);
    const issued = await credits(apiKey);
    expect(issued.response.status).toBe(200);
    expect(issued.asked).toContain("ACCOUNT");

    const gone = await newKey(apiKey, { name: "gone" });
    await callsOf(apiKey).remove(`/api/v1/keys/${gone.keyId}`);
    const first = await credits(gone.apiKey);
    const { detail } = await expectProblem(first.response, 401, "unauthorized");
    const second = await credits(gone.apiKey);
    expect(await expectProblem(second.response, 401, "unauthorized")).toMatchObject({ detail });
    expect(second.asked).toEqual([]);
  });

  it("an endpoint by its URL, and in the API, which checks only the caller", async () => {
    const { endpointId, apiKey: token } = await newEndpoint();
    for (const id of [altered(endpointId), `ep_${"0".repeat(40)}`]) {
      const made = await hook(id);
      await expectProblem(made.response, 404, "not_found");
      expect(made.asked).toEqual([]);
    }
    const made = await asking(`/api/v1/webhooks/${altered(endpointId)}`, { token });
    await expectProblem(made.response, 404, "not_found");
    expect(made.asked).toEqual(["ACCOUNT"]);
  });
});

it("an unknown custom path is looked up once within the cache time", async () => {
  const path = `nobody/${crypto.randomUUID()}`;
  const [first, second] = [await hook(path), await hook(path)];
  expect(first.asked).toContain("DB");
  expect(second.asked).toEqual([]);
  for (const { response } of [first, second]) await expectProblem(response, 404, "not_found");
});
