/** Something that the person at the keyboard can mend: it is told in one sentence, without a stack. */
export class Trouble extends Error {
  override name = "Trouble";
}

/** Ends the process with the error told on stderr: a `Trouble` in its own words, a bug with its stack. */
export function failWith(error: unknown): never {
  console.error(error instanceof Trouble ? error.message : error);
  process.exit(1);
}
