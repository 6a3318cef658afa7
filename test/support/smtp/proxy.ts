import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Where in the dialogue something goes wrong; END is the line of one dot. */
const STAGES = ["CONNECT", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "END"] as const;
export type Stage = (typeof STAGES)[number];

/**
 * What goes wrong there: nothing comes any more, the connection ends, this is answered in the server's
 * place, or (`lose`) the server does it and the client is cut off from its answer.
 */
export interface Fault {
  at: Stage;
  what: "hang" | "end" | "reset" | "lose" | { answer: string };
}

/** A proxy on loopback in front of an SMTP server, which lets one thing go wrong. */
export async function startProxy(serverPort: number, fault: Fault | null) {
  const sockets = new Set<Socket>();
  let written = "";
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  const proxy = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("close", () => {
      leave();
      server.destroy();
    });
    let deaf = false;
    let lose = false;
    let inData = false;

    /** Whether this stage goes as it should. */
    function passes(stage: Stage): boolean {
      if (fault?.at !== stage) return true;
      if (fault.what === "lose") {
        lose = true;
        return true;
      }
      if (typeof fault.what === "object") client.write(`${fault.what.answer}\r\n`);
      else deaf = true;
      if (fault.what === "end") client.end();
      if (fault.what === "reset") client.resetAndDestroy();
      return false;
    }

    server.on("data", (bytes) => {
      if (lose) client.destroy();
      else if (!deaf) client.write(bytes);
    });
    server.on("close", () => client.destroy());
    if (!passes("CONNECT")) server.pause();
    let rest = "";
    // As Latin-1 every byte stays what it is, encrypted ones too.
    client.setEncoding("latin1");
    client.on("data", (text) => {
      written += text;
      if (fault === null) {
        server.write(text, "latin1");
        return;
      }
      rest += text;
      for (let end = rest.indexOf("\r\n"); end !== -1; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const verb = line.split(" ", 1)[0]?.toUpperCase();
        const stage = inData
          ? line === "."
            ? "END"
            : undefined
          : STAGES.find((candidate) => candidate === verb);
        if (deaf || (stage !== undefined && !passes(stage))) continue;
        if (stage === "DATA") inData = true;
        if (stage === "END") inData = false;
        server.write(`${line}\r\n`, "latin1");
      }
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    port,
    left,
    written: () => written,
    close: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
