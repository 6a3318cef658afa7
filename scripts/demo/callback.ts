import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { LOOPBACK } from "../local/ports.ts";
import { UserError } from "../local/project.ts";

const PATIENCE_MS = 20_000;

/** Where one callback is waited for. */
export interface CallbackListener {
  url: string;
  /** The callback's body, once it has come and its signature is verified. Throws `UserError` otherwise. */
  received(): Promise<unknown>;
  close(): void;
}

/**
 * Listens for a callback signed with `secret`, on any free port where none is wanted, and verifies it
 * as any receiver can. Throws `UserError` where the wanted port is taken.
 */
export async function listenForCallback(secret: string, wanted = 0): Promise<CallbackListener> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // A callback that is refused before anybody waits for it is no unhandled failure.
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
    server.once("error", () => fail(new UserError(`Port ${wanted} is taken; choose another.`)));
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
  throw new UserError(`No callback came within ${PATIENCE_MS / 1_000} seconds.`);
}
