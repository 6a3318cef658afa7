import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../../support/server.ts";

/** An order that reached the shop. */
export interface Order {
  /** Method and address, as the service names an effect's target. No two jobs share one. */
  target: string;
  idempotencyKey: string;
}

/** A web site whose pages take a moment, and which takes orders and remembers each of them. */
export interface Shop {
  origin: string;
  orders: Order[];
  close(): Promise<void>;
}

const PAGE_MS = 60;

/** Starts the shop: `GET /pages/<n>` is a page with a table and a link, `POST /orders/<name>` an order. */
export async function startShop(): Promise<Shop> {
  const orders: Order[] = [];
  const server = await startServer(async (request, response) => {
    const path = request.url ?? "/";
    await sleep(PAGE_MS);
    if (request.method === "POST") {
      orders.push({
        target: `POST http://${request.headers.host}${path}`,
        idempotencyKey: String(request.headers["idempotency-key"] ?? ""),
      });
      response.writeHead(201, { "content-type": "application/json" }).end('{"ok":true}');
      return;
    }
    response.writeHead(200, { "content-type": "text/html" }).end(page(path));
  });
  return { origin: server.origin, orders, close: server.close };
}

function page(path: string): string {
  return `<!doctype html><title>Page ${path}</title><h1>Stock</h1>
<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>4.50</td></tr><tr><td>Cup</td><td>7.25</td></tr></table>
<p><a href="/pages/next">Next page</a></p>`;
}
