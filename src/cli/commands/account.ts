import { type ApiKeyRecord, rotateKeyBody, SCOPES } from "../../contract/account.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../errors.ts";
import { listSome, type Output } from "../terminal.ts";
import { ago, countOf, duration, localTime, oneLine } from "../text.ts";

const NAME = 40;

const list: Command = {
  name: "keys list",
  summary: "Lists the API keys of the account, the newest first",
  args: [],
  options: { limit: { type: "string", value: "N", help: "how many; 100, if left out" } },
  async run({ client, output, given, signal }) {
    const keys = client.keys.all({ signal });
    const heading = ["KEY", "ENDS WITH", "STATE", "LAST USED", "NAME"];
    await listSome(output, keys, given.wholeNumber("limit", 1) ?? 100, heading, keyCells);
    return EXIT.done;
  },
};

function keyCells(key: ApiKeyRecord): string[] {
  const { keyId, last4, lastUsedAt, name } = key;
  const used = lastUsedAt === null ? "never" : ago(lastUsedAt, Date.now());
  return [keyId, last4, stateOf(key), used, oneLine(name, NAME)];
}

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord): string {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  return Date.parse(expiresAt) <= Date.now() ? "expired" : `until ${localTime(expiresAt)}`;
}

const create: Command = {
  name: "keys create",
  summary: "Makes a key; it is shown once",
  args: ["name"],
  options: {
    scopes: { type: "string", multiple: true, value: "A,B", help: "what it may; all, if left out" },
    "expires-at": {
      type: "string",
      value: "TIME",
      help: "when it ends, such as 2027-01-01T00:00:00Z",
    },
  },
  notes: `Scopes: ${SCOPES.join(", ")}.`,
  async run({ client, output, given, args: [name = ""], signal }) {
    const body = {
      name,
      scopes: given.listOf("scopes", SCOPES),
      expiresAt: given.text("expires-at"),
    };
    tellKey(output, await client.keys.create(body, { signal }));
    return EXIT.done;
  },
};

const revoke: Command = {
  name: "keys revoke",
  summary: "Ends a key at once",
  args: ["key"],
  options: {},
  async run({ client, output, args: [keyId = ""], signal }) {
    await client.keys.revoke(keyId, { signal });
    output.say({ keyId, revoked: true }, () => "Revoked.");
    return EXIT.done;
  },
};

const rotate: Command = {
  name: "keys rotate",
  summary: "Makes a key in place of another, which works for a while longer",
  args: ["key"],
  options: {
    "overlap-seconds": { type: "string", value: "N", help: "how much longer; a day, if left out" },
  },
  async run({ client, output, given, args: [keyId = ""], signal }) {
    const body = { overlapSeconds: given.wholeNumber("overlap-seconds") };
    tellKey(output, await client.keys.rotate(keyId, body, { signal }));
    if (!output.isJson) output.note(lastsText(keyId, rotateKeyBody.parse(body).overlapSeconds));
    return EXIT.done;
  },
};

function lastsText(keyId: string, seconds: number): string {
  if (seconds === 0) return `${keyId} works no more.`;
  return `${keyId} works for ${duration(seconds * 1_000)} more.`;
}

/** The key alone is on stdout, so that it can be piped to where it is kept. */
function tellKey(output: Output, key: ApiKeyRecord & { apiKey: string }): void {
  if (!output.isJson) output.note(`${key.keyId}; this is the only time that the key is shown:`);
  output.say(key, ({ apiKey }) => apiKey);
}

export const keys = [list, create, revoke, rotate];

export const credits: Command = {
  name: "credits",
  summary: "Tells the balance",
  args: [],
  options: {},
  async run({ client, output, signal }) {
    output.say(
      await client.credits({ signal }),
      ({ availableCredits, reservedCredits, consumedCredits }) =>
        `${countOf(availableCredits, "credit")} available, ${reservedCredits} held, ${consumedCredits} used`,
    );
    return EXIT.done;
  },
};
