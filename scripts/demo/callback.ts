import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { LOOPBACK } from "../local/ports.ts";
import { UserError } from "../local/project.ts";

const PATIENCE_MS = 20_000;

/** A listener for one callback. */
export interface CallbackListener {
  url: string;
  /** Returns the callback's body once its signature is verified. Throws `UserError` otherwise. */
  received(): Promise<unknown>;
  close(): void;
}

/**
 * Listens for a callback signed with `secret`, on any free port for 0, and verifies it as any receiver
 * can. Throws `UserError` when the port is in use.
 */
export async function listenForCallback(secret: string, wanted = 0): Promise<CallbackListener> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // A callback may be rejected before anything waits for it.
  promise.catch(() => undefined);
  const server = createServer(async (request, response) => {
    try {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      resolve(new Webhook(secret).verify(await text(request), headers));
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(400).end();
      reject(new UserError(`The callback's signature is wrong: ${error}`));
    }
  });
  await new Promise<void>((done, fail) => {
    server.once("error", () => fail(new UserError(`Port ${wanted} is in use. Choose another.`)));
    server.listen(wanted, LOOPBACK, done);
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://${LOOPBACK}:${port}/callback`,
    received: () => Promise.race([promise, nothingCame()]),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function nothingCame(): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  throw new UserError(`No callback arrived within ${PATIENCE_MS / 1_000} seconds.`);
}
