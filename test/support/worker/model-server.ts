import type { TestProject } from "vitest/node";
import { startAnthropicServer } from "../model-server/anthropic.ts";
import { byStep, call, callsTools, endsIn, finishes, hangs } from "../model-server/behaviour.ts";
import { startModelServer } from "../model-server/server.ts";
import { startWorkersAiServer } from "../model-server/workers-ai.ts";
import { ANTHROPIC_API_KEY } from "./bindings.ts";
import { startMailboxes } from "./mailboxes.ts";
import { type ScriptRequest, scriptedBehaviour } from "./scripted.ts";

/** The tokens that a prompt for a model of Workers AI may have here. */
const SMALL_WINDOW = 18_000;

/** Starts model servers whose models are named by what they do; answers how to end them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startModelServer({ record: false });
  server.script("hangs", () => hangs());
  server.script("stalls", () => endsIn("silent", "The first half is here, the second is not."));
  server.script("finishes", () => finishes("All done."));
  server.script(
    "writes-a-file",
    byStep(
      callsTools(
        call("emit_output", {
          label: "Report",
          type: "file",
          value: "name,price\nTea,3.20\n",
          filename: 'Prices "ü".csv',
          mediaType: "text/csv",
        }),
      ),
      finishes("The report is written."),
    ),
  );
  server.script(
    "asks",
    byStep(callsTools(call("ask_user", { question: "Which year?" })), finishes("Thank you.")),
  );
  const mailboxes = await startMailboxes();
  const anthropic = await startAnthropicServer({ record: false, apiKey: ANTHROPIC_API_KEY });
  const workersAi = await startWorkersAiServer({ record: false, window: SMALL_WINDOW });
  const scripted = (request: ScriptRequest, disconnected: Promise<void>) =>
    scriptedBehaviour(request, (gate, said) => mailboxes.holds(gate, said, disconnected));
  server.script("scripted", scripted);
  anthropic.script("scripted", scripted);
  for (const model of ["openai/scripted", "meta/llama-3.3-scripted"]) {
    workersAi.script(`@cf/${model}`, scripted);
  }
  project.provide("modelServerUrl", server.baseUrl);
  project.provide("anthropicUrl", anthropic.baseUrl);
  project.provide("workersAiUrl", workersAi.baseUrl);
  project.provide("mailboxesUrl", mailboxes.origin);
  return async () => {
    await Promise.all([server, anthropic, workersAi, mailboxes].map(({ close }) => close()));
  };
}
