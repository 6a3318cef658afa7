import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readText, startServer } from "../../support/server.ts";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join("src", file), "utf8"))
  .join("\n");
const alerts = readFileSync("docs/alerts.yaml", "utf8");
const events = [...alerts.matchAll(/event="([^"]+)"/g)].map(([, event = ""]) => event);

it.each([...new Set(events)])("an alert names the event %s as the service logs it", (event) => {
  expect(sources).toContain(`"${event}"`);
});

it("the documented command sends the alerts to Loki's ruler, and fails if they are refused", async () => {
  const [, command = ""] =
    /```sh\n(curl [^`]+)```/.exec(readFileSync("docs/operating.md", "utf8")) ?? [];
  const seen: unknown[] = [];
  const ruler = await startServer(async (request, response) => {
    const { method, url, headers } = request;
    const { "content-type": type, "x-scope-orgid": tenant } = headers;
    seen.push({ method, url, type, tenant, body: await readText(request) });
    response.writeHead(tenant === "acme" ? 202 : 401).end();
  });
  const apply = (tenant: string) =>
    promisify(execFile)("bash", ["-c", command], {
      env: { ...process.env, LOKI_URL: ruler.origin, LOKI_TENANT: tenant },
    });
  try {
    await apply("acme");
    expect(seen).toEqual([
      {
        method: "POST",
        url: "/loki/api/v1/rules/prompthook",
        type: "application/yaml",
        tenant: "acme",
        body: alerts,
      },
    ]);
    await expect(apply("nobody")).rejects.toThrow();
  } finally {
    await ruler.close();
  }
});
