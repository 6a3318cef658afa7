import { connect } from "node:net";
import { beforeAll, expect, inject, it } from "vitest";
import { createAccount } from "../support/client.ts";
import { Webhooks } from "../support/webhooks.ts";

let hook: URL;
beforeAll(async () => {
  const service = inject("service");
  const { apiKey } = await createAccount(service);
  hook = new URL((await new Webhooks(service, apiKey).endpoint({ name: "hook" })).url);
});

it.each([
  "zz\r\n{}\r\n0\r\n\r\n",
  "\r\n\r\n",
  "-1\r\n{}\r\n0\r\n\r\n",
  ";;\r\n\r\n",
  "2\r\n{}\r\nzz\r\n",
])("a webhook of malformed chunks is refused, never accepted as empty: %j", async (chunks) => {
  expect(await statusOf(chunks)).toBe(400);
});

it("a webhook of well-formed chunks is accepted", async () => {
  expect(await statusOf("2\r\n{}\r\n0\r\n\r\n")).toBe(202);
});

/** Sends these bytes as a chunked body. */
function statusOf(chunks: string): Promise<number> {
  const head = [
    `POST ${hook.pathname} HTTP/1.1`,
    `Host: ${hook.host}`,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
    "Connection: close",
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(hook.port), hook.hostname, () =>
      socket.write(`${head.join("\r\n")}\r\n\r\n${chunks}`),
    );
    socket.once("data", (data) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(data))?.[1]));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}
