import { expect, it } from "vitest";
import { newAccount, resultOf, trigger, untilStatus } from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

it("searches with the provider of the deployment, and outputs the results", async () => {
  const { apiKey } = await newAccount();
  const id = await trigger(apiKey, {
    model: "openai/scripted",
    prompt: promptOf(
      { calls: [{ tool: "search_web", input: { query: "tea" }, id: "found" }] },
      { calls: [{ tool: "emit_output", input: { label: "Tea", type: "table", from: "found" } }] },
      { finish: { summary: "Found." } },
    ),
  });
  await untilStatus(apiKey, id, "completed", "failed");
  const { status, outputs } = await resultOf(apiKey, id);
  expect(status).toBe("completed");
  const columns = ["title", "url", "snippet"];
  const rows = [["Harbour Lane Tea", "https://tea.example/", "Loose tea."]];
  expect(outputs).toMatchObject([{ type: "table", value: { columns, rows } }]);
});
