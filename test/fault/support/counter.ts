import { readText, startServer } from "../../support/server.ts";

/** An order as it reached the counter. */
export interface Order {
  path: string;
  idempotencyKey: string;
}

/** A counter that takes orders and tells the moment at which each came, and was answered. */
export interface Counter {
  origin: string;
  /** Every order that came, in order. */
  orders: Order[];
  /** Whether orders are taken without being answered. */
  hold(yes: boolean): void;
  /** The next order that comes after this call. */
  nextOrder(): Promise<Order>;
  /** The next order whose answer has been handed to the network after this call. */
  nextAnswered(): Promise<Order>;
  close(): Promise<void>;
}

/** Starts a counter on loopback. */
export async function startCounter(): Promise<Counter> {
  const orders: Order[] = [];
  let holds = false;
  let came = Promise.withResolvers<Order>();
  let answered = Promise.withResolvers<Order>();
  const server = await startServer(async (request, response) => {
    await readText(request);
    const order = {
      path: request.url ?? "",
      idempotencyKey: String(request.headers["idempotency-key"] ?? ""),
    };
    orders.push(order);
    response.on("finish", () => {
      answered.resolve(order);
      answered = Promise.withResolvers();
    });
    if (!holds) response.writeHead(201, { "content-type": "application/json" }).end("{}");
    came.resolve(order);
    came = Promise.withResolvers();
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
