import { and, avg, count, desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type ScoreAverage, type ScoreRecord, scoreRecord } from "../contract/rehearsals.ts";
import { scores } from "./schema.ts";

/** The most scores that an execution, and averages that a workflow, shows. */
const MOST = 100;

/** An execution that is judged. */
interface Judged {
  executionId: string;
  workflowId: string | null;
  revision: number | null;
  model: string;
}

/** Stores a score, in place of one of the same name by the same caller. */
export async function putScore(
  db: D1Database,
  accountId: string,
  judged: Judged,
  score: ScoreRecord,
): Promise<void> {
  const { name, by } = score;
  const changed = { value: Number(score.value), score: JSON.stringify(score) };
  await drizzle(db)
    .insert(scores)
    .values({ accountId, ...judged, name, byId: by.id, ...changed })
    .onConflictDoUpdate({
      target: [scores.accountId, scores.executionId, scores.name, scores.byId],
      set: changed,
    });
}

/** Returns the scores of an execution. */
export async function scoresOf(
  db: D1Database,
  accountId: string,
  executionId: string,
): Promise<ScoreRecord[]> {
  const rows = await drizzle(db)
    .select({ score: scores.score })
    .from(scores)
    .where(and(eq(scores.accountId, accountId), eq(scores.executionId, executionId)))
    .limit(MOST);
  return rows.map(({ score }) => scoreRecord.parse(JSON.parse(score)));
}

/** Averages the scores of a workflow by name, revision and model, the newest revision first. */
export async function averageScores(
  db: D1Database,
  accountId: string,
  workflowId: string,
): Promise<ScoreAverage[]> {
  const { name, revision, model } = scores;
  const rows = await drizzle(db)
    .select({ name, revision, model, average: avg(scores.value), count: count() })
    .from(scores)
    .where(and(eq(scores.accountId, accountId), eq(scores.workflowId, workflowId)))
    .groupBy(name, revision, model)
    .orderBy(desc(revision), name, model)
    .limit(MOST);
  return rows.map((row) => ({ ...row, average: Number(row.average) }));
}
