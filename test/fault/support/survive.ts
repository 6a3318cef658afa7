import {
  expectAllEnded,
  expectBalanced,
  expectCalledBack,
  expectEffectsOnce,
  expectOneRowEach,
} from "./audit.ts";
import { runWithKills, startWorld } from "./kills.ts";
import { chooseSeed, seededRandom } from "./random.ts";

/**
 * Kills the service `cycles` times while it works and checks all that it owes afterwards. Answers the
 * number of executions that it had accepted.
 */
export async function surviveKills(cycles: number): Promise<number> {
  const world = await startWorld();
  try {
    const accepted = await runWithKills(world, cycles, seededRandom(chooseSeed()));
    const results = await expectAllEnded(world, accepted);
    await expectOneRowEach(world, results);
    expectEffectsOnce(world, results);
    await expectBalanced(world, results);
    await expectCalledBack(world, accepted);
    return accepted.length;
  } finally {
    await world.close();
  }
}
