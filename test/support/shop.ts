import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "./server.ts";

/** An order that reached the shop. */
interface ShopOrder {
  /** Method and address, as the service names an effect's target. No two jobs share one. */
  target: string;
  idempotencyKey: string;
}

/** A web site whose pages take a moment, and which takes orders and remembers each of them. */
export interface Shop {
  origin: string;
  orders: ShopOrder[];
  /** Whether orders are taken without being answered. */
  hold(yes: boolean): void;
  /** The next order that comes after this call. */
  nextOrder(): Promise<ShopOrder>;
  /** The next order whose answer has been handed to the network after this call. */
  nextAnswered(): Promise<ShopOrder>;
  close(): Promise<void>;
}

const PAGE_MS = 60;

/** Starts the shop: `GET /pages/<n>` is a page with a table and a link, `POST /orders/<name>` an order. */
export async function startShop(): Promise<Shop> {
  const orders: ShopOrder[] = [];
  let holds = false;
  let came = Promise.withResolvers<ShopOrder>();
  let answered = Promise.withResolvers<ShopOrder>();

  function take(order: ShopOrder, response: ServerResponse): void {
    orders.push(order);
    response.on("finish", () => {
      answered.resolve(order);
      answered = Promise.withResolvers();
    });
    if (!holds) response.writeHead(201, { "content-type": "application/json" }).end('{"ok":true}');
    came.resolve(order);
    came = Promise.withResolvers();
  }

  const server = await startServer(async (request, response) => {
    const path = request.url ?? "/";
    await sleep(PAGE_MS);
    if (request.method !== "POST") {
      response.writeHead(200, { "content-type": "text/html" }).end(page(path));
      return;
    }
    const idempotencyKey = String(request.headers["idempotency-key"] ?? "");
    take({ target: `POST http://${request.headers.host}${path}`, idempotencyKey }, response);
  });
  return {
    origin: server.origin,
    orders,
    hold: (yes) => {
      holds = yes;
    },
    nextOrder: () => came.promise,
    nextAnswered: () => answered.promise,
    close: server.close,
  };
}

function page(path: string): string {
  return `<!doctype html><title>Page ${path}</title><h1>Stock</h1>
<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>4.50</td></tr><tr><td>Cup</td><td>7.25</td></tr></table>
<p><a href="/about">About the shop</a></p>`;
}

/** A resolver of names that hears every question and answers none. */
export async function startMuteResolver() {
  let asked = Promise.withResolvers<void>();
  const server = await startServer(() => {
    asked.resolve();
    asked = Promise.withResolvers();
  });
  return {
    url: `${server.origin}/dns-query`,
    /** The next question that comes after this call. */
    nextQuestion: () => asked.promise,
    close: server.close,
  };
}
