/** Returns the sum of the figures. */
export function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

/** Returns the only item with the largest figure. Throws on a tie: the answer would not be unique. */
export function most<Item>(items: readonly Item[], figure: (item: Item) => number): Item {
  const best = Math.max(...items.map(figure));
  return only(items.filter((item) => figure(item) === best));
}

/** Returns the only item. Throws when there is none or another. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length > 1) {
    throw new Error(`An expectation needs one item, not ${items.length}.`);
  }
  return item;
}

/** Returns the items sorted by a figure, the smallest first. Throws on a tie. */
export function ascending<Item>(items: readonly Item[], figure: (item: Item) => number): Item[] {
  if (new Set(items.map(figure)).size < items.length) {
    throw new Error("An expectation has an order that is not unique.");
  }
  return items.toSorted((a, b) => figure(a) - figure(b));
}

/** Returns the items sorted by a figure, the largest first. Throws on a tie. */
export function descending<Item>(items: readonly Item[], figure: (item: Item) => number): Item[] {
  return ascending(items, figure).toReversed();
}

/** Returns the items of each group, in the order of their first appearance. */
export function groups<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
): [key: string, items: Item[]][] {
  return [...Map.groupBy(items, key)];
}
