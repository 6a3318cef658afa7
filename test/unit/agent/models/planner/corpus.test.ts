import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { bind } from "../../../../../src/agent/models/planner/parse/bind.ts";
import { understand } from "../../../../../src/agent/models/planner/parse/understand.ts";
import { json } from "../../../../../src/contract/json.ts";
import { play } from "./run/play.ts";
import { WEB } from "./support/sites/all.ts";

/** A prompt with its program, as the plan says it, and its answer; or one that must be refused. */
const corpusCase = z.union([
  z.strictObject({ prompt: z.string(), plan: z.array(z.string()), data: json }),
  z.strictObject({ prompt: z.string(), refused: z.literal(true) }),
]);

const CASES = readFileSync(join(import.meta.dirname, "corpus.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => corpusCase.parse(JSON.parse(line)));

test.for(CASES)("reads $prompt", async (wanted) => {
  const { finish, replies } = await play(wanted.prompt, { understand, bind }, { site: WEB });
  if ("refused" in wanted) {
    expect(finish.status).toBe("failed");
    return;
  }
  const plan = replies.flatMap((reply) => (reply.plan ? [reply.plan] : [])).at(-1);
  expect({ data: finish.data ?? null, plan }).toEqual({ data: wanted.data, plan: wanted.plan });
});
