import { describe, expect, it } from "vitest";
import type { ExecutionStatus } from "../../../../src/contract/execution.ts";
import { liveStream, type Watch } from "../../../../src/dashboard/pages/executions/live.ts";

interface Seen {
  status: ExecutionStatus;
  version: number;
}

/** A run that is seen in these states one after the other; null when it is gone. */
function watching(...states: (Seen | null)[]) {
  const asked: number[] = [];
  const pauses: number[] = [];
  const watch: Watch = {
    async next(sinceVersion) {
      asked.push(sinceVersion);
      const state = states.length > 1 ? states.shift() : states[0];
      if (state === undefined) throw new Error("nothing was to be asked");
      return state;
    },
    async pause(ms) {
      pauses.push(ms);
    },
  };
  return { watch, asked, pauses };
}

const active = (version: number): Seen => ({ status: "active", version });
const completed = (version: number): Seen => ({ status: "completed", version });
const changed = (version: number) => `id: ${version}\nevent: changed\ndata: ${version}\n\n`;
const ENDED = "event: ended\ndata:\n\n";

describe("the live stream of an execution", () => {
  it("tells each version once, and the end", async () => {
    const { watch, asked } = watching(active(4), active(6), completed(9));
    expect(await new Response(liveStream(3, watch)).text()).toBe(
      changed(4) + changed(6) + changed(9) + ENDED,
    );
    expect(asked).toEqual([3, 4, 6]);
  });

  it("tells only the end of an execution whose last version is known", async () => {
    expect(await new Response(liveStream(9, watching(completed(9)).watch)).text()).toBe(ENDED);
  });

  it("writes a comment when nothing has changed", async () => {
    const { watch } = watching(active(3), completed(4));
    expect(await new Response(liveStream(3, watch)).text()).toBe(
      `: nothing new\n\n${changed(4)}${ENDED}`,
    );
  });

  it("lets the page ask once more when the execution is gone", async () => {
    expect(await new Response(liveStream(3, watching(null).watch)).text()).toBe(changed(3) + ENDED);
  });

  it("looks ever more rarely at what changes all the time", async () => {
    const states = Array.from({ length: 20 }, (_, at) => active(at + 1));
    const { watch, pauses } = watching(...states, completed(99));
    await new Response(liveStream(0, watch)).text();
    expect(pauses.slice(0, 3)).toEqual([100, 200, 300]);
    expect(pauses.at(-1)).toBe(1_000);
  });

  it("ends before a request has made too many calls, for the reader to come back", async () => {
    const { watch, asked } = watching(active(3));
    const text = await new Response(liveStream(3, watch)).text();
    expect(asked.length).toBeLessThan(250);
    expect(text).not.toContain("ended");
  });

  it("asks nothing before it is read, and nothing more once the reader has gone", async () => {
    const { watch, asked } = watching(active(4), active(5), active(6));
    const reader = liveStream(3, watch).getReader();
    expect(asked).toEqual([]);
    await reader.read();
    await reader.cancel();
    expect(asked).toEqual([3]);
  });
});
