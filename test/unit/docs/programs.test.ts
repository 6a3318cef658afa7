import { expect, it } from "vitest";
import { pythonOf, typescriptOf } from "../../../src/docs/programs.ts";
import { type ReferenceOperation, referenceOf } from "../../../src/docs/reference.ts";
import { apiDocument } from "../../../src/http/routes.ts";

const ORIGIN = "https://service.example";
const operations = referenceOf({ ...apiDocument() }).tags.flatMap((tag) => tag.operations);

function operation(id: string): ReferenceOperation {
  const found = operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

it("reads in TypeScript with the reader's key at an address with ids", () => {
  expect(typescriptOf(operation("getExecutionResult"), ORIGIN)).toBe(
    `const response = await fetch(\`${ORIGIN}/api/v1/agent/trigger/\${executionId}/result\`, {
  headers: { Authorization: \`Bearer \${process.env.PROMPTHOOK_API_KEY}\` },
});
console.log(await response.json());`,
  );
});

it("calls the method of the Python client with the example's values", () => {
  const changed = {
    ...operation("runWorkflow"),
    body: {
      required: true,
      contents: [
        { mediaType: "application/json", schema: {}, example: { inputs: { ok: true, no: null } } },
      ],
    },
  };
  expect(pythonOf(changed, ORIGIN)).toContain(
    'print(prompthook.run_workflow(workflow_id, {"inputs": {"ok": True, "no": None}}))',
  );
});

it("has no Python for what only operators and senders do", () => {
  const without = operations.filter((each) => pythonOf(each, ORIGIN) === null);
  expect(new Set(without.map(({ tag }) => tag))).toEqual(
    new Set(["Operators", "Service", "Webhooks"]),
  );
  expect(without.filter(({ tag }) => tag === "Webhooks").map(({ path }) => path)).toEqual([
    "/hooks/{endpointId}",
    "/hooks/{endpointId}",
  ]);
});
