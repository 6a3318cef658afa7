import { type ApiKeyRecord, rotateKeyBody, SCOPES } from "../../contract/keys.ts";
import type { Command } from "../command.ts";
import { type Output, printList } from "../terminal.ts";
import { ago, countOf, duration, localTime, oneLine } from "../text.ts";

const NAME = 40;

const list: Command = {
  name: "keys list",
  summary: "List the account's API keys, newest first",
  options: { limit: { value: "N", help: "maximum number of rows (default: 100)" } },
  async run({ client, output, values, signal }) {
    const keys = client.keys.all({ signal });
    const heading = ["KEY", "ENDS WITH", "STATE", "LAST USED", "NAME"];
    await printList(output, keys, values.wholeNumber("limit", 1) ?? 100, heading, keyCells);
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
  summary: "Create an API key; it is shown once",
  args: ["name"],
  options: {
    scopes: { multiple: true, value: "A,B", help: "scopes of the key (default: all)" },
    "expires-at": { value: "TIME", help: "expiry, such as 2027-01-01T00:00:00Z" },
  },
  notes: `Scopes: ${SCOPES.join(", ")}.`,
  async run({ client, output, values, args: [name = ""], signal }) {
    const body = {
      name,
      scopes: values.listOf("scopes", SCOPES),
      expiresAt: values.text("expires-at"),
    };
    printKey(output, await client.keys.create(body, { signal }));
  },
};

const revoke: Command = {
  name: "keys revoke",
  summary: "Revoke an API key immediately",
  args: ["key"],
  async run({ client, output, args: [keyId = ""], signal }) {
    await client.keys.revoke(keyId, { signal });
    output.print({ keyId, revoked: true }, () => "Revoked.");
  },
};

const rotate: Command = {
  name: "keys rotate",
  summary: "Replace an API key; the old one keeps working for a while",
  args: ["key"],
  options: {
    "overlap-seconds": {
      value: "N",
      help: "how long the old key keeps working (default: one day)",
    },
  },
  async run({ client, output, values, args: [keyId = ""], signal }) {
    const body = { overlapSeconds: values.wholeNumber("overlap-seconds") };
    printKey(output, await client.keys.rotate(keyId, body, { signal }));
    if (!output.isJson) output.note(overlapText(keyId, rotateKeyBody.parse(body).overlapSeconds));
  },
};

function overlapText(keyId: string, seconds: number): string {
  if (seconds === 0) return `${keyId} no longer works.`;
  return `${keyId} keeps working for ${duration(seconds * 1_000)}.`;
}

/** Prints the key alone on stdout, so that it can be piped into a secret store. */
function printKey(output: Output, key: ApiKeyRecord & { apiKey: string }): void {
  if (!output.isJson) output.note(`${key.keyId} created. The key is shown only once:`);
  output.print(key, ({ apiKey }) => apiKey);
}

export const keys = [list, create, revoke, rotate];

export const credits: Command = {
  name: "credits",
  summary: "Show the credit balance",
  async run({ client, output, signal }) {
    output.print(
      await client.credits({ signal }),
      ({ availableCredits, reservedCredits, consumedCredits }) =>
        `${countOf(availableCredits, "credit")} available, ${reservedCredits} held, ${consumedCredits} used`,
    );
  },
};
