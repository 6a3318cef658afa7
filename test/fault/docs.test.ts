import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createAccount } from "../support/client.ts";
import { json, readSnippets, runInShell, startReceiver } from "../support/docs-page.ts";
import { startTestService, type TestService } from "../support/service.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService();
  client = await createAccount(service);
});
afterAll(() => service.close());

/** A shell in which the reader has exported the address and the key, and set what a guide says. */
function openShell() {
  const variables: Record<string, string> = {
    PROMPTHOOK_URL: service.url,
    PROMPTHOOK_API_KEY: client.apiKey,
  };
  return {
    text: (command = "") => runInShell(command, variables),
    run: async (command = "") => json.parse(JSON.parse(await runInShell(command, variables))),
    keep: (name: string, value: unknown) => {
      variables[name] = String(value);
    },
  };
}

describe("the commands of the guides, run by a shell in their order", () => {
  it("lead from a key to a result", async () => {
    const shell = openShell();
    const [, start, , wait, follow, result] = await readSnippets("quickstart", "sh");
    const { executionId, status } = await shell.run(start);
    expect(status).toBe("active");
    shell.keep("EXECUTION_ID", executionId);
    expect(await shell.run(wait)).toMatchObject({ executionId });
    await client.ended(String(executionId));
    expect(await shell.text(follow)).toContain("event: status");
    const ended = await shell.run(result);
    expect(ended).toMatchObject({ status: "completed" });
    expect(ended).toHaveProperty("presentedResult.summary", expect.stringContaining("Cedar"));
  });

  it("lead from a workflow to a webhook in the log", async () => {
    const shell = openShell();
    const [workflow, , endpoint, , event, log] = await readSnippets("webhooks", "sh");
    const { workflowId } = await shell.run(workflow);
    shell.keep("WORKFLOW_ID", workflowId);
    const { endpointId, secrets } = await shell.run(endpoint);
    shell.keep("ENDPOINT_ID", endpointId);
    shell.keep("WEBHOOK_TOKEN", json.parse(secrets).token);
    const { requestId, status } = await shell.run(event);
    expect(status).toBe("accepted");
    expect(await shell.run(log)).toMatchObject({
      requests: [{ requestId, mappedInputs: { page: "https://example.com" } }],
    });
    expect(await shell.run(event)).toMatchObject({ status: "duplicate" });
  });
});

describe.each([
  ["with the standardwebhooks library", 0],
  ["with the Prompthook client", 1],
])("the receiver %s", (_, at) => {
  it("takes a callback that we sent, and no other", async () => {
    const program = (await readSnippets("callbacks", "js"))[at] ?? "";
    const receiver = await startReceiver(program, SECRET);
    try {
      const line = receiver.line();
      const callback = { callbackUrl: receiver.url, callbackSecret: SECRET };
      const executionId = await client.trigger({ prompt: "Run ```return 12 * 7;```", ...callback });
      expect(await line).toMatch(/^execution\.completed .*84/);
      await expect.poll(async () => (await client.callbacks(executionId)).state).toBe("delivered");
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
      };
      const forged = await fetch(receiver.url, { method: "POST", headers, body: "{}" });
      expect(forged.status).toBe(401);
    } finally {
      await receiver.close();
    }
  });
});
