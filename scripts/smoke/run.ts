import { dashboardOpens, healthy, type SignedIn, signIn, strangersAreRefused } from "./account.ts";
import { browserIsGuarded } from "./browser.ts";
import { agentRuns, callsBack, eventsStream, forbiddenIsRefused } from "./executions.ts";
import type { Target } from "./options.ts";
import { type Check, Report } from "./report.ts";
import {
  cleanUp,
  duplicateStartsNothing,
  eventStartsRun,
  forgeryIsRefused,
  openHook,
} from "./webhooks.ts";

/**
 * Checks a running service as its users do: an agent runs and streams its events, a callback is signed, a page
 * reaches no forbidden address, an event is accepted, its duplicate recognized and a forgery rejected. Deletes
 * what it creates.
 */
export async function smoke(target: Target, tell: (check: Check) => void): Promise<Report> {
  const report = new Report(tell);
  const reached = await report.check("health", target, healthy);
  const there = reached && target;
  await report.check("dashboard", there, dashboardOpens);
  await report.check("strangers", there, strangersAreRefused);
  const account = await report.check("sign-in", there, signIn);
  await report.check("agent", account, agentRuns);
  await report.check("stream", account, eventsStream);
  await report.check("addresses", account, forbiddenIsRefused);
  await report.check("callback", account, (signedIn) => callsBack(target, signedIn));
  await report.check("browser", account, (signedIn) => browserIsGuarded(target, signedIn));
  const hook = await report.check("endpoint", account, openHook);
  const taken = await report.check("event", hook, eventStartsRun);
  await report.check("duplicate", taken, duplicateStartsNothing);
  await report.check("forgery", hook, forgeryIsRefused);
  if (hook !== null) await report.check("clean-up", hook, cleanUp);
  if (account?.ownKeyId != null) await report.check("sign-out", account, signOut);
  return report;
}

/** Revokes the key that the check created. */
async function signOut({ client, ownKeyId }: SignedIn): Promise<{ detail: string }> {
  if (ownKeyId !== null) await client.keys.revoke(ownKeyId);
  return { detail: "the key of the check is revoked" };
}
