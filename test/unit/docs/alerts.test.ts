import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join("src", file), "utf8"))
  .join("\n");
const alerts = readFileSync("docs/alerts.yaml", "utf8");
const events = [...alerts.matchAll(/event="([^"]+)"/g)].map(([, event = ""]) => event);

it.each([...new Set(events)])("an alert names the event %s as the service logs it", (event) => {
  expect(sources).toContain(`"${event}"`);
});
