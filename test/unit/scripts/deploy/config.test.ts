import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDeployed } from "../../../../scripts/deploy/config.ts";
import { CONFIG } from "../../../../scripts/local/project.ts";
import { folderOfTest } from "../../../support/until-end.ts";

/** Reads the project's configuration with the names of a second deployment, after a change to its text. */
async function read(change: (text: string) => string = (text) => text) {
  const path = join(await folderOfTest(), "wrangler.toml");
  const text = (await readFile(CONFIG, "utf8")).replaceAll('"prompthook', '"staging');
  await writeFile(path, change(text));
  return readDeployed(path);
}

test("accepts any names for the Worker, the databases and the queues", async () => {
  const config = await read();
  expect(config.name).toBe("staging");
  expect(config.databases.map(({ name }) => name)).toEqual(["staging"]);
});

test("takes the Worker's name from a build at Cloudflare, which names the rest in the configuration", async () => {
  const config = await readDeployed(CONFIG, { name: null, domain: null, workerName: "hooks" });
  expect(config.name).toBe("hooks");
  expect(config.raw.name).toBe("hooks");
  expect(config.databases.map(({ name }) => name)).toEqual(["prompthook"]);
});

const changed = (old: string, put: string) => (text: string) => text.replaceAll(old, put);
const CONSUMER = "[[queues.consumers]]\nqueue = ";
const DEAD_LETTERS = 'dead_letter_queue = "staging-callbacks-dead"\n';

const refused: [string, (text: string) => string, string][] = [
  [
    "a queue that is consumed under its old name",
    changed('INBOUND"\nqueue = "staging-inbound"', 'INBOUND"\nqueue = "hooks"'),
    'The queue "hooks" has no consumer.',
  ],
  ["another binding", changed('"CALLBACKS"', '"CALLS"'), 'No queue has the binding "CALLBACKS".'],
  [
    "dead letters that look like other messages",
    changed("staging-inbound-dead", "staging-inbound-dlq"),
    'needs a dead_letter_queue whose name ends in -dead, such as "staging-inbound-dead".',
  ],
  [
    "a consumer without dead letters",
    changed(DEAD_LETTERS, ""),
    'The consumer of "staging-callbacks" needs a dead_letter_queue',
  ],
  [
    "dead letters that nothing consumes",
    changed(`${CONSUMER}"staging-inbound-dead"`, `${CONSUMER}"staging-inbound-death"`),
    'The queue "staging-inbound-dead" has no consumer.',
  ],
  [
    "messages that look like dead letters",
    changed('"staging-callbacks"', '"staging-calls-dead"'),
    'The queue "staging-calls-dead" has the binding "CALLBACKS". Choose a name',
  ],
  [
    "a consumer of another deployment's queue",
    (text) => `${text}\n${CONSUMER}"prompthook-inbound"\n`,
    'The service sends nothing to the queue "prompthook-inbound", but consumes it.',
  ],
];

test.each(refused)("refuses %s", async (_, change, message) => {
  await expect(read(change)).rejects.toThrow(message);
});
