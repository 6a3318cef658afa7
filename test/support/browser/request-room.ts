import { onTestFinished } from "vitest";
import { startServer } from "../server.ts";
import { githubRequest, Webhooks } from "../webhooks.ts";
import type { TestDashboard } from "./dashboard.ts";

/** The signing secret of its endpoint. */
const SECRET = "the secret that GitHub has";

/** Holds back whoever asks for a page with one heading, until it is opened or the test is over. */
export async function startGate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const server = await startServer(async (_, response) => {
    await opened;
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>It is open</h1>");
  });
  onTestFinished(server.close);
  return { url: `${server.origin}/gate`, open };
}

/** An account with an endpoint for GitHub whose workflow looks at the page of an issue. */
export async function newRequestRoom(dashboard: TestDashboard) {
  const client = await dashboard.account();
  const webhooks = new Webhooks(dashboard, client.apiKey);
  const workflowId = await webhooks.workflow({
    name: "look",
    prompt: "List headings of {{page}}.",
    inputs: [{ name: "page", required: true }],
  });
  const { endpointId, url } = await webhooks.endpoint({
    name: "GitHub issues",
    workflowId,
    auth: { hmac: { preset: "github", secret: SECRET } },
    mapping: { fields: [{ to: "page", from: "issue.html_url" }] },
  });
  return {
    client,
    webhooks,
    endpointId,
    /** The path of its log. */
    path: `/dashboard/webhooks/${endpointId}/requests`,
    /** Sends an event about an issue with this page, signed as GitHub does. */
    send: (page: string) => {
      const body = JSON.stringify({ action: "opened", issue: { number: 7, html_url: page } });
      return fetch(url, githubRequest(SECRET, body));
    },
  };
}
