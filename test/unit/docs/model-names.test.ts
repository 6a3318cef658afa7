import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NAMED_MODELS } from "../../../src/agent/models/catalogue.ts";

const TABLE = "src/agent/models/catalogue.ts";
const known = Object.values(NAMED_MODELS);

/** `provider/name`, but no path, and no form such as `openai/<model>`. */
const NAMED =
  /(?<![\w./-])(?:openai|anthropic|workers-ai|google|openrouter|ollama|lmstudio)\/(?!@cf\/<)[@\w][\w@.:/-]*/g;
/** Names that are clear without their provider. */
const BARE =
  /(?<![\w./-])(?:gpt-[\do][\w.-]*|claude-(?:opus|sonnet|haiku|fable|\d)[\w.-]*|gemini-\d[\w.-]*|o\d-mini)/gi;

/** The names of models in a text, without those of files. */
function namesIn(text: string): string[] {
  return [...text.matchAll(NAMED), ...text.matchAll(BARE)]
    .map(([name]) => name.replace(/[.:]$/, ""))
    .filter((name) => !/\.(?:ts|md)$/.test(name));
}

it("no file names a model outside the table", () => {
  const files = globSync([
    "src/**/*.{ts,tsx}",
    "scripts/**/*.ts",
    "docs/*.md",
    "README.md",
    "CONTRIBUTING.md",
    "wrangler.toml",
  ]).filter((file) => file !== TABLE);
  expect(files.length).toBeGreaterThan(500);
  const listed: string[] = known.flatMap(({ name }) => [name, name.slice(name.indexOf("/") + 1)]);
  const unlisted = files.flatMap((file) =>
    namesIn(readFileSync(file, "utf8"))
      .filter((name) => !listed.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(unlisted).toEqual([]);
});

it("finds names of models, and ignores paths and placeholders", () => {
  const text =
    '"openai/gpt-5-mini" anthropic/claude-haiku-4-5, `workers-ai/@cf/meta/llama-3.3`; gpt-4o or o3-mini.';
  expect(namesIn(text)).toEqual([
    "openai/gpt-5-mini",
    "anthropic/claude-haiku-4-5",
    "workers-ai/@cf/meta/llama-3.3",
    "gpt-4o",
    "o3-mini",
  ]);
  const others =
    'openai/<model> workers-ai/@cf/<model> "./openai/x" https://a.example/workers-ai/limits "openai/model.ts"';
  expect(namesIn(others)).toEqual([]);
});
