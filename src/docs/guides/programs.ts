/** A receiver of callbacks that checks their signature by the library of Standard Webhooks. */
export const RECEIVER = `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

// The callbackSecret of the trigger. One without whsec_ needs { format: "raw" } as well.
const webhook = new Webhook(process.env.CALLBACK_SECRET);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  try {
    const { type, presentedResult } = webhook.verify(body, request.headers);
    console.log(type, presentedResult.summary);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 3000);`;

/** The same with our own client, which knows the type of what it hands over. */
export const RECEIVER_WITH_CLIENT = `import { createServer } from "node:http";
import { verifyCallback } from "prompthook/client";

const secret = process.env.CALLBACK_SECRET;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  try {
    const callback = await verifyCallback({ secret, headers: request.headers, body });
    console.log(callback.type, callback.presentedResult.summary);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 3000);`;
