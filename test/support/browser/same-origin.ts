import { request as ask } from "node:http";
import { startServer, type TestServer } from "../server.ts";

/**
 * A web site that has these files and passes what is under `/api` on to a service, as the site of
 * somebody does whose pages ask a service: browsers let a page ask its own origin only.
 */
export function startSiteBefore(
  service: string,
  files: Record<string, { type: string; body: string }>,
): Promise<TestServer> {
  const { hostname, port } = new URL(service);
  return startServer((request, response) => {
    const { method, url = "/", headers } = request;
    const file = files[url];
    if (file !== undefined) {
      response.writeHead(200, { "Content-Type": file.type }).end(file.body);
      return;
    }
    if (!url.startsWith("/api/")) {
      response.writeHead(204).end();
      return;
    }
    const asked = ask({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.on("close", () => asked.destroy());
    asked.on("error", () => response.destroy());
    request.pipe(asked);
  });
}
