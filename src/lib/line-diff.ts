/** A line of two texts: in both, or only in the earlier or the later one. */
interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Pairs of lines beyond which two texts are shown as replaced as a whole: more take a Worker too long. */
const MOST_PAIRS = 1_000_000;

/** Returns the lines of two texts, with as many as can be in both (longest common subsequence). */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const isLong = old.length * now.length > MOST_PAIRS;
  // The number of lines that `old` from i on and `now` from j on have in common.
  const common = old.concat("").map(() => new Uint32Array(isLong ? 0 : now.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0 && !isLong; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const most = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      common[i]?.fill(most, j, j + 1);
    }
  }
  const lines: DiffLine[] = [];
  for (let [i, j] = [0, 0]; i < old.length || j < now.length; ) {
    const isSame = !isLong && i < old.length && old[i] === now[j];
    const isRemoved = i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1));
    const kind = isSame ? "same" : isRemoved ? "removed" : "added";
    lines.push({ kind, text: (kind === "added" ? now[j] : old[i]) ?? "" });
    if (kind !== "added") i += 1;
    if (kind !== "removed") j += 1;
  }
  return lines;
}
