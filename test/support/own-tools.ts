import { browse } from "../../src/agent/tools/browse.ts";
import { emitOutput } from "../../src/agent/tools/emit-output.ts";
import { httpRequest } from "../../src/agent/tools/http-request.ts";
import { processData } from "../../src/agent/tools/process-data.ts";
import { runCode } from "../../src/agent/tools/run-code.ts";
import { type SearchClient, searchWeb } from "../../src/agent/tools/search-web.ts";
import { type Mailer, sendEmail } from "../../src/agent/tools/send-email.ts";
import { anyTool, type OwnTools } from "../../src/agent/tools/toolset.ts";
import { type EventSource, waitForEvent } from "../../src/agent/tools/wait-for-event.ts";
import { writeSpreadsheet } from "../../src/agent/tools/write-spreadsheet.ts";
import { createOutbox } from "../../src/outbound/email/mailer.ts";
import { nodeSandbox } from "./sandbox.ts";

/** Stores e-mail and delivers none. */
export const OUTBOX: Mailer = createOutbox({
  from: "agent@prompthook.local",
  allowedRecipients: [],
});

const NO_EVENTS: EventSource = {
  wait: async () => ({ ok: false, message: "There is no endpoint." }),
};

/** A provider that finds nothing. */
export const NOTHING_FOUND: SearchClient = {
  provider: "searxng",
  form: "text",
  search: async () => ({ kind: "found", results: [] }),
};

/** Returns the real tools, with ports that reach nothing but what is given. */
export function ownTools(
  ports: { mailer?: Mailer; search?: SearchClient | null; events?: EventSource } = {},
): OwnTools {
  const { mailer = OUTBOX, search = null, events = NO_EVENTS } = ports;
  return {
    browse: anyTool(browse(null)),
    search_web: search === null ? null : anyTool(searchWeb(search)),
    http_request: anyTool(httpRequest),
    run_code: anyTool(runCode(nodeSandbox)),
    process_data: anyTool(processData),
    send_email: anyTool(sendEmail(mailer)),
    write_spreadsheet: anyTool(writeSpreadsheet(null)),
    emit_output: anyTool(emitOutput),
    wait_for_event: anyTool(waitForEvent(events)),
  };
}
