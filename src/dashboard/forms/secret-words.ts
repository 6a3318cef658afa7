/** What is told of a secret that is kept: short ones show no end of themselves. */
export function keptWords(last4: string): string {
  return last4 === "" ? "set" : `set, ends in ${last4}`;
}

/** The same as a hint beside the control that would replace it. */
export function keepHint(last4: string): string {
  return `It is ${keptWords(last4)}. Leave this empty to keep it.`;
}
