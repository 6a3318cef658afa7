import { connect as open } from "cloudflare:sockets";
import type { Connect, Connection } from "./server.ts";

const SECURE_TRANSPORT = { implicit: "on", starttls: "starttls", none: "off" } as const;

/** Connects through the platform's TCP sockets, which check the server's certificate. */
export const connectSocket: Connect = ({ host, port, tls }) => {
  const secureTransport = SECURE_TRANSPORT[tls];
  return connectionOf(open({ hostname: host, port }, { secureTransport, allowHalfOpen: false }));
};

function connectionOf(socket: Socket): Connection {
  const reader: ReadableStreamDefaultReader<Uint8Array> = socket.readable.getReader();
  const writer: WritableStreamDefaultWriter<Uint8Array> = socket.writable.getWriter();
  const ignore = () => {};
  // Reads and writes report a broken connection; these promises only repeat it.
  socket.opened.catch(ignore);
  socket.closed.catch(ignore);
  reader.closed.catch(ignore);
  writer.closed.catch(ignore);
  let writing = 0;
  return {
    read: async () => {
      const { done, value } = await reader.read();
      return done ? null : value;
    },
    write: async (bytes) => {
      writing += 1;
      try {
        await writer.write(bytes);
      } finally {
        writing -= 1;
      }
    },
    startTls: () => {
      reader.releaseLock();
      writer.releaseLock();
      return connectionOf(socket.startTls());
    },
    close: () => {
      // Closing waits for pending writes, which a server that hangs never takes. Aborting an idle
      // writer would keep the runtime from closing the connection.
      if (writing > 0) writer.abort().catch(ignore);
      socket.close().catch(ignore);
    },
  };
}
