import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { InputType, WorkflowRecord } from "../../../src/contract/workflow.ts";
import { runAgainst } from "../../support/cli/terminal.ts";
import { type Act, answer } from "../../support/scripted-service.ts";
import { EXECUTION_ID } from "../../support/states.ts";

const ACCEPTED = answer({ executionId: EXECUTION_ID, status: "active", availableCredits: 9 }, 202);
const ID = "wf_4kQ0mYb2Zt7RcX1a9dLw";

const input = (name: string, type: InputType, required = true) => ({
  name,
  type,
  required,
  default: null,
  description: "",
});

const workflow = (change: Partial<WorkflowRecord> = {}): WorkflowRecord => ({
  workflowId: ID,
  name: "Look at an order",
  prompt: "Look at {{order}}.",
  inputs: [input("order", "string"), input("lines", "array"), input("total", "number", false)],
  revision: 1,
  externalId: null,
  managedBy: null,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
  ...change,
});

const pageOf = (...workflows: WorkflowRecord[]) => answer({ workflows, nextCursor: null });

/** Runs a command line against a service that answers so, one after the other. */
async function cli(argv: string[], acts: Act[], stdin = "") {
  const { asked, ...told } = await runAgainst(acts, argv, { input: stdin });
  const sent = asked.map(({ method, path, body }) => ({
    path: `${method} ${path}`,
    ...(body !== "" && { body: JSON.parse(body) }),
  }));
  return { ...told, asked: sent };
}

describe("run", () => {
  it("starts a workflow by its id without reading it, and prints how to follow the execution", async () => {
    const { exit, stdout, stderr, asked } = await cli(["run", ID], [ACCEPTED]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `${EXECUTION_ID}\n` });
    expect(stderr).toContain(`prompthook watch ${EXECUTION_ID}`);
    expect(asked).toEqual([{ path: `POST /api/v1/workflows/${ID}/run`, body: { inputs: {} } }]);
  });

  it("sends the named files", async () => {
    const file = "docs/dashboard.png";
    const { asked } = await cli(["run", ID, "--file", file, "--file", "LICENSE"], [ACCEPTED]);
    const data = (name: string) => readFileSync(name).toString("base64");
    expect(asked[0]?.body.files).toEqual([
      { name: "dashboard.png", mediaType: "image/png", data: data(file) },
      { name: "LICENSE", mediaType: "text/plain", data: data("LICENSE") },
    ]);
  });

  it("finds a workflow by its name", async () => {
    const other = workflow({ workflowId: "wf_00000000000000000000", name: "Another" });
    const acts = [pageOf(other, workflow()), ACCEPTED];
    const { exit, asked } = await cli(["run", "Look at an order"], acts);
    expect(exit).toBe(0);
    expect(asked.at(-1)?.path).toBe(`POST /api/v1/workflows/${ID}/run`);
  });

  it("converts each input to the workflow's type, overrides those of a file, and leaves others to the service", async () => {
    const flags = ["--input", "order=1007", "--input", "lines=[1, 2]", "--input", "colour=red"];
    const stdin = '{"order": "1", "total": 2.5}';
    const acts = [answer(workflow()), ACCEPTED];
    const { asked } = await cli(["run", ID, ...flags, "--inputs", "-"], acts, stdin);
    const inputs = { order: "1007", total: 2.5, lines: [1, 2], colour: "red" };
    expect(asked.at(-1)?.body).toEqual({ inputs });
  });

  it.each([
    [["run", "Nothing"], "No workflow matches", [pageOf()]],
    [["run", "Look at an order"], "Several workflows match", [pageOf(workflow(), workflow())]],
    [["run", ID, "--input", "total=many"], "must be JSON of type number", [answer(workflow())]],
    [["run", ID, "--input", "order"], "--input must be name=value", [ACCEPTED]],
  ])("rejects %j and starts nothing", async (argv, message, acts) => {
    const { exit, stderr, asked } = await cli(argv, acts);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(asked.map(({ path }) => path).join()).not.toContain("POST");
  });
});

it("workflows lists workflows with their inputs, optional ones in brackets", async () => {
  const { stdout } = await cli(["workflows"], [pageOf(workflow())]);
  expect(stdout.split("\n")[1]).toBe(`${ID}  Look at an order  order lines [total]`);
});

it("trigger --batch --watch names each execution as it starts, with its line, for the case that it is interrupted", async () => {
  const results = [{ status: 202, executionId: EXECUTION_ID, availableCredits: 9 }];
  const argv = ["trigger", "--batch", "-", "--watch"];
  const acts = [answer({ results }), answer({ code: "not_found", requestId: "r" }, 404)];
  const { exit, stderr } = await cli(argv, acts, '\n{"prompt": "Say hello."}\n');
  expect(exit).toBe(3);
  expect(stderr).toContain(`-:2  ${EXECUTION_ID}\n`);
});
