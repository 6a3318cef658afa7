import { createServer } from "node:net";
import { LOOPBACK } from "../../scripts/local/ports.ts";

/**
 * Below the ports that systems give to connections and to servers that ask for any: one of those may be
 * taken by another program before a service listens on it, or while a killed one starts again.
 */
const FIRST = 20_000;
const BLOCKS = 120;
const BLOCK = 100;
let next = 0;

/** Returns a free port that no other process of the tests chooses, as each has a block of its own. */
export async function choosePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (process.pid % BLOCKS) * BLOCK + (next % BLOCK);
    next += 1;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once("error", () => resolve(false));
  server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  return promise;
}
