import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import type { Prompthook } from "../../src/client/prompthook.ts";
import { MEMBER, OTHER_MEMBER } from "./account.ts";
import type { Links, Visitor } from "./pages.ts";

const PATIENCE_MS = 60_000;

/** Has a link to sign in and one to decide sent, and reads them from the local outbox. */
export async function linksOf(api: Prompthook, url: string): Promise<Links> {
  // Not the member who signs in meanwhile, which ends the earlier links.
  await post(url, "/dashboard/sign-in/email", { email: OTHER_MEMBER });
  await api.executions.trigger({
    prompt: "Order 200 tins for the harbour shop.",
    model: "openai/orders",
    approvals: ["http_request"],
    notify: [{ email: MEMBER }],
  });
  const signIn = await linkInMails(url, /\/dashboard\/sign-in\/link\/[\w-]+/);
  const decide = await linkInMails(url, /\/decide\/[\w.~-]+/);
  return { signIn: signIn.link, decide: decide.link, mail: decide.mail, origin: url };
}

/** Signs a visitor in: with the key, or as the member by a link of their own. */
export async function signInAs(
  context: BrowserContext,
  visitor: Visitor,
  { url, apiKey }: { url: string; apiKey: string },
): Promise<void> {
  if (visitor === "nobody") return;
  let path = "/dashboard/sign-in";
  if (visitor === "member") {
    const before = await mailsOf(url);
    await post(url, "/dashboard/sign-in/email", { email: MEMBER });
    ({ link: path } = await linkInMails(url, /\/dashboard\/sign-in\/link\/[\w-]+/, before));
  }
  await context.request.post(path, {
    form: visitor === "key" ? { apiKey } : {},
    headers: { origin: url },
    maxRedirects: 0,
  });
}

const post = (url: string, path: string, form: Record<string, string>) =>
  fetch(url + path, {
    method: "POST",
    headers: { origin: url },
    body: new URLSearchParams(form),
  });

const OUTBOX = "/dashboard/outbox";

async function mailsOf(url: string): Promise<string[]> {
  const text = await (await fetch(url + OUTBOX)).text();
  return [...text.matchAll(/"(\/dashboard\/outbox\/[^"]+)"/g)].map(([, path = ""]) => path);
}

/** Waits for a mail with such a link, none of those that were there before. */
async function linkInMails(
  url: string,
  pattern: RegExp,
  before: string[] = [],
): Promise<{ link: string; mail: string }> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    for (const mail of await mailsOf(url)) {
      if (before.includes(mail)) continue;
      const [link] = pattern.exec(await (await fetch(url + mail)).text()) ?? [];
      if (link !== undefined) return { link, mail };
    }
    await sleep(500);
  }
  throw new Error(`No mail has a link like ${pattern}.`);
}
