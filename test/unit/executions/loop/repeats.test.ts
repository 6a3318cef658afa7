import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/contract/json.ts";
import { found } from "../../../support/execution.ts";
import { asksFor, finishes, type Tool, world } from "./world.ts";

const gone: Tool = async () => ({
  answer: { ok: false, error: { code: "http_error", message: "It returned status 404." } },
});
const notFound: Tool = async () => ({
  answer: { ok: true, content: { status: 404, text: "No." } },
});

let ids = 0;
const asks = (tool: string, input: Json = { url: "https://a.example" }) =>
  asksFor({ callId: `c${ids++}`, tool, input });
const times = (count: number, tool: string) => Array.from({ length: count }, () => asks(tool));

/** Plays these steps, and returns the notes on the answers, in order. */
async function play(steps: ReturnType<typeof asks>[], tools: Record<string, Tool>) {
  const { play, requests, run } = world({ steps: [...steps, finishes()], tools });
  await run();
  const notes = play.turns.flatMap((turn) => (turn.role === "tool" ? [turn.note ?? ""] : []));
  return { play, requests, warned: notes.map((note) => /failed (\d) times/.exec(note)?.[1] ?? "") };
}

describe("a call that fails again and again", () => {
  it.each([
    ["browse", gone],
    ["http_request", notFound],
  ])(
    "gets a warning from the third time in a row, and ends the execution at the fifth: %s",
    async (tool, run) => {
      const { play: ended, requests, warned } = await play(times(6, tool), { [tool]: run });
      expect(warned).toEqual(["", "", "3", "4", ""]);
      expect(requests).toHaveLength(5);
      expect(ended.state).toMatchObject({
        status: "failed",
        stepsCompleted: 5,
        error: {
          code: "model_error",
          message: `The model repeats the same call: ${tool} failed 5 times in a row with the same input.`,
        },
      });
      expect(ended.logged("log")).toContainEqual({
        message: expect.stringMatching(/^The model was warned: This call failed 3 times in a row/),
        callId: expect.any(String),
      });
    },
  );

  it("is the same for any order of its fields, and with a default written out", async () => {
    const inputs = [
      { url: "u", headers: { a: "1", b: "2" } },
      { headers: { b: "2", a: "1" }, url: "u" },
      { url: "u", headers: { a: "1", b: "2" }, method: "GET" },
    ];
    const steps = inputs.map((input) => asks("browse", input));
    expect((await play(steps, { browse: gone })).warned).toEqual(["", "", "3"]);
  });

  it("counts if it was refused", async () => {
    const { play: ended, warned } = await play(times(5, "teleport"), { browse: gone });
    expect(warned).toEqual(["", "", "3", "4", ""]);
    expect(ended.state.error).toMatchObject({ code: "model_error" });
  });

  it("counts once for a reply that repeats it, beside others that fail as often", async () => {
    const both = () =>
      asksFor(
        ...[1, 1, 2].map((page) => ({ callId: `c${ids++}`, tool: "browse", input: { page } })),
      );
    const { warned } = await play([both(), both(), both()], { browse: gone });
    expect(warned).toEqual([...new Array(6).fill(""), "3", "3", "3"]);
  });

  it.each([
    ["another call", () => asks("browse", { url: "https://b.example" })],
    ["another tool", () => asks("http_request")],
  ])("restarts the count after %s", async (_, other) => {
    const steps = [...times(2, "browse"), other(), ...times(2, "browse")];
    const { play: ended, warned } = await play(steps, { browse: gone, http_request: notFound });
    expect(warned).toEqual(new Array(5).fill(""));
    expect(ended.state.status).toBe("completed");
  });

  it("restarts the count after a message of the user, who may ask for another try", async () => {
    let calls = 0;
    const { play, run } = world({
      steps: [...times(4, "browse"), finishes()],
      tools: {
        browse: (...call) => {
          if (++calls === 2) play.message("m1");
          return gone(...call);
        },
      },
    });
    await run();
    expect(play.logged("log")).toEqual([]);
    expect(play.state.status).toBe("completed");
  });

  it.each([
    ["begins a new row after a success", 3, ["", "", "", "", ""]],
    ["warns in each step until the call succeeds at last", 5, ["", "", "3", "4", ""]],
  ])("%s", async (_, success, expected) => {
    let calls = 0;
    const browse: Tool = (...call) =>
      ++calls === success ? Promise.resolve(found) : gone(...call);
    const { play: ended, warned } = await play(times(5, "browse"), { browse });
    expect(warned).toEqual(expected);
    expect(ended.state.status).toBe("completed");
  });
});
