import { expect, it } from "vitest";
import { newReader } from "../../support/worker/runs.ts";

const fails = (summary: string) => ({ finish: { summary, status: "failed" as const } });

it("lists failures by their reasons, each with the retry of its executions", async () => {
  const { started, read, session } = await newReader();
  expect(await read("/failures")).toContain("No failed executions");
  const ids: string[] = [];
  for (const page of ["4", "5"]) {
    ids.push(await started([fails(`There is no page ${page}.`)], {}, "failed"));
  }
  await started([fails("The shop is closed.")], {}, "failed");
  const page = await read("/failures");
  expect(page).toContain("The newest 3 failed executions");
  expect(page).toMatch(/There is no page 5.*?<td class="num" data-label="Count">2</s);
  const href = /href="(\/dashboard\/retries\/new\?[^"]*)">Retry 2…/.exec(page)?.[1] ?? "";
  for (const id of ids) expect(href).toContain(`id=${id}`);
  const forecast = await session.get(href.replaceAll("&amp;", "&"));
  expect(await forecast.text()).toContain("Retry 2 executions");
  expect(await read("")).toContain('href="/dashboard/executions/failures"');
});
