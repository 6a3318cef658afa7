import { expect, it } from "vitest";
import { scrubbed } from "../../../../src/agent/tools/scrubbed.ts";
import { createToolset } from "../../../../src/agent/tools/toolset.ts";
import { ownTools } from "../../../support/own-tools.ts";
import { toolContext } from "./support.ts";

const toolset = createToolset({
  tools: ["emit_output"],
  interactive: false,
  own: ownTools(),
  remote: [],
  outputSchema: null,
});
const tools = scrubbed(toolset, async () => ({
  text: (text) => text.replaceAll("secret", "[x]"),
  bytes: (bytes) => bytes,
}));

it("removes secrets and lone surrogates from what a tool returns, the names of fields included", async () => {
  const value = { "secret \ud83d": ["a secret", "half \ude00 of 😀"] };
  const input = { label: "My \ud83d", type: "json", value };
  const { answer, outputs } = await tools.run("emit_output", input, toolContext({}));
  expect(answer).toMatchObject({ ok: true, content: { label: "My \ufffd" } });
  expect(outputs).toMatchObject([
    { label: "My \ufffd", value: { "[x] \ufffd": ["a [x]", "half \ufffd of 😀"] } },
  ]);
});
