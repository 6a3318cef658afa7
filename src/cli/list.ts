import type { Output } from "./terminal.ts";
import { columns } from "./text.ts";

/** Says the first `limit` items of a list, one at least: each as a record for scripts, all as a table for people. */
export async function listSome<Item>(
  output: Output,
  items: AsyncIterable<Item>,
  limit: number,
  heading: string[],
  cells: (item: Item) => string[],
): Promise<void> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === limit) break;
  }
  if (output.isJson) {
    for (const item of found) output.say(item, String);
  } else if (found.length === 0) {
    output.note("There are none.");
  } else {
    output.say(found, (all) => columns([heading, ...all.map(cells)]));
  }
}
