import { describe, expect, it } from "vitest";
import { COMMANDS, program } from "../../../src/cli/program.ts";
import { runAgainst, runProgram, testTerminal } from "../../support/cli/terminal.ts";
import { type Act, answer, hang, refuse, serving } from "../../support/scripted-service.ts";
import { CREDITS, EXECUTION_ID, emptyResult } from "../../support/states.ts";

const run = (argv: string[], { acts = [answer(CREDITS)], ...options }: Given = {}) =>
  runAgainst(acts, argv, options);
type Given = { acts?: Act[] } & Parameters<typeof runAgainst>[2];

describe("help", () => {
  it.each([[[]], [["--help"]], [["help"]], [["-h"]]])(
    "describes every command: %j",
    async (argv) => {
      const { exit, stdout, stderr } = await run(argv);
      expect(exit).toBe(0);
      expect(stderr).toBe("");
      for (const { name, summary } of COMMANDS) {
        expect(stdout).toContain(`  ${name}`);
        expect(stdout).toContain(summary);
      }
      expect(stdout).toContain("130  interrupted");
    },
  );

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    "of %s describes its arguments and options, without a request",
    async (name, command) => {
      const { exit, stdout, asked } = await run([...name.split(" "), "--help"]);
      expect(exit).toBe(0);
      expect(stdout).toContain(`Usage: prompthook ${name}`);
      for (const option of [...Object.keys(command.options ?? {}), "json", "url", "api-key"]) {
        expect(stdout).toContain(`--${option}`);
      }
      expect(asked).toEqual([]);
    },
  );

  it("of a group lists its commands", async () => {
    const { stdout } = await run(["decisions", "--help"]);
    expect(stdout).toContain("decisions approve <decision>");
    expect(stdout).not.toContain("trigger");
  });

  it("needs no settings", async () => {
    const terminal = testTerminal();
    expect(await program(["list", "--help"], terminal)).toBe(0);
  });

  it("is not triggered by an argument", async () => {
    const { asked } = await run(["trigger", "--", "--help"]);
    expect(asked.map(({ path, body }) => [path, JSON.parse(body).prompt])).toEqual([
      ["/api/v1/agent/trigger", "--help"],
    ]);
  });
});

it("prints its version", async () => {
  expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe("an invalid command line", () => {
  const CHOICES =
    "Choose a command: decisions list, decisions show, decisions approve, decisions deny, decisions answer.";
  const wrong: [string[], string][] = [
    [["fly"], 'Unknown command "fly".'],
    [["--profile", "live", "list"], 'Unknown command "--profile". Options follow the command.'],
    [["credits", "--api-key", " "], "The API key is empty"],
    [["lst"], 'Unknown command "lst". Did you mean list?'],
    [["list", "--limt", "3"], "Unknown option '--limt'. Did you mean --limit?"],
    [["list", "--status", "complete"], "Did you mean completed?"],
    [["decisions"], CHOICES],
    [["decisions", "eat"], CHOICES],
    [["list", "--limit"], "Option '--limit <value>' argument missing."],
    [["list", "--limit", "few"], '--limit must be a whole number of at least 1, not "few".'],
    [["list", "--limit", "0"], '--limit must be a whole number of at least 1, not "0".'],
    [["list", "--status", "fine"], "--status must be one of active, waiting_for_input"],
    [["list", "runs"], 'list does not take "runs".'],
    [["status"], "status needs <execution>."],
    [["trigger", "Do", "it"], 'trigger does not take "it". Quote text that contains spaces.'],
    [["trigger", "x", "--metadata", "seven"], '--metadata must be name=value, not "seven".'],
    [["trigger", "x", "--inputs", "/none"], "Cannot read /none"],
    [["trigger", "-", "--inputs", "-"], "Only one argument can be read from standard input."],
    [["replay", "ep", "req", "--payload", "/none"], "Cannot read /none"],
    [["replay", "ep", "req", "--dry-run"], "replay of one request does not take --dry-run."],
    [["replay", "--failed", "--payload", "-"], "replay of many requests does not take --payload."],
    [["trigger", "x", "--batch", "-"], "trigger --batch does not take a prompt."],
    [["retry"], "retry needs an execution, or --failed or --stopped."],
    [["replay", "--failed", "--since", "soon"], "--since needs a number and s, m, h or d"],
    [["endpoints", "update", "e", "--enable", "--disable"], "does not take --disable."],
    [["decisions", "deny"], "prompthook decisions deny --help for its usage."],
    [["fly"], "prompthook --help for the list of commands."],
    [["credits", "--url", "http://a.example"], '"http://a.example" is not an https'],
    [["credits", "--api-key", "a b"], "characters that an API key cannot have."],
  ];

  it.each(wrong)("exits with 2 and does nothing: %j", async (argv, message) => {
    const { exit, stdout, stderr, asked } = await run(argv);
    expect(stderr).toContain("error: ");
    expect(stderr).toContain(message);
    expect({ exit, stdout, asked }).toEqual({ exit: 2, stdout: "", asked: [] });
  });

  it.each([
    ["PROMPTHOOK_URL", "--url"],
    ["PROMPTHOOK_API_KEY", "--api-key"],
  ])("is invalid without %s", async (variable, option) => {
    const { exit, stderr } = await run(["credits"], { env: { [variable]: "" } });
    expect(exit).toBe(2);
    expect(stderr).toContain(`Set ${variable} or pass ${option}.`);
  });
});

it("reads its settings from the environment, overridden by options", async () => {
  const service = await serving(answer(CREDITS));
  const { url } = service;
  await runProgram(url, ["credits"]);
  const argv = ["credits", "--api-key", "ph_live_other", "--url", url];
  await runProgram("http://127.0.0.1:1", argv);
  expect(service.asked.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer ph_live_key",
    "Bearer ph_live_other",
  ]);
});

const away = refuse(503, "unavailable", { "Retry-After": "3600" });

describe("a refusal of the service", () => {
  const errors = [
    { path: "prompt", rule: "too_small", message: "must not be empty" },
    { path: "model", rule: "model", message: "is not there" },
  ];
  const acts = [refuse(400, "invalid_request", { errors })];

  it("is printed with its code, its fields and its request id, and exit code 3", async () => {
    const { exit, stdout, stderr } = await run(["trigger", "x"], { acts });
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(stderr).toBe(`error: It is invalid_request.
  model: is not there
  400 invalid_request, request req_1
`);
  });

  it("is one line of JSON on stderr for a script", async () => {
    const { exit, stdout, stderr } = await run(["trigger", "x", "--json"], { acts });
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      error: {
        message: "It is invalid_request.",
        status: 400,
        code: "invalid_request",
        errors,
        requestId: "req_1",
        retryAfterSeconds: null,
      },
    });
  });

  it("that is temporary exits with 4 and prints when to retry", async () => {
    const { exit, stderr } = await run(["credits"], { acts: [away] });
    expect(exit).toBe(4);
    expect(stderr).toContain("Try again in 3600 s.");
  });
});

describe("an execution that is watched while the service goes away", () => {
  it("can be watched again with the printed command", async () => {
    const { exit, stderr } = await run(["watch", EXECUTION_ID], { acts: [away] });
    expect(exit).toBe(4);
    expect(stderr).toContain(`Watch it again: prompthook watch ${EXECUTION_ID}`);
    expect(stderr).toContain("503 unavailable");
    const script = await run(["watch", EXECUTION_ID, "--json"], { acts: [away] });
    expect(JSON.parse(script.stderr)).toHaveProperty("error.code", "unavailable");
  });

  it("is not offered again if the service refuses", async () => {
    const acts = [refuse(404, "not_found")];
    const { exit, stderr } = await run(["watch", EXECUTION_ID], { acts });
    expect(exit).toBe(3);
    expect(stderr).not.toContain("Watch it again");
  });
});

it("refuses a folder that it cannot write, in words", async () => {
  const acts = [answer(emptyResult())];
  const argv = ["result", EXECUTION_ID, "--save", "/dev/null/out"];
  const { exit, stderr } = await run(argv, { acts });
  expect(stderr).toMatch(/^error: Cannot write \/dev\/null\/out: .+\n.+\n$/);
  expect(exit).toBe(2);
});

it("neutralizes control sequences in foreign text", async () => {
  const name = "\u001b[2J\u001b]0;title\u0007red\u009b31m";
  const destinations = [{ destinationId: "dst_1", format: "slack", status: "enabled", name }];
  const acts = [answer({ destinations, nextCursor: null })];
  const { stdout } = await run(["destinations", "list"], { acts });
  expect(stdout).toContain("�[2J�]0;title�red�31m");
});

it("prints the remaining credits", async () => {
  const balance = { availableCredits: 1_000, reservedCredits: 2, consumedCredits: 3 };
  const { stdout } = await run(["credits"], { acts: [answer({ ...CREDITS, ...balance })] });
  expect(stdout).toBe("1000 credits available, 2 held, 3 used\n");
});

it("ends at Ctrl-C, and warns that it may have acted", async () => {
  const service = await serving(hang);
  const env = { PROMPTHOOK_URL: service.url, PROMPTHOOK_API_KEY: "ph_live_key" };
  const terminal = testTerminal({ env });
  const running = program(["trigger", "x"], terminal);
  await expect.poll(() => service.asked.length).toBe(1);
  terminal.interrupt();
  expect(await running).toBe(130);
  expect(terminal.shown("stderr")).toContain("may still have taken effect");
});

it("trigger sends its settings", async () => {
  const accepted = { executionId: EXECUTION_ID, status: "active", availableCredits: 9 };
  const options = [
    ...["--model", "openai/x", "--tools", "browse,http_request", "--tools", "run_code"],
    ...["--max-credits", "7", "--max-steps", "3", "--timeout-seconds", "60"],
    ...["--metadata", "order=1007", "--metadata", "note=a=b", "--inputs", "-"],
  ];
  const acts = [answer(accepted, 202)];
  const { asked } = await run(["trigger", "Do it.", ...options], { acts, input: '{"page": "x"}' });
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
    prompt: "Do it.",
    model: "openai/x",
    tools: ["browse", "http_request", "run_code"],
    maxCredits: 7,
    maxSteps: 3,
    timeoutSeconds: 60,
    interactive: false,
    metadata: { order: "1007", note: "a=b" },
    inputs: { page: "x" },
  });
});
