/** What `work` makes of each item, in their order, with at most `most` of them under way at once. */
export async function mapAtMost<Item, Made>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  const rest = items.entries();
  async function takeTurns(): Promise<void> {
    for (const [at, item] of rest) made[at] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns));
  return made;
}
