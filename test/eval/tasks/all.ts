import type { Task } from "../task.ts";
import { EFFECTS } from "./effects.ts";
import { FIGURES } from "./figures.ts";
import { FILES } from "./files.ts";
import { FOLLOWING } from "./following.ts";
import { HONEST } from "./honest.ts";
import { LONG } from "./long.ts";
import { READING } from "./reading.ts";
import { SHAPES } from "./shapes.ts";
import { FALLBACK, WAITING } from "./waiting.ts";

/** The tasks by what they show of a model. */
export const TASKS: Record<string, readonly Task[]> = {
  reading: READING,
  following: FOLLOWING,
  figures: FIGURES,
  files: FILES,
  effects: EFFECTS,
  shapes: SHAPES,
  long: LONG,
  honest: HONEST,
  waiting: WAITING,
  fallback: FALLBACK,
};
