import { randomUUID } from "node:crypto";
import { sign } from "@octokit/webhooks-methods";

/** A delivery of GitHub: by default a new one, signed with the endpoint's secret. */
interface Delivery {
  url: string;
  secret: string;
  /** The value of `X-GitHub-Event`. */
  event: string;
  body: string;
  delivery?: string;
  /** The body that is signed, where it is not the one that is sent. */
  signed?: string;
}

/** Sends an event as GitHub does, signed by its own code, and tells the answer. */
export async function deliver({ url, secret, event, body, delivery, signed = body }: Delivery) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-GitHub-Event": event,
      "X-GitHub-Delivery": delivery ?? randomUUID(),
      "X-Hub-Signature-256": await sign(secret, signed),
    },
    body,
  });
  const text = await response.text();
  console.log(`  POST /hooks/...  ${response.status}  ${text}`);
  return { status: response.status, body: JSON.parse(text) };
}
