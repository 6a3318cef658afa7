import { createServer } from "node:net";
import { Trouble } from "./trouble.ts";

/** The address that everything local listens on. */
export const LOOPBACK = "127.0.0.1";

/** Makes sure that `port` can be listened on; 0 asks for any free one. Throws `Trouble` when it is taken. */
export async function claimPort(port: number): Promise<number> {
  const server = createServer();
  const bound = new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
  try {
    return await bound;
  } catch (error) {
    if (!isAddressInUse(error)) throw error;
    throw new Trouble(
      `Port ${port} is taken; end what listens there, or choose another with PORT.`,
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
