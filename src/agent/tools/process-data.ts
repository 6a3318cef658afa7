import {
  type DataContent,
  type DataOperation,
  type ProcessDataInput,
  processDataInput,
} from "../../contract/tools/data.ts";
import { counted } from "../../lib/text.ts";
import { extractFrom } from "./process-data/extract.ts";
import {
  aggregateRows,
  distinctRows,
  filterRows,
  limitRows,
  selectColumns,
  sortRows,
} from "./process-data/operations.ts";
import { loadSource } from "./process-data/source.ts";
import {
  concatTables,
  type Extracted,
  MAX_CELLS,
  MAX_RESULT_BYTES,
  type Noted,
  type Table,
} from "./process-data/table.ts";
import { completeAnswer } from "./source-content.ts";
import { fitItems, storedBytes } from "./text.ts";
import { answering, CallFailure, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** Extracts rows from pages, answers and given text, and processes them. */
export const processData: Tool<ProcessDataInput> = {
  name: "process_data",
  description:
    "Takes rows out of earlier answers or given text, and filters, sorts, counts and sums them exactly, also what is too long to be shown. " +
    "Not for joins and formulas (run_code), nor for a single fact that you can read. " +
    'Example: {"sources": [{"callId": "call_1"}], "extract": {"kind": "table"}, "operations": [{"op": "filter", "column": "Price", "test": "gt", "value": 40}, {"op": "aggregate", "by": ["Maker"], "aggregates": [{"fn": "sum", "column": "Price"}]}]}.',
  input: processDataInput,
  kind: "local",
  describe: ({ sources, extract }) =>
    `Extracting ${extract.kind} from ${counted(sources.length, "source")}`,
  run: answering("invalid_input", run),
};

/** The extracted parts of all sources. */
interface Gathered {
  parts: Extracted[];
  notes: string[];
  /** The earlier calls that contributed rows. */
  basedOn: string[];
  /** Whether a source was cut before. */
  isSourceCut: boolean;
}

async function run(input: ProcessDataInput, context: ToolContext): Promise<ToolResult> {
  const gathered = gather(input, context);
  const content = contentOf(gathered, input.operations);
  const { cutAt } = content;
  return {
    answer: { ok: true, content },
    basedOn: gathered.basedOn,
    ...(cutAt !== undefined && { cut: cutAt }),
  };
}

/** Extracts from every source. A source without data is noted; if all fail, so does the call. */
function gather({ sources, extract }: ProcessDataInput, context: ToolContext): Gathered {
  const parts: Extracted[] = [];
  const notes: string[] = [];
  const basedOn = new Set<string>();
  const failures: CallFailure[] = [];
  let isSourceCut = false;
  for (const [index, source] of sources.entries()) {
    context.signal.throwIfAborted();
    const name = "callId" in source ? source.callId : `Source ${index + 1}`;
    try {
      const loaded = loadSource(source, (callId) => completeAnswer(callId, context));
      const part = extractFrom(loaded, extract);
      parts.push(part);
      isSourceCut ||= loaded.cut;
      notes.push(...part.notes);
      // Text in the call is the model's own.
      for (const callId of "callId" in source ? [source.callId] : context.cutReads)
        basedOn.add(callId);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      failures.push(error);
      notes.push(`${name}: ${error.message}`);
    }
  }
  const [first] = failures;
  if (parts.length === 0 && first !== undefined) throw first;
  if (parts.every(({ table }) => table.rows.length === 0)) notes.push(`No ${extract.kind} found.`);
  return { parts, notes, basedOn: [...basedOn], isSourceCut };
}

function contentOf(gathered: Gathered, operations: ProcessDataInput["operations"]): DataContent {
  const united = concatTables(gathered.parts.map(({ table }) => table));
  const { table, notes } = applyOperations(united.table, operations);
  const fitted = fitItems(table.rows, MAX_RESULT_BYTES - storedBytes(table.columns));
  const ownCut = united.cut || gathered.parts.some(({ cut }) => cut);
  const inputCut = ownCut || gathered.isSourceCut;
  const allNotes = [
    ...gathered.notes,
    ...(inputCut ? ["The data was too long, so part of it is left out."] : []),
    ...notes,
    ...(fitted.cut
      ? [
          `Only the first ${fitted.kept.length} of ${table.rows.length} rows fit the answer. Filter the rows or select fewer columns to read the others.`,
        ]
      : []),
  ];
  return {
    columns: table.columns,
    rows: fitted.kept,
    rowCount: table.rows.length,
    notes: [...new Set(allNotes)],
    cut: inputCut || fitted.cut,
    ...(ownCut
      ? { cutAt: `${MAX_CELLS} cells` }
      : fitted.cut && { cutAt: `${fitted.kept.length} of ${table.rows.length} rows` }),
  };
}

/** Applies operations to a table in order and stops at the first error. */
function applyOperations(table: Table, operations: readonly DataOperation[]): Noted {
  let current: Noted = { table, notes: [] };
  for (const operation of operations) {
    const next = runOperation(current.table, operation);
    current = { table: next.table, notes: [...current.notes, ...next.notes] };
  }
  return current;
}

function runOperation(table: Table, operation: DataOperation): Noted {
  switch (operation.op) {
    case "filter":
      return filterRows(table, operation);
    case "sort":
      return sortRows(table, operation);
    case "limit":
      return limitRows(table, operation);
    case "select":
      return selectColumns(table, operation);
    case "distinct":
      return distinctRows(table, operation);
    case "aggregate":
      return aggregateRows(table, operation);
  }
}
