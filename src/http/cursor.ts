import * as z from "zod";
import { fromBase64, toBase64Url } from "../lib/encoding.ts";
import { invalid } from "./problem.ts";

/** The last item of the page before, in a list from the newest to the oldest. */
export interface Position {
  /** Epoch milliseconds. */
  createdAt: number;
  id: string;
}

const stored = z.strictObject({ v: z.literal(1), t: z.int(), id: z.string().max(100) });

/** A position as clients carry it: opaque, so that what is inside may change. */
export function encodeCursor({ createdAt, id }: Position): string {
  const text = JSON.stringify({ v: 1, t: createdAt, id } satisfies z.infer<typeof stored>);
  return toBase64Url(new TextEncoder().encode(text));
}

/** The position of a cursor that we gave out; throws a 400 for any other text. */
export function decodeCursor(cursor: string): Position {
  const bytes = fromBase64(cursor);
  const parsed = stored.safeParse(bytes && jsonOrNull(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw invalid("cursor", "cursor", "is not a cursor of this list");
  return { createdAt: parsed.data.t, id: parsed.data.id };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
