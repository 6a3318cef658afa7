import { vi } from "vitest";

/** The member who signs in, and another one. */
export const MEMBER = "ada@acme.example";
export const OTHER_MEMBER = "grace@acme.example";

/** Has a link to sign in sent to a member of a service with an outbox, and returns its path. */
export async function signInLink(url: string, email: string): Promise<string> {
  const body = new URLSearchParams({ email });
  const before = await mailsIn(url);
  await fetch(`${url}/dashboard/sign-in/email`, { method: "POST", headers: { origin: url }, body });
  return (await linkInOutbox(url, /\/dashboard\/sign-in\/link\/[\w-]+/, before)).link;
}

/** Waits for a mail with such a link that is none of those before, and returns the paths of both. */
export function linkInOutbox(
  url: string,
  pattern: RegExp,
  before: string[] = [],
): Promise<{ link: string; mail: string }> {
  return vi.waitUntil(
    async () => {
      for (const mail of await mailsIn(url)) {
        if (before.includes(mail)) continue;
        const [link] = pattern.exec(await (await fetch(url + mail)).text()) ?? [];
        if (link !== undefined) return { link, mail };
      }
      return null;
    },
    { timeout: 30_000 },
  );
}

async function mailsIn(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/dashboard/outbox`)).text();
  return [...text.matchAll(/"(\/dashboard\/outbox\/[^"]+)"/g)].map(([, path = ""]) => path);
}
