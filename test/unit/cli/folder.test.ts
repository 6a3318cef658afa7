import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/cli/errors.ts";
import { readFolder } from "../../../src/cli/folder/read.ts";
import { writeIn } from "../../../src/cli/folder/write.ts";
import { folderOfTest } from "../../support/until-end.ts";

/** Makes a folder with these files. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await folderOfTest();
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

const WORKFLOW = "---\nname: look\n---\n\nSay hello.\n";

/** Files that are wrong, with what is said of each. */
const WRONG: Record<string, [text: string, said: string]> = {
  "schedule/lost.yaml": [
    "name: s\n",
    "schedule: a folder of this name is not read. Call it schedules.",
  ],
  "workflows/field.md": [
    "---\nname: w\npromt: x\n---\n\nSay.\n",
    "workflows/field.md:3: Unknown field `promt`. Did you mean `prompt`?",
  ],
  "endpoints/workflow.yaml": [
    "name: e\nworkflow: look-O\n",
    "endpoints/workflow.yaml:2: Unknown workflow `look-O`. Did you mean `look-0`?",
  ],
  "endpoints/unset.yaml": [
    "name: e\nauth:\n  token:\n    secret: { env: MISSING }\n",
    "endpoints/unset.yaml:4: `auth.token.secret` needs the variable MISSING, which is not set.",
  ],
  "endpoints/secret.yaml": [
    "name: e\nauth:\n  token:\n    secret: abc\n",
    "endpoints/secret.yaml:4: `auth.token.secret` must be",
  ],
  "endpoints/syntax.yaml": [
    "name: e\n  bad: [\n",
    "endpoints/syntax.yaml:1: Nested mappings are not allowed",
  ],
  "workflows/host.md": [
    "---\nname: w\nallowedHosts:\n  - *.example.com\n---\n\nSay.\n",
    'workflows/host.md:4: quote "*.example.com": it is no anchor of the file.',
  ],
  "endpoints/id.yaml": [
    "name: e\nworkflw: look-0\n",
    "endpoints/id.yaml:2: Unknown field `workflw`. Did you mean `workflow`? Allowed: name, path, workflow, routing,",
  ],
  "destinations/chat.yaml": [
    "name: d\nformat: slack\nurl: https://hooks.slack.com/services/T0/B0/XXXX\n",
    "destinations/chat.yaml:3: `url` must be",
  ],
  "endpoints/json.json": [
    '{"name": "e",\n "retentionDays": "x"}',
    "endpoints/json.json:2: `retentionDays` must be",
  ],
  "endpoints/Big.yaml": ["name: e\n", "endpoints/Big.yaml: its name must be"],
  "endpoints/twin.json": ['{"name": "e"}', ""],
  "endpoints/twin.yaml": [
    "name: e\n",
    "endpoints/twin.yaml:1: has the name of endpoints/twin.json.",
  ],
};

it("reports every fault of a folder with its file and line", async () => {
  const wrong = Object.entries(WRONG).map(([file, [text]]) => [file, text] as const);
  const folder = await folderOf({ ...Object.fromEntries(wrong), "workflows/look-0.md": WORKFLOW });
  const { message } = await readFolder(folder, {}).catch((error) => error);
  const lines = message.split("\n").sort();
  const said = Object.values(WRONG).map(([, said]) => said);
  expect(lines).toEqual(
    said
      .filter((each) => each !== "")
      .sort()
      .map((each) => expect.stringContaining(each)),
  );
});

it("refuses a folder that does not exist, or is another one, but not one whose files were removed", async () => {
  // What is in no file is pruned.
  const other = await folderOf({ "prompthook/workflows/look.md": WORKFLOW, "README.md": "" });
  for (const folder of [other, `${other}-mistyped`])
    await expect(readFolder(folder, {})).rejects.toThrow(`${folder} is not a folder of workflows,`);
  const emptied = await folderOf({ "schemas/workflow.json": "{}" });
  expect(await readFolder(emptied, {})).toEqual([]);
});

describe("a folder with a name where something else belongs", () => {
  it("is refused with the name if a file stands for the folder of a kind", async () => {
    const folder = await folderOf({ endpoints: "" });
    const said = `Cannot read ${join(folder, "endpoints")}: not a directory.`;
    const error = await readFolder(folder, {}).catch((thrown: unknown) => thrown);
    expect(error).toEqual(new UsageError(said));
  });

  it("is refused with the name if a folder stands for a file", async () => {
    const folder = await folderOf({ "workflows/look.md/notes": "" });
    const read = readFolder(folder, {});
    await expect(read).rejects.toThrow(/^Cannot read \S+\/workflows\/look\.md: [^']+\.$/);
  });

  it("is refused with the name if a link leads nowhere", async () => {
    const folder = await folderOf({ "workflows/look.md": WORKFLOW });
    await symlink("nowhere", join(folder, "workflows/other.md"));
    const said = "workflows/other.md: no such file or directory.";
    await expect(readFolder(folder, {})).rejects.toThrow(said);
  });

  it("is not written to", async () => {
    const folder = await folderOf({ workflows: "" });
    const written = writeIn(folder, "workflows/look.md", WORKFLOW);
    await expect(written).rejects.toThrow(`Cannot write ${join(folder, "workflows/look.md")}`);
  });
});

it("a file that begins with a byte order mark has the same settings as without", async () => {
  const files = { "workflows/look.md": WORKFLOW, "workflows/marked.md": `\uFEFF${WORKFLOW}` };
  const [look, marked] = await readFolder(await folderOf(files), {});
  expect(look?.settings).toEqual({ name: "look", prompt: "Say hello." });
  expect(marked?.settings).toEqual(look?.settings);
});
