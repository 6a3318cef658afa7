import type { IncomingMessage, ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { executionResult } from "../../src/contract/execution.ts";
import { readText, startServer } from "./server.ts";

const callbackBody = executionResult.and(z.object({ type: z.string(), timestamp: z.string() }));
type CallbackBody = z.infer<typeof callbackBody>;

/** One request that reached the receiver. */
export interface Delivery {
  webhookId: string;
  /** 1 for the first request with this `webhookId`. */
  attempt: number;
  /** Epoch milliseconds. */
  at: number;
  path: string;
  headers: Record<string, string>;
  text: string;
  body: CallbackBody;
}

/** How to answer a delivery: a status, a status with headers, or never. */
type Answer = number | { status: number; headers: Record<string, string> } | "hang";

/** A receiver of callbacks on loopback. */
export interface Receiver {
  url: string;
  /** Everything that came, in order. */
  deliveries: Delivery[];
  /** Answers the deliveries that come from now on; 200 until it is called. */
  answerWith(choose: (delivery: Delivery) => Answer): void;
  /** The first delivery that matches, already here or still to come; rejects after `timeoutMs`. */
  received(matches: (delivery: Delivery) => boolean, timeoutMs?: number): Promise<Delivery>;
  close(): Promise<void>;
}

/** Starts a receiver. A request that is no well-formed callback is a failure of the test: it throws. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const waiting = new Set<(delivery: Delivery) => void>();
  let choose: (delivery: Delivery) => Answer = () => 200;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sender that was killed while it wrote has delivered nothing.
    const text = await readText(request).catch(() => null);
    if (text === null) return;
    const delivery = toDelivery(request, text, deliveries);
    deliveries.push(delivery);
    for (const tell of waiting) tell(delivery);
    answer(response, choose(delivery));
  }

  const server = await startServer((request, response) => void receive(request, response));
  return {
    url: `${server.origin}/callback`,
    deliveries,
    answerWith: (next) => {
      choose = next;
    },
    received: (matches, timeoutMs = 30_000) => {
      const known = deliveries.find(matches);
      if (known) return Promise.resolve(known);
      const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
      const tell = (delivery: Delivery) => matches(delivery) && resolve(delivery);
      const timer = setTimeout(() => reject(new Error("no such callback came")), timeoutMs);
      waiting.add(tell);
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(tell);
      });
    },
    close: server.close,
  };
}

/** Whether the stock verifier accepts the delivery under this secret. */
export function isSignedWith(secret: string, delivery: Delivery): boolean {
  const options = secret.startsWith("whsec_") ? {} : { format: "raw" as const };
  try {
    new Webhook(secret, options).verify(delivery.text, delivery.headers);
    return true;
  } catch {
    return false;
  }
}

function toDelivery(request: IncomingMessage, text: string, before: Delivery[]): Delivery {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const webhookId = headers["webhook-id"] ?? "";
  return {
    webhookId,
    attempt: before.filter((delivery) => delivery.webhookId === webhookId).length + 1,
    at: Date.now(),
    path: request.url ?? "",
    headers,
    text,
    body: callbackBody.parse(JSON.parse(text)),
  };
}

function answer(response: ServerResponse, choice: Answer): void {
  if (choice === "hang") return;
  const { status, headers } = typeof choice === "number" ? { status: choice, headers: {} } : choice;
  response.writeHead(status, headers).end();
}
