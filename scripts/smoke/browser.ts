import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import * as z from "zod";
import { isLoopbackHost } from "../../src/lib/http.ts";
import { LOOPBACK } from "../local/ports.ts";
import { UserError } from "../local/project.ts";
import type { SignedIn } from "./account.ts";
import { FORBIDDEN, MODEL, PATIENCE_MS } from "./executions.ts";
import type { Target } from "./options.ts";
import { Skip } from "./report.ts";

const headings = z.array(z.unknown()).catch([]);

/**
 * Checks that a browser runs a page's script, and that the script reaches its own site but not the cloud's
 * metadata service. The page is served here, so it needs an address that leads here.
 */
export async function browserIsGuarded(
  { url, callback }: Target,
  { client }: SignedIn,
): Promise<{ detail: string }> {
  const isNear = isLoopbackHost(new URL(url).hostname);
  if (callback?.port === null || (callback === null && !isNear)) {
    throw new Skip("needs a page that the service can open: --callback-url and --callback-port");
  }
  const word = randomBytes(6).toString("hex");
  const server = createServer((request, response) => {
    const isWord = request.url?.endsWith(`/${word}`) === true;
    response.setHeader("Content-Type", isWord ? "text/plain" : "text/html");
    response.end(isWord ? word : pageOf(word));
  });
  const port = await listen(server, callback?.port ?? 0);
  try {
    const page = `${callback?.url ?? `http://${LOOPBACK}:${port}`}`.replace(/\/?$/, "/page");
    return { detail: await visited(client, page, word) };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** A page that says nothing until its script has tried both addresses. */
function pageOf(word: string): string {
  return `<!doctype html><title>Smoke check</title><body><div id="root"></div><script>
const settle = (promise) => promise.then((text) => text, () => "nothing");
Promise.all([
  settle(fetch("${word}").then((response) => response.text())),
  settle(fetch("${FORBIDDEN}", { mode: "no-cors" }).then(() => "an answer")),
]).then(([own, forbidden]) => {
  document.getElementById("root").innerHTML = "<h1>" + own + " and " + forbidden + "</h1>";
});
</script>`;
}

async function visited(client: SignedIn["client"], page: string, word: string): Promise<string> {
  const { executionId } = await client.executions.trigger({
    prompt: `List headings from ${page}`,
    model: MODEL,
    maxCredits: 10,
  });
  const { presentedResult } = await client.executions.wait(executionId, { timeoutMs: PATIENCE_MS });
  const [heading] = headings.parse(presentedResult.data);
  if (heading === undefined) throw new Skip("no browser ran the page's script; none may be bound");
  if (heading === `${word} and nothing`) {
    return `a page's script reached its own site, and not ${new URL(FORBIDDEN).host}`;
  }
  throw new Error(`a page's script should get "${word} and nothing" but got "${heading}"`);
}

async function listen(server: Server, wanted: number): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once("error", () => fail(new UserError(`Port ${wanted} is in use. Choose another.`)));
    server.listen(wanted, LOOPBACK, done);
  });
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
