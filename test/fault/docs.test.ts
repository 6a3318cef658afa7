import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createAccount } from "../support/client.ts";
import { json, readSnippets, runInShell, startReceiver } from "../support/docs-page.ts";
import { startTestService, type TestService } from "../support/service.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let service: TestService;
let client: Client;
let snippets: Map<string, string>;
beforeAll(async () => {
  service = await startTestService();
  client = await createAccount(service);
  snippets = await readSnippets(service.url);
});
afterAll(() => service.close());

function snippet(id: string): string {
  const text = snippets.get(id);
  if (text === undefined) throw new Error(`the reference has no ${id}`);
  return text;
}

/** A shell in which the reader has set the key, and what the guides say to keep. */
function openShell() {
  const variables: Record<string, string> = { PROMPTHOOK_API_KEY: client.apiKey };
  const text = (id: string) => runInShell(snippet(id), variables);
  return {
    text,
    run: async (id: string) => json.parse(JSON.parse(await text(id))),
    keep: (name: string, value: unknown) => {
      variables[name] = String(value);
    },
  };
}

describe("the commands that the reference shows, run by curl", () => {
  it("lead from a key to a result", async () => {
    const shell = openShell();
    const { executionId, status } = await shell.run("guide-trigger");
    expect(status).toBe("active");
    shell.keep("EXECUTION_ID", executionId);
    expect(await shell.run("guide-status")).toMatchObject({ executionId });
    await client.ended(String(executionId));
    const result = await shell.run("guide-result");
    expect(result).toMatchObject({ status: "completed" });
    expect(result).toHaveProperty("presentedResult.summary", expect.stringContaining("Cedar"));
    expect(await shell.text("curl-readExecutionEvents")).toContain("event: status");
  });

  it("lead from a workflow to a webhook in the log", async () => {
    const shell = openShell();
    const { workflowId } = await shell.run("guide-workflow");
    shell.keep("WORKFLOW_ID", workflowId);
    const { endpointId, secrets } = await shell.run("guide-endpoint");
    shell.keep("ENDPOINT_ID", endpointId);
    shell.keep("WEBHOOK_TOKEN", json.parse(secrets).token);
    const { requestId, status } = await shell.run("guide-event");
    expect(status).toBe("accepted");
    expect(await shell.run("guide-log")).toMatchObject({
      requests: [{ requestId, mappedInputs: { page: "https://example.com" } }],
    });
    expect(await shell.run("guide-event")).toMatchObject({ status: "duplicate" });
  });

  it("work beside the operations as well", async () => {
    const shell = openShell();
    shell.keep("WORKFLOW_ID", (await shell.run("curl-createWorkflow")).workflowId);
    const { endpointId, secrets } = await shell.run("curl-createEndpoint");
    shell.keep("ENDPOINT_ID", endpointId);
    shell.keep("WEBHOOK_TOKEN", json.parse(secrets).token);
    expect(await shell.run("curl-receiveWebhook")).toMatchObject({ status: "accepted" });
    expect(await shell.run("curl-testEndpoint")).toMatchObject({ accepted: true });
    expect(await shell.run("curl-updateEndpoint")).toMatchObject({ requestsPerMinute: 600 });
    expect(await shell.run("curl-runWorkflow")).toMatchObject({ status: "active" });
    expect(await shell.run("curl-triggerExecution")).toMatchObject({ status: "active" });
    // That one ends by itself; this one waits for somebody.
    const prompt = 'Ask "Which page?", then list headings of {{answer}}';
    shell.keep("EXECUTION_ID", await client.trigger({ prompt, interactive: true }));
    expect(await shell.run("curl-stopExecution")).toMatchObject({ status: "stopped" });
    expect(await shell.run("curl-getCredits")).toHaveProperty("availableCredits");
    shell.keep("KEY_ID", (await shell.run("curl-createKey")).keyId);
    expect(await shell.text("curl-revokeKey")).toBe("");
  });
});

describe.each(["guide-receiver", "guide-receiver-client"])("the program %s", (id) => {
  it("takes a callback that we sent, and no other", async () => {
    const receiver = await startReceiver(snippet(id), SECRET);
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
