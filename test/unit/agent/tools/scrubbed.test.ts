import { expect, it } from "vitest";
import { createToolset } from "../../../../src/agent/tools/registry.ts";
import { scrubbed } from "../../../../src/agent/tools/scrubbed.ts";
import { NO_SERVICES } from "../../../support/tool-services.ts";
import { toolContext } from "./support.ts";

const toolset = createToolset({
  tools: ["emit_output"],
  interactive: false,
  capabilities: { browser: false, search: false },
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
  const { answer, outputs } = await tools.run(
    "emit_output",
    input,
    toolContext({ services: NO_SERVICES }),
  );
  expect(answer).toMatchObject({ ok: true, content: { label: "My \ufffd" } });
  expect(outputs).toMatchObject([
    { label: "My \ufffd", value: { "[x] \ufffd": ["a [x]", "half \ufffd of 😀"] } },
  ]);
});
