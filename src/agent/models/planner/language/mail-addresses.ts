import { emailAddress } from "../../../../contract/tools/send-email.ts";
import type { Block } from "./literals.ts";

const WRITTEN =
  /(?<![\w.%+@-])(?:mailto:)?([a-z0-9_][\w.%+'-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24})(?![\w@])/gi;
const LITERAL = /(str|blk)(\d+)_/g;

/** What of a prompt the addresses in its text may stand for. */
export interface Quoted {
  strings: readonly string[];
  blocks: readonly Block[];
}

/** The e-mail addresses that a quoted text or a given list consists of; none when it holds anything else. */
function literalAddresses(kind: string, at: number, { strings, blocks }: Quoted): string[] {
  const block = blocks[at];
  const value = kind === "str" ? strings[at] : block?.kind === "json" ? block.value : undefined;
  const values = Array.isArray(value) ? value : [value];
  const parsed = values.map((one) => emailAddress.safeParse(one));
  return parsed.every(({ success }) => success) ? parsed.flatMap(({ data }) => data ?? []) : [];
}

/**
 * Puts `mail0_`, `mail1_`, … in the place of e-mail addresses, so that nothing else in the sentence
 * can change them: those written out, and quoted or handed-in values that are addresses.
 */
export function takeMailAddresses(
  text: string,
  quoted: Quoted,
): { text: string; addresses: string[] } {
  const addresses: string[] = [];
  const token = (address: string): string => `mail${addresses.push(address) - 1}_`;
  const marked = text.replace(WRITTEN, (raw, address: string) =>
    emailAddress.safeParse(address).success ? token(address) : raw,
  );
  const all = marked.replace(LITERAL, (raw, kind: string, at: string) => {
    const found = literalAddresses(kind, Number(at), quoted);
    return found.length === 0 ? raw : found.map(token).join(", ");
  });
  return { text: all, addresses };
}

/** The text with the addresses back in their places. */
export function putBack(text: string, addresses: readonly string[]): string {
  return text.replace(/mail(\d+)_/g, (_raw, at: string) => addresses[Number(at)] ?? "");
}
