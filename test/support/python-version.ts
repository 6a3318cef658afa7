import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Whether this machine has a Python that the client takes, 3.11 or later. */
export const hasPython = await promisify(execFile)("python3", ["--version"]).then(
  ({ stdout }) => Number(/^Python 3\.(\d+)/.exec(stdout)?.[1]) >= 11,
  () => false,
);
