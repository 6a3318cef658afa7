import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { readFolder } from "../../../src/cli/folder/read.ts";
import { folderOfTest } from "../../support/until-end.ts";

/** Files that are wrong, with what is said of each. */
const WRONG: Record<string, [text: string, said: string]> = {
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

it("reports every fault of a folder with its file and line, and a folder that does not exist", async () => {
  const folder = await folderOfTest();
  const good = ["---\nname: look\n---\n\nLook.\n", ""];
  for (const [file, [text = ""]] of Object.entries({ ...WRONG, "workflows/look-0.md": good })) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const { message } = await readFolder(folder, {}).catch((error) => error);
  const lines = message.split("\n").sort();
  const said = Object.values(WRONG).map(([, said]) => said);
  expect(lines).toEqual(
    said
      .filter((each) => each !== "")
      .sort()
      .map((each) => expect.stringContaining(each)),
  );
  await expect(readFolder(`${folder}-mistyped`, {})).rejects.toThrow("is not a folder.");
});
