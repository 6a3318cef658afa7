import { describe, expect, it } from "vitest";
import { PrompthookError } from "../../../src/client/error.ts";
import { PROBLEMS, type ProblemCode } from "../../../src/contract/problem.ts";
import { liveStream, type Seen, WAIT_MS, type Watch } from "../../../src/dashboard/live.ts";

const refusal = (code: ProblemCode, retryAfterSeconds: number | null = null) =>
  new PrompthookError(
    { type: "/", ...PROBLEMS[code], detail: "no", code, requestId: "r" },
    retryAfterSeconds,
  );

/** What a look at a page finds: what it shows, null when it is gone, or why it cannot be read. */
type Found = Seen | null | PrompthookError;

/**
 * A page that shows these, one after the other, in an account that changes each time unless `accountChanges`
 * says otherwise. Waits take their time of a clock of their own.
 */
function watching(
  states: Found[],
  {
    waits = false,
    accountChanges = () => true,
  }: { waits?: boolean; accountChanges?: () => boolean } = {},
) {
  const asked: string[] = [];
  const pauses: number[] = [];
  let reads = 0;
  let clock = 0;
  const watch: Watch = {
    waits,
    async account() {
      reads += 1;
      const isChanged = reads === 1 || accountChanges();
      if (!isChanged) clock += WAIT_MS;
      return { isChanged, waiting: 2 };
    },
    async look(seen) {
      asked.push(seen);
      reads += 1;
      if (waits) clock += 30_000;
      const state = states.length > 1 ? states.shift() : states[0];
      if (state === undefined) throw new Error("nothing was to be asked");
      if (state instanceof Error) throw state;
      return state;
    },
    async pause(ms) {
      pauses.push(ms);
      clock += ms;
    },
    now: () => clock,
  };
  return { watch, asked, pauses, minutes: () => clock / 60_000, reads: () => reads };
}

const active = (seen: number): Seen => ({ seen: String(seen), isOver: false });
const over = (seen: number): Seen => ({ seen: String(seen), isOver: true });
const changed = (seen: number) => `id: ${seen}\nevent: changed\ndata: ${seen}\n\n`;
const WAITING = "event: waiting\ndata: 2\n\n";
const QUIET = ": nothing new\n\n";
const PAUSED = "event: paused\ndata:\n\n";
const RESUMED = "event: resumed\ndata:\n\n";
const ENDED = "event: ended\ndata:\n\n";

const textOf = (seen: string, watch: Watch) => new Response(liveStream(seen, watch)).text();

describe("the stream of a page", () => {
  it("reports each change once, how many executions wait for a person, and the end", async () => {
    const { watch, asked } = watching([active(4), active(6), over(9)]);
    expect(await textOf("3", watch)).toBe(WAITING + changed(4) + changed(6) + changed(9) + ENDED);
    expect(asked).toEqual(["3", "4", "6"]);
    expect(await textOf("9", watching([over(9)]).watch)).toBe(WAITING + ENDED);
    const { watch: quiet } = watching([active(3), over(4)]);
    expect(await textOf("3", quiet)).toBe(WAITING + QUIET + changed(4) + ENDED);
  });

  it("lets the page reload once when its subject is gone", async () => {
    for (const gone of [null, refusal("unauthorized"), refusal("not_found")]) {
      expect(await textOf("3", watching([gone]).watch)).toBe(changed(3) + ENDED);
    }
  });

  it("polls less and less often what changes all the time", async () => {
    const states = Array.from({ length: 40 }, (_, at) => active(at + 1));
    const { watch, pauses } = watching([...states, over(99)]);
    await textOf("0", watch);
    expect(pauses.slice(0, 3)).toEqual([100, 200, 300]);
    expect(pauses.at(-1)).toBe(3_000);
  });

  it("ends before it exceeds the calls of one request, and the reader reconnects", async () => {
    const { watch, asked } = watching([active(3)]);
    expect(await textOf("3", watch)).not.toContain("ended");
    expect(asked.length).toBeLessThan(250);
  });

  it("polls only while it is read", async () => {
    const { watch, asked } = watching([active(4), active(5), active(6)]);
    const reader = liveStream("3", watch).getReader();
    expect(asked).toEqual([]);
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(asked).toEqual(["3"]);
  });

  it("of an idle account makes at most two reads a minute", async () => {
    const idle = watching([active(3)], { accountChanges: () => false });
    expect(await textOf("3", idle.watch)).toBe(WAITING + QUIET.repeat(150));
    expect(idle.reads() / idle.minutes()).toBeLessThan(2);
    expect(idle.asked.length / idle.minutes()).toBeGreaterThan(0.4);
  });

  it("reads each time a subject that itself waits for changes", async () => {
    const { watch } = watching([active(3), active(3), over(4)], {
      waits: true,
      accountChanges: () => false,
    });
    expect(await textOf("3", watch)).toBe(WAITING + QUIET + QUIET + changed(4) + ENDED);
  });
});

describe("the stream of a rate-limited page", () => {
  it("reports the pause, waits as long as required, and resumes", async () => {
    const { watch, asked, pauses } = watching(
      [active(4), refusal("rate_limited", 7), refusal("unavailable"), active(5), over(6)],
      { waits: true },
    );
    expect(await textOf("3", watch)).toBe(
      `${WAITING}${changed(4)}${PAUSED}: paused\n\n${RESUMED}${changed(5)}${changed(6)}${ENDED}`,
    );
    expect(pauses).toEqual([100, 7_000, 15_000, 200]);
    expect(asked).toEqual(["3", "4", "4", "4", "5"]);
  });

  it("reads the page again after a refusal, even if the account has not changed", async () => {
    const { watch } = watching([refusal("rate_limited", 1), over(4)], {
      accountChanges: () => false,
    });
    expect(await textOf("3", watch)).toBe(PAUSED + RESUMED + WAITING + changed(4) + ENDED);
  });

  it("survives an internal error of the service", async () => {
    const { watch } = watching([over(4)]);
    let calls = 0;
    const failing: Watch = {
      ...watch,
      account: async () => {
        calls += 1;
        if (calls === 1) throw new Error("a bug");
        return watch.account();
      },
    };
    expect(await textOf("3", failing)).toBe(PAUSED + RESUMED + WAITING + changed(4) + ENDED);
  });
});

it("streams a text between the changes of a page, and ends with them", async () => {
  let say: (text: string) => void = () => {};
  let isOver = false;
  const { watch } = watching([over(4)]);
  const stream = liveStream("3", watch, async (onText, signal) => {
    say = onText;
    signal.addEventListener("abort", () => {
      isOver = true;
    });
  });
  say("First\nline");
  const text = 'event: text\ndata: "First\\nline"\n\n';
  expect(await new Response(stream).text()).toBe(text + WAITING + changed(4) + ENDED);
  expect(isOver).toBe(true);
  say("Too late.");
});

it("ends a text with its reader, and continues if a text fails", async () => {
  let isOver = false;
  const { watch } = watching([active(4), over(5)]);
  const left = liveStream("3", watch, async (_, signal) => {
    signal.addEventListener("abort", () => {
      isOver = true;
    });
  });
  await left.cancel();
  expect(isOver).toBe(true);
  const failing = liveStream("3", watching([over(4)]).watch, async () => {
    throw new Error("no text");
  });
  expect(await new Response(failing).text()).toBe(WAITING + changed(4) + ENDED);
});
