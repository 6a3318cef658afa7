import { Readable } from "node:stream";
import { program } from "../../../src/cli/program.ts";
import type { Screen, Terminal } from "../../../src/cli/terminal.ts";
import { type Act, startScript } from "../scripted-service.ts";

/** A terminal that remembers what was shown on it. */
export interface TestTerminal extends Terminal {
  shown(screen: "stdout" | "stderr"): string;
  interrupt(): void;
}

/** Makes a terminal: with colours and a width where it is for people, else like a pipe. */
export function testTerminal({
  env = {},
  input = "",
  people = false,
}: {
  env?: Record<string, string>;
  input?: string;
  people?: boolean;
} = {}): TestTerminal {
  const shown = { stdout: "", stderr: "" };
  const screen = (name: keyof typeof shown): Screen => ({
    write(text) {
      shown[name] += text;
    },
    ...(people && { isTTY: true, columns: 60, hasColors: () => true }),
  });
  const interrupting = new AbortController();
  return {
    env,
    stdin: Readable.from([input]),
    stdout: screen("stdout"),
    stderr: screen("stderr"),
    interrupted: interrupting.signal,
    shown: (name) => shown[name],
    interrupt: () => interrupting.abort(),
  };
}

/** Runs a command line against a service. */
export async function runProgram(
  url: string,
  argv: string[],
  options: Parameters<typeof testTerminal>[0] = {},
): Promise<{ exit: number; stdout: string; stderr: string }> {
  // Nobody has signed in.
  const none = { XDG_CONFIG_HOME: "/nowhere" };
  const env = { ...none, PROMPTHOOK_URL: url, PROMPTHOOK_API_KEY: "ph_live_key", ...options.env };
  const terminal = testTerminal({ ...options, env });
  const exit = await program(argv, terminal);
  return { exit, stdout: terminal.shown("stdout"), stderr: terminal.shown("stderr") };
}

/** Runs a command line against a service that meets each request with the next act; `asked` are the requests. */
export async function runAgainst(
  acts: Act[],
  argv: string[],
  options: Parameters<typeof testTerminal>[0] = {},
) {
  const service = await startScript(...acts);
  try {
    return { ...(await runProgram(service.url, argv, options)), asked: service.asked };
  } finally {
    await service.close();
  }
}
