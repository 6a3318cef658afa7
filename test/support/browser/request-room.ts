import { onTestFinished } from "vitest";
import type { Client } from "../client.ts";
import { startServer } from "../server.ts";
import { githubRequest, Webhooks } from "../webhooks.ts";
import type { TestDashboard } from "./dashboard.ts";

/** The signing secret of its endpoint. */
const SECRET = "the secret that GitHub has";

/** A page on the web that is not answered until it is let. */
export interface Gate {
  url: string;
  open(): void;
}

/** Holds back whoever asks for a page with one heading, until it is opened or the test is over. */
export async function startGate(): Promise<Gate> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const server = await startServer(async (_, response) => {
    await opened;
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>It is open</h1>");
  });
  onTestFinished(server.close);
  return { url: `${server.origin}/gate`, open };
}

/** An account with an endpoint for GitHub whose workflow looks at the page of an issue. */
export interface RequestRoom {
  client: Client;
  webhooks: Webhooks;
  endpointId: string;
  /** The path of its log. */
  path: string;
  /** Sends an event about an issue with this page, signed as GitHub does. */
  send(page: string): Promise<Response>;
}

export async function newRequestRoom(dashboard: TestDashboard): Promise<RequestRoom> {
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
    path: `/dashboard/webhooks/${endpointId}/requests`,
    send: (page) => {
      const body = JSON.stringify({ action: "opened", issue: { number: 7, html_url: page } });
      return fetch(url, githubRequest(SECRET, body));
    },
  };
}
