import { describe, expect, it } from "vitest";
import { bind } from "../../../../../../src/agent/models/planner/parse/bind.ts";
import { understand } from "../../../../../../src/agent/models/planner/parse/understand.ts";
import { play } from "../run/play.ts";

const TEAM = "http://team.test/";

/** What a prompt about the team comes to. */
async function outcome(prompt: string) {
  const { finish } = await play(`${prompt} ${TEAM}`, { understand, bind });
  return finish.status === "completed" ? finish.data : finish.status;
}

describe("a number, a date or a name of the prompt", () => {
  it("stands in the program", async () => {
    expect(await outcome("How many people are older than 30?")).toBe(3);
    expect(await outcome("average salary of the people in Paris")).toBe(75_000);
  });

  it.each([
    "average salary of people over 30",
    "How many people have 7 children?",
    "list the people of 2019",
  ])("has the prompt refused where it would have no effect: %s", async (prompt) => {
    expect(await outcome(prompt)).toBe("failed");
  });
});
