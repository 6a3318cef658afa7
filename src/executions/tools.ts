import { browse } from "../agent/tools/browse.ts";
import { emitOutput } from "../agent/tools/emit-output.ts";
import { httpRequest } from "../agent/tools/http-request.ts";
import { processData } from "../agent/tools/process-data.ts";
import { FUEL } from "../agent/tools/run-code/limits.ts";
import { runCode, type Sandbox } from "../agent/tools/run-code.ts";
import { searchWeb } from "../agent/tools/search-web.ts";
import { sendEmail } from "../agent/tools/send-email.ts";
import { anyTool, type OwnTools } from "../agent/tools/toolset.ts";
import { type EventSource, waitForEvent } from "../agent/tools/wait-for-event.ts";
import { writeSpreadsheet } from "../agent/tools/write-spreadsheet.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { inboxStub } from "../durable/stubs.ts";
import type { Settings } from "../env.ts";
import { coversHost } from "../lib/http.ts";
import { createRenderer } from "../outbound/browser/renderer.ts";
import { createMailer } from "../outbound/email/mailer.ts";
import { createSheetsClient } from "../outbound/google-sheets.ts";
import { createSearchClient } from "../outbound/search.ts";
import { loadEndpoint } from "../records/endpoints.ts";

/** Returns the tools of an execution, each with its port as this deployment is configured. */
export function ownTools(seed: ExecutionSeed, env: CloudflareEnv, settings: Settings): OwnTools {
  const { allowedHosts, emailRecipients, googleSheets } = seed;
  const search = createSearchClient(settings);
  // Its client has a fixed host, which the guard does not see; the search provider's requests pass the guard.
  const reachesSheets =
    allowedHosts === null || coversHost(allowedHosts, new URL(settings.GOOGLE_SHEETS_URL));
  const sheets = reachesSheets ? createSheetsClient(settings, googleSheets) : null;
  return {
    browse: anyTool(browse(env.BROWSER ? createRenderer(env.BROWSER, seed) : null)),
    search_web: search === null ? null : anyTool(searchWeb(search)),
    http_request: anyTool(httpRequest),
    run_code: anyTool(runCode(workerSandbox)),
    process_data: anyTool(processData),
    send_email: anyTool(sendEmail(createMailer(settings, env.EMAIL, emailRecipients))),
    write_spreadsheet: anyTool(writeSpreadsheet(sheets)),
    emit_output: anyTool(emitOutput),
    wait_for_event: anyTool(waitForEvent(createEventSource(seed, env))),
  };
}

/** Lets an execution wait for webhooks of its account. */
function createEventSource(
  { accountId, executionId, createdAt }: ExecutionSeed,
  env: CloudflareEnv,
): EventSource {
  return {
    async wait(idempotencyKey, { endpointId, when, since, timeoutSeconds, wake }) {
      const endpoint = await loadEndpoint(env.DB, accountId, endpointId);
      if (endpoint === null) {
        return { ok: false, message: `The account has no endpoint ${endpointId}.` };
      }
      const callId = idempotencyKey.slice(executionId.length + 1);
      const from = since === undefined ? createdAt : Date.parse(since);
      const until = Date.now() + timeoutSeconds * 1_000;
      const waiter = { executionId, callId, when, wake, since: from, until };
      // An inbox learns its configuration with its first request, which may not have come yet.
      await inboxStub(env, endpointId).configure(endpoint);
      const refused = await inboxStub(env, endpointId).wait(waiter);
      return refused === null ? { ok: true, until } : { ok: false, message: refused };
    },
  };
}

let sandbox: Sandbox | null = null;

/** Runs code in QuickJS. The engine is loaded and compiled at the first use, not at the start. */
const workerSandbox: Sandbox = {
  async run(program) {
    const [{ createSandbox }, { default: engine }] = await Promise.all([
      import("../agent/tools/run-code/sandbox.ts"),
      import("../agent/tools/run-code/quickjs.wasm"),
    ]);
    sandbox ??= createSandbox(engine, FUEL);
    return sandbox.run(program);
  },
};
