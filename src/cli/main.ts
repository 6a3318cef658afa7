#!/usr/bin/env node
import { program } from "./program.ts";

const interrupting = new AbortController();
// Once: a second Ctrl-C ends the program at once, as ever.
process.once("SIGINT", () => interrupting.abort());
// Whoever read the output has read enough, as `head` does.
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
