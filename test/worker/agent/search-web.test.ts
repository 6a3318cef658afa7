import { expect, it } from "vitest";
import { COMPANIES } from "../../support/site/saas.ts";
import { newAccount, resultOf, trigger, untilStatus } from "../../support/worker/client.ts";

it("finds the top 3 SaaS companies and their prices by searching and opening what it found", async () => {
  const { apiKey } = await newAccount();
  const id = await trigger(apiKey, {
    model: "openai/researches",
    prompt: "Find the top 3 SaaS companies and their pricing",
  });
  await untilStatus(apiKey, id, "completed", "failed");
  const { status, outputs } = await resultOf(apiKey, id);
  expect(status).toBe("completed");
  const top = COMPANIES.toSorted((a, b) => b.revenue - a.revenue).slice(0, 3);
  const rows = top.flatMap(({ name, plans }) =>
    Object.entries(plans).map(([plan, price]) => [name, plan, price]),
  );
  expect(outputs).toMatchObject([{ type: "table", value: { rows } }]);
});
