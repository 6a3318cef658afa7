import { afterEach, expect, it } from "vitest";
import { runProgram } from "../../support/cli/terminal.ts";
import { answer, type ScriptedService, startScript } from "../../support/scripted-service.ts";

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const member = {
  memberId: "mem_4kQ0mYb2Zt7RcX1a",
  email: "ada@example.com",
  name: null,
  role: "viewer",
  createdAt: "2026-11-20T09:30:00.000Z",
  lastSignInAt: null,
};

async function cli(argv: string[], body: unknown, status = 200) {
  service = await startScript(answer(body, status));
  return await runProgram(service.url, argv);
}

it("members list shows roles, and who never signed in", async () => {
  const { stdout } = await cli(["members", "list"], { members: [member], nextCursor: null });
  expect(stdout.split("\n")[1]).toMatch(/^mem_\w+ +viewer +never +ada@example\.com/);
});

it("members add prints the id of the member", async () => {
  const { stdout } = await cli(["members", "add", "ada@example.com", "viewer"], member, 201);
  expect(stdout).toBe("mem_4kQ0mYb2Zt7RcX1a\n");
});

it("members role names the roles that there are", async () => {
  const { stderr } = await cli(["members", "role", "mem_x", "king"], member);
  expect(stderr).toContain("Choose a role: viewer, operator, admin.");
});

it("audit shows who changed what", async () => {
  const entry = {
    entryId: "aud_1",
    at: "2026-11-20T09:40:00.000Z",
    by: { kind: "member", id: member.memberId, name: "Ada" },
    action: "workflow.updated",
    resource: { kind: "workflow", id: "wf_1", name: "Order check" },
    detail: { revision: 3 },
    requestId: "r",
  };
  const { stdout } = await cli(["audit"], { entries: [entry], nextCursor: null });
  expect(stdout.split("\n")[1]).toMatch(/workflow\.updated +Ada +wf_1 +Order check$/);
});
