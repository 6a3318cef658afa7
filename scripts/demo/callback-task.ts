import { randomBytes } from "node:crypto";
import { executionResult } from "../../src/contract/execution.ts";
import { UserError } from "../local/project.ts";
import { AgentApi, type DemoTask } from "./agent.ts";
import { listenForCallback } from "./callback.ts";

/** An agent reads two pages, and its result comes as a signed callback. */
export const callbackTask: DemoTask = {
  shows: "two pages, and the result as a signed callback",
  async run(service, site) {
    const secret = `whsec_${randomBytes(24).toString("base64")}`;
    const callback = await listenForCallback(secret);
    try {
      const prompt =
        `Count rows per kind from ${site}/prices\n` +
        `Average price per kind from ${site}/prices\n` +
        `List emails from ${site}/contact`;
      const api = new AgentApi(service);
      const executionId = await api.run({
        prompt,
        callbackUrl: callback.url,
        callbackSecret: secret,
      });
      const result = executionResult.parse(await callback.received());
      if (result.executionId !== executionId || result.status !== "completed") {
        throw new UserError(`The callback reports another result: ${JSON.stringify(result)}`);
      }
      console.log(`\nCallback received, its signature verified. Result of ${result.model}:\n`);
      console.log(`${result.presentedResult.summary}\n`);
      console.log(`${result.outputs.length} outputs, ${result.creditsConsumed} credits.`);
    } finally {
      callback.close();
    }
  },
};
