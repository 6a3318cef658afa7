import { expect, it } from "vitest";
import { runAgainst } from "../../support/cli/terminal.ts";
import { answer } from "../../support/scripted-service.ts";

const ID = "dst_4kQ0mYb2Zt7RcX1a";
const cli = (argv: string[], body: unknown, status = 200) =>
  runAgainst([answer(body, status)], argv);

it("destinations add sends the target in the form of the format, and prints the id", async () => {
  const argv = ["destinations", "add", "email", "ada@acme.example", "--events", "credits.low"];
  const { stdout, asked } = await cli(argv, { destinationId: ID }, 201);
  expect(stdout).toBe(`${ID}\n`);
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
    format: "email",
    name: "ada@acme.example",
    email: "ada@acme.example",
    events: ["credits.low"],
  });
});

it("destinations add lists the formats", async () => {
  const { stderr } = await cli(["destinations", "add", "fax", "x"], {});
  expect(stderr).toContain("Choose a format: standard, slack, teams, email, cloudevents, otlp.");
});
