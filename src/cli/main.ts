#!/usr/bin/env node
import { program } from "./program.ts";

const interrupting = new AbortController();
// Only once: a second Ctrl-C ends the program immediately.
process.once("SIGINT", () => interrupting.abort());
// A reader such as `head` may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 70);
});

process.exitCode = await program(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: interrupting.signal,
});
