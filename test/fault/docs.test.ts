import { beforeAll, describe, expect, inject, it, test } from "vitest";
import { type Client, createAccount } from "../support/client.ts";
import { json, readSnippets, runInShell, runProgram, startReceiver } from "../support/docs-page.ts";
import { hasPython } from "../support/python-version.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const service = inject("service");
let client: Client;
beforeAll(async () => {
  client = await createAccount(service);
});

/** The languages of the guides' programs that can run on this machine. */
const LANGUAGES: ("ts" | "python")[] = hasPython ? ["ts", "python"] : ["ts"];

/** A shell in which the reader has exported the address and the key, and set what a guide says. */
function openShell() {
  const variables: Record<string, string> = {
    PROMPTHOOK_URL: service.url,
    PROMPTHOOK_API_KEY: client.apiKey,
  };
  return {
    variables,
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
    for (const language of LANGUAGES) {
      const printed = await runProgram("quickstart", language, shell.variables);
      expect(printed).toMatch(/^completed\n/);
      expect(printed).toContain("Cedar");
    }
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

it("the error that the guide errors shows is the one that the service answers", async () => {
  const [shown = ""] = await readSnippets("errors", "json");
  const response = await fetch(`${service.url}/api/v1/agent/trigger`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ prompt: "" }),
  });
  const requestId = response.headers.get("X-Request-Id");
  expect(await response.json()).toEqual({ ...json.parse(JSON.parse(shown)), requestId });
});

/** The guides whose calls a shell can make one after the other. */
const IN_A_SHELL = [
  "own-sender",
  "routes",
  "schedules",
  "decisions",
  "again",
  "models",
  "credits",
  "alerts",
];

/** A line of a command such as `WORKFLOW_ID=wf_...`. */
const COPIED_ID = /^([A-Z]+_ID)=\w+_\.\.\.$/gm;

test.each(IN_A_SHELL)("the calls in the guide %s work in a shell", async (name) => {
  const shell = openShell();
  let previous = "";
  for (const command of await readSnippets(name, "sh")) {
    // The reader copies an id of the last response, which the guide cannot know.
    for (const [, variable = ""] of command.matchAll(COPIED_ID)) {
      const id = new RegExp(`"${variable.toLowerCase().replace("_id", "Id")}":"([^"]+)"`);
      let found: string | undefined;
      // What an execution asks for is there a moment later.
      while (found === undefined) found = id.exec(await shell.text(previous))?.[1];
      shell.keep(variable, found);
    }
    previous = command.replace(COPIED_ID, "");
    expect(await shell.text(previous)).not.toContain("#problem-");
  }
});

describe.each(LANGUAGES)("the program in %s", (language) => {
  it.concurrent.each(["webhooks", ...IN_A_SHELL])(
    "prints the output shown in the guide %s",
    async (name) => {
      const { apiKey } = await createAccount(service);
      const [printed] = await readSnippets(name, "text");
      const variables = { PROMPTHOOK_URL: service.url, PROMPTHOOK_API_KEY: apiKey };
      expect(await runProgram(name, language, variables)).toBe(printed);
    },
  );
});

test("the program of the guide mcp prints the output shown in the guide", async () => {
  const [printed] = await readSnippets("mcp", "text");
  expect(await runProgram("mcp", "ts", openShell().variables)).toBe(printed);
});

describe.each([
  ["with the standardwebhooks library", 0],
  ["with the Prompthook client", 1],
])("the receiver %s", (_, at) => {
  it("accepts only callbacks of the service", async () => {
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
