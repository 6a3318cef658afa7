import * as z from "zod";

/** The folder of the mails that a local start does not deliver. */
export interface LocalOutbox {
  write(at: Date, messageId: string, message: string): Promise<void>;
  /** Returns the names of its files, the newest first. */
  list(): Promise<string[]>;
  /** Returns a mail as it was written, or null if there is none. */
  read(name: string): Promise<string | null>;
}

const FILE = /^[\w.-]{1,200}\.eml$/;
const listing = z.array(z.object({ name: z.string() }));
const at = (name: string): string => `http://outbox/${encodeURIComponent(name)}`;

/** Returns the outbox of a local start; null where the runtime has no such folder. */
export function localOutbox(env: object): LocalOutbox | null {
  const folder: unknown = Reflect.get(env, "OUTBOX");
  if (!isFetcher(folder)) return null;
  return {
    async write(now, messageId, message) {
      const [id = ""] = messageId.split("@");
      const name = `${now.toISOString().replaceAll(":", "-")}-${id}.eml`;
      const { ok, status } = await folder.fetch(at(name), { method: "PUT", body: message });
      if (!ok) throw new Error(`The outbox answered ${status}.`);
    },
    async list() {
      const response = await folder.fetch("http://outbox/");
      const names = listing.parse(await response.json()).map(({ name }) => name);
      return names
        .filter((name) => FILE.test(name))
        .sort()
        .reverse();
    },
    async read(name) {
      if (!FILE.test(name)) return null;
      const response = await folder.fetch(at(name));
      return response.ok ? response.text() : null;
    },
  };
}

function isFetcher(binding: unknown): binding is Pick<Fetcher, "fetch"> {
  return typeof binding === "object" && binding !== null && "fetch" in binding;
}
