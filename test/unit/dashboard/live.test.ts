import { describe, expect, it } from "vitest";
import { liveStream, type Seen, type Watch } from "../../../src/dashboard/live.ts";

/** A page that shows these, one after the other; null when it is gone. */
function watching(...states: (Seen | null)[]) {
  const asked: string[] = [];
  const pauses: number[] = [];
  const watch: Watch = {
    async next(seen) {
      asked.push(seen);
      const state = states.length > 1 ? states.shift() : states[0];
      if (state === undefined) throw new Error("nothing was to be asked");
      return state;
    },
    waiting: async () => 2,
    async pause(ms) {
      pauses.push(ms);
    },
  };
  return { watch, asked, pauses };
}

const active = (seen: number): Seen => ({ seen: String(seen), isOver: false });
const over = (seen: number): Seen => ({ seen: String(seen), isOver: true });
const changed = (seen: number) => `id: ${seen}\nevent: changed\ndata: ${seen}\n\n`;
const WAITING = "event: waiting\ndata: 2\n\n";
const ENDED = "event: ended\ndata:\n\n";

const textOf = (seen: string, watch: Watch) => new Response(liveStream(seen, watch)).text();

describe("the stream of a page", () => {
  it("reports each change once, how many executions wait for a person, and the end", async () => {
    const { watch, asked } = watching(active(4), active(6), over(9));
    expect(await textOf("3", watch)).toBe(WAITING + changed(4) + changed(6) + changed(9) + ENDED);
    expect(asked).toEqual(["3", "4", "6"]);
  });

  it("reports only the end of what the page shows already", async () => {
    expect(await textOf("9", watching(over(9)).watch)).toBe(WAITING + ENDED);
  });

  it("writes a comment when nothing has changed", async () => {
    const { watch } = watching(active(3), over(4));
    expect(await textOf("3", watch)).toBe(`${WAITING}: nothing new\n\n${changed(4)}${ENDED}`);
  });

  it("lets the page ask once more when what it shows is gone", async () => {
    expect(await textOf("3", watching(null).watch)).toBe(WAITING + changed(3) + ENDED);
  });

  it("looks ever more rarely at what changes all the time", async () => {
    const states = Array.from({ length: 20 }, (_, at) => active(at + 1));
    const { watch, pauses } = watching(...states, over(99));
    await textOf("0", watch);
    expect(pauses.slice(0, 3)).toEqual([100, 200, 300]);
    expect(pauses.at(-1)).toBe(1_000);
  });

  it("ends before a request has made too many calls, for the reader to come back", async () => {
    const { watch, asked } = watching(active(3));
    expect(await textOf("3", watch)).not.toContain("ended");
    expect(asked.length).toBeLessThan(250);
  });

  it("asks nothing before it is read, and nothing more once the reader has gone", async () => {
    const { watch, asked } = watching(active(4), active(5), active(6));
    const reader = liveStream("3", watch).getReader();
    expect(asked).toEqual([]);
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(asked).toEqual(["3"]);
  });
});
