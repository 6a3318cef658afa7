import { afterEach, expect, it } from "vitest";
import { runProgram } from "../../support/cli/terminal.ts";
import { answer, type ScriptedService, startScript } from "../../support/scripted-service.ts";

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const AT = "2026-11-20T09:30:00.000Z";
const ID = "dst_4kQ0mYb2Zt7RcX1a";
const delivery = {
  deliveryId: "del_019a8b2c6f00_1",
  type: "ping",
  at: AT,
  state: "failed",
  attempts: [
    {
      attempt: 1,
      event: "ping",
      webhookId: "msg_1",
      at: AT,
      url: "https://a.example/",
      status: 500,
      durationMs: 3,
      error: "It answered 500.",
    },
  ],
};

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

it("destinations deliveries shows what the receiver answered", async () => {
  const page = { deliveries: [delivery], nextCursor: null };
  const { stdout } = await cli(["destinations", "deliveries", ID], page);
  expect(stdout.split("\n")[1]).toMatch(/^del_\w+ +ping +failed +1 +It answered 500\.$/);
});
