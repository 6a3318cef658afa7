import { expect, it } from "vitest";
import { newAccount, send } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";

it("a resource managed by files shows its commit, warns before a manual change, and shows it afterwards", async () => {
  const { apiKey: token } = await newAccount();
  const { get } = await signedIn(token);
  const call = async (method: string, path: string, body: object) =>
    (await send(`/api/v1${path}`, { method, token, body })).json<Record<string, unknown>>();
  const managedBy = { kind: "files", commit: "3f0c8f0e" };
  const kept = async (path: string, body: object) => call("PUT", path, { ...body, managedBy });
  const { workflowId } = await kept("/workflows/ext/look", { name: "look", prompt: "Look." });
  const { endpointId } = await kept("/webhooks/ext/orders", { name: "orders", workflowId });
  await kept("/schedules/ext/daily", { workflowId, cron: "0 6 * * *" });
  const page = async (path: string) =>
    (await (await get(`/dashboard${path}`)).text()).replace(/<[^>]*>/g, "");
  const facts = "files, as look, revision 1 of commit 3f0c8f0e";
  expect(await page(`/workflows/${workflowId}`)).toContain(facts);
  expect(await page(`/workflows/${workflowId}/edit`)).toContain("Managed by files, as look.");
  expect(await page(`/webhooks/${endpointId}`)).toContain("files, as orders, revision 1");
  for (const rest of ["/settings", "/rules"])
    expect(await page(`/webhooks/${endpointId}${rest}`)).toContain("Managed by files, as orders.");
  expect(await page("/schedules")).toContain("kept in files, as daily, revision 1");
  await call("PATCH", `/workflows/${workflowId}`, { prompt: "Look again." });
  expect(await page(`/workflows/${workflowId}`)).toContain(`${facts}, changed by hand since`);
});
