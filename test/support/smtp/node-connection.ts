import { connect as open, type Socket } from "node:net";
import { connect as openTls } from "node:tls";
import type { Connect, Connection } from "../../../src/outbound/email/smtp/server.ts";

/** Connects by Node's sockets, and takes any certificate. */
export const connectNode: Connect = ({ host, port, tls }) =>
  connectionOf(
    tls === "implicit" ? openTls({ host, port, rejectUnauthorized: false }) : open({ host, port }),
  );

function connectionOf(socket: Socket): Connection {
  const chunks: Uint8Array[] = [];
  let ended = false;
  let wake = () => {};
  const take = (chunk: Uint8Array) => {
    chunks.push(chunk);
    wake();
  };
  const end = () => {
    ended = true;
    wake();
  };
  socket.on("data", take);
  // An error is followed by the end.
  socket.on("error", () => {});
  socket.on("end", end);
  socket.on("close", end);
  return {
    read: async () => {
      while (chunks.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return chunks.shift() ?? null;
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    startTls: () => {
      socket.off("data", take);
      return connectionOf(openTls({ socket, rejectUnauthorized: false }));
    },
    close: () => socket.destroy(),
  };
}
