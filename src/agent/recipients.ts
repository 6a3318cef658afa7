import { accountStub } from "../accounts/stub.ts";
import { isFinal } from "../contract/execution.ts";
import type { RunReport } from "../contract/inbound/inbox.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { inboxStub } from "../inbound/inbox/stub.ts";
import type { MachineState } from "./machine/state.ts";
import type { Recipient } from "./reporter.ts";
import { rowView } from "./views.ts";

/** How often an execution that goes on tells its account how it stands. */
const ROW_INTERVAL_MS = 5_000;
/** A run that is over sooner tells its beginning and its end in one report. */
const START_DELAY_MS = 250;

/** The account: it keeps the row and, at the end, settles what was used. */
export function accountRecipient(env: CloudflareEnv): Recipient {
  return {
    name: "the account",
    delay(_, before, after) {
      if (before.version === after.version) return null;
      return before.status === after.status ? ROW_INTERVAL_MS : 0;
    },
    tell: (seed, state) =>
      accountStub(env, seed.accountId).report({
        row: rowView(seed, state),
        settle: isFinal(state.status) ? state.creditsUsed : null,
      }),
  };
}

/** The log of the inbound request that started the execution, where one did: it hears of start and end. */
export function logRecipient(env: CloudflareEnv): Recipient {
  return {
    name: "the request log",
    delay({ inbound }, before, after) {
      if (inbound === null) return null;
      if (isFinal(after.status)) return isFinal(before.status) ? null : 0;
      return before.startedAt === null && after.startedAt !== null ? START_DELAY_MS : null;
    },
    async tell(seed, state) {
      const { inbound } = seed;
      if (inbound === null) return;
      await inboxStub(env, inbound.endpointId).report(runReport(seed, inbound.requestId, state));
    },
  };
}

function runReport(seed: ExecutionSeed, requestId: string, state: MachineState): RunReport {
  const { version, status, startedAt, finishedAt } = state;
  return {
    requestId,
    executionId: seed.executionId,
    version,
    status,
    startedAt,
    finishedAt,
    error: errorOf(state),
  };
}

/** To the log a run that was stopped did not succeed either. */
function errorOf({ status, statusDetail, summary, error }: MachineState): RunReport["error"] {
  if (status !== "stopped") return error;
  return { code: statusDetail, message: summary ?? "" };
}
