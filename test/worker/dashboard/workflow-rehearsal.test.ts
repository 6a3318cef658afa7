import { expect, it } from "vitest";
import * as z from "zod";
import { send, untilStatus } from "../../support/worker/client.ts";
import { leadsTo } from "../../support/worker/endpoint-room.ts";
import { formOn } from "../../support/worker/forms.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { newReader } from "../../support/worker/runs.ts";
import { promptOf } from "../../support/worker/scripted.ts";

it("rehearses the draft on past inputs, shows changes, and saves nothing", async () => {
  const { apiKey, session } = await newReader();
  const site = mailbox();
  const orders = (amount: number) =>
    promptOf(
      {
        calls: [
          { tool: "http_request", input: { method: "POST", url: site.url, body: { amount } } },
        ],
      },
      { finish: { summary: `Ordered ${amount}.` } },
    );
  const body = { name: "order", prompt: orders(5), model: "openai/scripted" };
  const post = (path: string, body: unknown) =>
    send(`/api/v1/workflows${path}`, { method: "POST", token: apiKey, body });
  const made = await post("", body);
  const { workflowId } = z.object({ workflowId: z.string() }).parse(await made.json());
  const ran = await post(`/${workflowId}/run`, {});
  const { executionId } = z.object({ executionId: z.uuid() }).parse(await ran.json());
  await untilStatus(apiKey, executionId, "completed");
  const letters = await site.letters(1);

  const page = await session.read(`/dashboard/workflows/${workflowId}/edit`);
  const { action, fields } = formOn(page, "/edit");
  const typed = { ...fields, prompt: orders(7), do: "rehearse" };
  const path = leadsTo(await session.post(action, typed));
  expect(path).toMatch(/^\/dashboard\/rehearsals\/[0-9a-f-]{36}$/);
  const shown = () => session.read(path);
  await expect.poll(shown).toContain('<span class="badge good">completed');
  const found = await shown();
  expect(found).toContain("http_request is called otherwise");
  expect(found).toContain("<del>5</del> <ins>7</ins>");
  expect(found).toContain(`/dashboard/executions/${executionId}/compare?with=`);
  expect(await site.letters(1)).toEqual(letters);
  const kept = await send(`/api/v1/workflows/${workflowId}`, { token: apiKey });
  expect(await kept.json()).toMatchObject({ prompt: orders(5), revision: 1 });
});
