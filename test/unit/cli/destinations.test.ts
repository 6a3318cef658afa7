import { afterEach, expect, it } from "vitest";
import { runProgram } from "../../support/cli/terminal.ts";
import { answer, type ScriptedService, startScript } from "../../support/scripted-service.ts";

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const ID = "dst_4kQ0mYb2Zt7RcX1a";
async function cli(argv: string[], body: unknown, status = 200) {
  service = await startScript(answer(body, status));
  return await runProgram(service.url, argv);
}

it("destinations add sends the target as the format needs it, and prints the id", async () => {
  const argv = ["destinations", "add", "email", "ada@acme.example", "--events", "credits.low"];
  const { stdout } = await cli(argv, { destinationId: ID }, 201);
  expect(stdout).toBe(`${ID}\n`);
  const [sent] = service?.asked ?? [];
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    format: "email",
    name: "ada@acme.example",
    email: "ada@acme.example",
    events: ["credits.low"],
  });
});

it("destinations add names the formats that there are", async () => {
  const { stderr } = await cli(["destinations", "add", "fax", "x"], {});
  expect(stderr).toContain("Choose a format: standard, slack, teams, email, cloudevents, otlp.");
});
