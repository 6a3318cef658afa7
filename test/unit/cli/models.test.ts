import { expect, it } from "vitest";
import { runAgainst } from "../../support/cli/terminal.ts";
import { answer } from "../../support/scripted-service.ts";

const provider = { providerId: "prov_4kQ0mYb2Zt7RcX1a", baseUrl: "https://models.acme.example/v1" };
const models = [
  {
    model: "gateway/large",
    contextWindow: 128_000,
    price: { input: 1, output: 4 },
    source: "the account's provider gateway",
    supports: { tools: true, images: false, streaming: true },
    default: true,
  },
];

const cli = (argv: string[], body: unknown, status = 200) =>
  runAgainst([answer(body, status)], argv);

it("models list shows the default, the price and what makes a model usable", async () => {
  const { stdout } = await cli(["models", "list"], { models });
  expect(stdout.split("\n")[1]).toMatch(
    /^gateway\/large \(default\) +128000 +1\/4 +the account's provider gateway$/,
  );
});

it("models add reads the key from a variable, never from the command line", async () => {
  const argv = ["models", "add", "gateway", "openai", "--key-env", "NOWHERE"];
  const { stderr, exit, asked } = await cli(argv, provider, 201);
  expect([exit, stderr]).toEqual([2, expect.stringContaining("--key-env")]);
  expect(asked).toHaveLength(0);
});

it("models add prints the id of the provider", async () => {
  const argv = ["models", "add", "gateway", "openai-compatible", "--model", "a,b"];
  const asked = [...argv, "--base-url", provider.baseUrl, "--key-env", "PROMPTHOOK_API_KEY"];
  const { stdout } = await cli(asked, provider, 201);
  expect(stdout).toBe(`${provider.providerId}\n`);
});

it("models test exits with 1 if a model does not work", async () => {
  const trial = { ok: false, message: "It does not call tools.", durationMs: 12 };
  const { stdout, exit } = await cli(["models", "test", provider.providerId], trial);
  expect([exit, stdout]).toEqual([1, "It does not call tools. (12 ms)\n"]);
});
