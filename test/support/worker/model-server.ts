import type { TestProject } from "vitest/node";
import { byStep, call, callsTools, finishes, hangs } from "../model-server/behaviour.ts";
import { startModelServer } from "../model-server/server.ts";
import { startMailboxes } from "./mailboxes.ts";
import { scriptedBehaviour } from "./scripted.ts";

/** Starts a model server whose models are named by what they do; answers how to end it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startModelServer({ record: false });
  server.script("hangs", () => hangs());
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
  server.script("scripted", (request) => scriptedBehaviour(request, mailboxes.holds));
  project.provide("modelServerUrl", server.baseUrl);
  project.provide("mailboxesUrl", mailboxes.origin);
  return async () => {
    await Promise.all([server.close(), mailboxes.close()]);
  };
}
