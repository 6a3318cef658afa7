import { bind } from "../../../../../../src/agent/models/planner/parse/bind.ts";
import { understand } from "../../../../../../src/agent/models/planner/parse/understand.ts";
import type {
  Binding,
  Draft,
  Material,
} from "../../../../../../src/agent/models/planner/program.ts";

/** A page with one table. */
export interface TablePage {
  title: string;
  columns: string[];
  rows: string[][];
  /** The rows of the next page, if there is one. */
  next?: string[][];
}

/** What became of a prompt: what it does in canonical English, or why it does nothing. */
export interface ReadingOf {
  says: string[];
  refused: string | null;
  words: string[];
  choices: string[];
  draft: Draft | null;
}

const NOTHING: ReadingOf = { says: [], refused: null, words: [], choices: [], draft: null };

/** Reads a prompt, and messages after it, on a page with one table at http://page.test/. */
export function readOn(page: TablePage, ...texts: string[]): ReadingOf {
  const instructions = texts.map((text) => ({ text, answers: null }));
  const understanding = understand(instructions, null);
  switch (understanding.kind) {
    case "stopped":
      return { ...NOTHING, refused: "stopped" };
    case "program":
      return { ...NOTHING, says: understanding.program.parts.map(({ says }) => says) };
    case "draft": {
      const { draft } = understanding;
      const materials = draft.sources.map(({ id }) => materialOf(id, page));
      const binding = bind(draft, materials, instructions, null);
      return { ...bound(binding), draft };
    }
    default:
      return {
        ...NOTHING,
        refused: understanding.refusal.reason,
        words: understanding.refusal.words,
      };
  }
}

function bound(binding: Binding): ReadingOf {
  if (binding.kind === "program") {
    const parts = binding.program.parts.map(({ says }) =>
      says.replace(/ in "[^"]*"| \(http[^)]*\)/g, ""),
    );
    return { ...NOTHING, says: [...parts, ...binding.program.deliveries.map(({ says }) => says)] };
  }
  const { reason, words } = binding.refusal;
  const choices = binding.kind === "ask" ? binding.question.choices : [];
  return { ...NOTHING, refused: reason, words, choices };
}

function materialOf(sourceId: string, { title, columns, rows, next }: TablePage): Material {
  const page = (place: number, cells: string[][]) => ({
    url: `http://page.test/${place === 0 ? "" : place}`,
    from: { callId: `call_${place}` },
    callId: `call_${place}`,
    title,
    text: title,
    headings: [{ level: 1, text: title }],
    links: [],
    items: [],
    cut: false,
    tables: [
      {
        caption: title,
        columns,
        rows: cells,
        extract: { kind: "table" as const, index: 0 },
        kind: "table" as const,
      },
    ],
  });
  return { sourceId, pages: [page(0, rows), ...(next ? [page(1, next)] : [])], further: false };
}
