/**
 * How much of each tool answer a language model sees, in characters of its JSON text. The rule:
 *
 * 1. What the user and the model said is never cut; it takes the conversation's room first.
 * 2. The newest answers, those to the model's last reply, come whole, up to ANSWER_LIMIT each. Only
 *    when so many came at once that they exceed the whole room, each gets an equal share of it.
 * 3. Older answers come just as whole, from the newest to the oldest, while there is room. From the
 *    first that does not fit on, every older one is cut to OLD_ANSWER_LIMIT.
 *
 * A conversation only grows, so an older answer that was cut once stays cut, and what a provider has
 * cached of the conversation's beginning stays valid for long.
 */
export const CONVERSATION_LIMIT = 240_000;
export const ANSWER_LIMIT = 16_384;
export const OLD_ANSWER_LIMIT = 1_024;

/**
 * How much of each answer is shown, in the order given. `lengths` are those of all answers, the oldest
 * first; the last `newest` of them answer the model's last reply; `fixed` is the length of all else.
 */
export function answerLimits(lengths: number[], newest: number, fixed: number): number[] {
  const room = CONVERSATION_LIMIT - fixed;
  const firstNewest = lengths.length - newest;
  const share = Math.max(OLD_ANSWER_LIMIT, Math.floor(room / Math.max(1, newest)));
  const newestLimit = Math.min(ANSWER_LIMIT, share);
  const limits = new Array<number>(lengths.length).fill(newestLimit);
  let used = 0;
  for (let index = lengths.length - 1; index >= 0; index--) {
    const isNewest = index >= firstNewest;
    used += Math.min(lengths[index] ?? 0, isNewest ? newestLimit : ANSWER_LIMIT);
    if (!isNewest) limits[index] = used <= room ? ANSWER_LIMIT : OLD_ANSWER_LIMIT;
  }
  return limits;
}
