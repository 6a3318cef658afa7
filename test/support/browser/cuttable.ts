import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Passes bytes on to the service at `url`, both ways, until the test is over; `cut` breaks all connections. */
export async function startCuttable(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  onTestFinished(() => {
    server.close();
    cut();
  });
  return { origin: `http://${hostname}:${address.port}`, cut };
}
