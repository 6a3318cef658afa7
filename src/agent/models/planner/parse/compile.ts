import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import { addsUp, contradicts, isAdditive, isQuantity, LABELS } from "../laws/laws.ts";
import { completed } from "../laws/questions.ts";
import type { Filter, Frame } from "./frame.ts";
import { countRows, filterOf, sayFilter, TEST_WORDS, whereOf } from "./say.ts";
import type { Column, TableFacts } from "./table.ts";

/** What a question comes to on one table. */
export interface Compiled {
  shape:
    | { kind: "table" | "list" | "value" | "count" | "exists" }
    | { kind: "every"; all: DataOperation[] }
    | {
        kind: "figures";
        operator: "difference" | "percent";
        second: DataOperation[];
        labels: [string, string];
      };
  operations: DataOperation[];
  /** The operations that say which rows it is about; a later part may inherit them. */
  rows: DataOperation[];
  /** Canonical English of what is done. */
  says: string;
}

/** A reading that means something, or the reason why it does not. */
export type Compilation = { ok: true; compiled: Compiled } | { ok: false; reason: string };

/** What `compile` needs of the table's rows. */
export interface Evaluator {
  facts: TableFacts;
  /** Runs operations on the table; null if they fail. */
  run(operations: readonly DataOperation[]): { columns: string[]; rows: unknown[][] } | null;
}

type Names = readonly Column[];

const nothing = (reason: string): Compilation[] => [{ ok: false, reason }];

/** Compiles a frame into the operations of `process_data`; several readings if the frame leaves them open. */
export function compile(
  given: Frame,
  evaluator: Evaluator,
  inherited: readonly DataOperation[],
): Compilation[] {
  const frame = completed(given, evaluator.facts);
  if (typeof frame === "string") return nothing(frame);
  if (contradicts(frame)) return nothing("no row can meet both conditions");
  if (frame.together && !addsUp(frame)) return nothing('"together" adds nothing up');
  const builder = new Builder(frame, evaluator, inherited);
  return builder.compile();
}

class Builder {
  readonly #frame: Frame;
  readonly #evaluator: Evaluator;
  readonly #inherited: readonly DataOperation[];

  constructor(frame: Frame, evaluator: Evaluator, inherited: readonly DataOperation[]) {
    this.#frame = frame;
    this.#evaluator = evaluator;
    this.#inherited = inherited;
  }

  compile(): Compilation[] {
    const { ask, common, group, figures, extreme } = this.#frame;
    if (figures.length > 0 && this.#isOneRow())
      return nothing("a figure of a single row says nothing");
    if (ask === "percent") return [this.#percent()];
    if (ask === "difference" || ask === "range") return [this.#difference()];
    if (ask === "every") return [this.#every()];
    if (ask === "exists" || ask === "yesno") return [this.#exists()];
    if (common !== null) return [this.#common()];
    if (group.length > 0) return [this.#grouped(group)];
    if (figures.length > 0 && extreme?.column === null) return [this.#extremeGroup()];
    if (figures.length > 0) return [this.#figures()];
    if (extreme !== null && extreme.column === null) {
      const ordered =
        this.#inherited.some(({ op }) => op === "sort") && extreme.alone && extreme.descending;
      if (!ordered) return [this.#fullestGroup()];
      // "the top 2" of rows that were sorted before.
      this.#frame.extreme = null;
      return [this.#shown()];
    }
    const isCount = ask === "count" || ask === "howmany";
    const isOne =
      ask === "howmany" && this.#frame.wants.filter(({ kind }) => kind === "number").length === 1;
    if (this.#frame.having !== null) return [this.#having(this.#frame.having)];
    if (isCount && extreme === null) return this.#counted();
    if (isCount && !isOne) return nothing("a count has no highest row");
    if (ask === "howmuch" && extreme === null && group.length === 0) return this.#amount();
    if (extreme !== null) return this.#extremes();
    return [this.#shown()];
  }

  get #filters(): DataOperation[] {
    return [
      ...this.#inherited,
      ...this.#frame.filters.map(filterOf),
      ...(this.#frame.dedupe ? [{ op: "distinct" as const }] : []),
    ];
  }

  #done(
    shape: Compiled["shape"],
    operations: DataOperation[],
    says: string,
    rows: DataOperation[] = this.#filters,
  ): Compilation {
    return { ok: true, compiled: { shape, operations, rows, says } };
  }

  /** Whether a filter names a single row by a column whose cells all differ. */
  #isOneRow(): boolean {
    return this.#frame.filters.some(
      ({ tests, columns }) =>
        tests.length === 1 &&
        tests[0]?.test === "eq" &&
        columns[0]?.unique === true &&
        columns[0].kind !== "number",
    );
  }

  get #where(): string {
    return whereOf(this.#frame.filters);
  }

  #percent(): Compilation {
    const [restricting, saying] = this.#split();
    if (saying.length === 0 || this.#frame.wants.length > 0 || this.#frame.figures.length > 0) {
      return { ok: false, reason: "it is not clear what the percentage is of" };
    }
    const all = [...this.#inherited, ...restricting.map(filterOf)];
    const part = [...all, ...saying.map(filterOf), countRows()];
    const labels: [string, string] = [
      `rows${whereOf([...restricting, ...saying])}`,
      `rows${whereOf(restricting)}`,
    ];
    return this.#done(
      { kind: "figures", operator: "percent", second: [...all, countRows()], labels },
      part,
      `compute the percentage of ${labels[1]} that ${saying.map(sayFilter).join(" and ")}`,
    );
  }

  /** The filters that name the rows, and those that are said of them. */
  #split(): [Filter[], Filter[]] {
    const { filters } = this.#frame;
    const said = filters.filter((filter) => filter.said);
    if (said.length > 0) return [filters.filter((filter) => !filter.said), said];
    return filters.length === 1 ? [[], filters] : [filters, []];
  }

  #difference(): Compilation {
    const { figures, wants, filters, extreme } = this.#frame;
    const unclear: Compilation = {
      ok: false,
      reason: "it is not clear between what the difference is",
    };
    const [column, second] = wants;
    if (this.#frame.ask === "range" || figures.length === 2) {
      const of =
        figures[0]?.column ??
        (figures.length === 0 && second === undefined ? column : null) ??
        null;
      if (of === null || of.kind !== "number" || extreme !== null) return unclear;
      if (figures.length > 0 && !figures.every((figure) => figure.column === of)) return unclear;
      const most: DataOperation[] = [
        ...this.#filters,
        { op: "aggregate", by: [], aggregates: [{ fn: "max", column: of.name }] },
      ];
      const least: DataOperation[] = [
        ...this.#filters,
        { op: "aggregate", by: [], aggregates: [{ fn: "min", column: of.name }] },
      ];
      if (this.#frame.ask === "range") {
        const both: DataOperation[] = [
          ...this.#filters,
          {
            op: "aggregate",
            by: [],
            aggregates: [
              { fn: "min", column: of.name },
              { fn: "max", column: of.name },
            ],
          },
        ];
        return this.#done(
          { kind: "table" },
          both,
          `find the lowest and the highest ${of.name}${this.#where}`,
        );
      }
      return this.#done(
        {
          kind: "figures",
          operator: "difference",
          second: least,
          labels: [`highest ${of.name}`, `lowest ${of.name}`],
        },
        most,
        `subtract the lowest ${of.name} from the highest${this.#where}`,
      );
    }
    const [pair, ...others] = filters;
    if (
      column === undefined ||
      second !== undefined ||
      pair === undefined ||
      pair.tests.length !== 2 ||
      column.kind !== "number"
    )
      return unclear;
    const sides = pair.tests.map((test): DataOperation[] => [
      ...this.#inherited,
      ...others.map(filterOf),
      { op: "filter", ...test },
      { op: "select", columns: [column.name] },
    ]);
    const values = sides.map((side) => this.#evaluator.run(side)?.rows ?? []);
    const [first, other] = sides;
    if (first === undefined || other === undefined || values.some((rows) => rows.length !== 1))
      return unclear;
    const names = pair.tests.map(({ value }) => `${column.name} of ${value}`);
    const labels: [string, string] = [names[0] ?? "", names[1] ?? ""];
    return this.#done(
      { kind: "figures", operator: "difference", second: other, labels },
      first,
      `subtract the ${labels[1]} from the ${labels[0]}`,
    );
  }

  #every(): Compilation {
    const [restricting, saying] = this.#split();
    if (saying.length === 0)
      return { ok: false, reason: "it is not clear what is said of every row" };
    const all = [...this.#inherited, ...restricting.map(filterOf)];
    return this.#done(
      { kind: "every", all },
      [...all, ...saying.map(filterOf)],
      `check whether every row${whereOf(restricting)} has ${saying.map(sayFilter).join(" and ")}`,
    );
  }

  #exists(): Compilation {
    const { ask, filters, wants, extreme, figures, limit } = this.#frame;
    if (wants.length > 0 || extreme !== null || figures.length > 0 || limit !== null) {
      return { ok: false, reason: "a question for yes or no has more than a condition" };
    }
    if (ask === "yesno") {
      const key = this.#evaluator.facts.key;
      const subject = filters.find(
        ({ columns, tests }) =>
          columns.length === 1 &&
          columns[0] === key &&
          tests.length === 1 &&
          tests[0]?.test === "eq",
      );
      const [only, more] = filters;
      if (this.#frame.asksPage && only !== undefined && more === undefined) {
        return this.#done(
          { kind: "exists" },
          this.#filters,
          `check whether there are rows${this.#where}`,
        );
      }
      if (this.#evaluator.facts.rows.length === 1 && only !== undefined && more === undefined) {
        return this.#done(
          { kind: "exists" },
          this.#filters,
          `check whether there are rows${this.#where}`,
        );
      }
      if (subject === undefined || filters.length < 2) {
        return { ok: false, reason: "it is not clear of which row it is asked" };
      }
      const count = this.#evaluator.run([filterOf(subject)])?.rows.length ?? 0;
      if (count !== 1) return { ok: false, reason: "several rows have that name" };
    }
    return this.#done(
      { kind: "exists" },
      this.#filters,
      `check whether there are rows${this.#where}`,
    );
  }

  #common(): Compilation {
    const { wants, common, limit } = this.#frame;
    const [column, second] = wants;
    if (column === undefined || second !== undefined)
      return { ok: false, reason: "it is not clear what is most common" };
    const grouped: DataOperation[] = [
      ...this.#filters,
      { op: "aggregate", by: [column.name], aggregates: [{ fn: "count" }] },
    ];
    return this.#ordered(
      grouped,
      "count",
      common === "up",
      limit?.count ?? null,
      `find the ${common === "up" ? "most" : "least"} common ${column.name}${this.#where}`,
    );
  }

  /** Sorts groups by a figure and keeps the first, with its ties. */
  #ordered(
    grouped: DataOperation[],
    by: string,
    descending: boolean,
    count: number | null,
    says: string,
  ): Compilation {
    const sorted: DataOperation[] = [
      ...grouped,
      { op: "sort", by, direction: descending ? "desc" : "asc" },
    ];
    if (count === Number.MAX_SAFE_INTEGER) return this.#done({ kind: "table" }, sorted, says);
    const kept = count ?? this.#ties(sorted, by);
    if (kept === null) return { ok: false, reason: `${by} has no values` };
    return this.#done(
      { kind: "table" },
      [...sorted, { op: "limit", count: kept, from: "start" }],
      says,
    );
  }

  /** Returns how many of the first rows share the first value. */
  #ties(sorted: readonly DataOperation[], by: string): number | null {
    const table = this.#evaluator.run(sorted);
    const index = table?.columns.indexOf(by) ?? -1;
    if (table === null || index < 0) return null;
    const first = table.rows[0]?.[index];
    if (first === undefined || first === null || first === "") return null;
    let count = 0;
    while (count < table.rows.length && String(table.rows[count]?.[index]) === String(first))
      count += 1;
    return count;
  }

  #aggregates(): { fn: Frame["figures"][number]["fn"]; column?: string }[] | string {
    const { figures, ask, wants } = this.#frame;
    const list: { fn: Frame["figures"][number]["fn"]; column?: string }[] = [];
    if (ask === "count" || (ask === "howmany" && wants.length === 0)) list.push({ fn: "count" });
    if (ask === "howmany") {
      for (const column of wants) {
        if (column.kind !== "number") return "it is not clear what is counted";
        list.push({ fn: "sum", column: column.name });
      }
    }
    for (const { fn, column } of figures) {
      // No figure of a column that no word names.
      // No word names the column: the rows' only number, if there is a noun for the rows.
      const of = column ?? (this.#frame.rows > 0 ? this.#onlyNumber() : null);
      if (of === null) return `it is not clear of which column the ${fn} is`;
      if (fn !== "count" && !isQuantity(of) && (fn === "sum" || fn === "average")) {
        return `${of.name} is no quantity`;
      }
      list.push({ fn, column: of.name });
    }
    return list;
  }

  #onlyNumber(): Column | null {
    const numeric = this.#evaluator.facts.columns.filter(
      (column) => isAdditive(column) && column.kind === "number",
    );
    return numeric.length === 1 ? (numeric[0] ?? null) : null;
  }

  #grouped(group: Names): Compilation {
    // "honey per frame" divides; it does not group.
    if (group.some((column) => isAdditive(column)))
      return { ok: false, reason: "a quotient of two columns is not computed" };
    const { extreme, wants, figures, limit, orders, ask } = this.#frame;
    const by = group.map(({ name }) => name);
    // Figures that happen to differ name no rows: "price per star" is a quotient.
    const unique = group.every((column) => column.unique && column.kind !== "number");
    const aggregates = this.#aggregates();
    if (typeof aggregates === "string") return { ok: false, reason: aggregates };
    const label = by.join(" and ");
    if (aggregates.length === 0 && extreme?.column && ask !== "howmany") {
      if (wants.some((column) => !group.includes(column)) && wants.length > 1)
        return { ok: false, reason: "it is not clear what each group has" };
      const best: DataOperation[] = [
        ...this.#filters,
        { op: "filter", column: extreme.column.name, test: "not_empty" },
        { op: "sort", by: extreme.column.name, direction: extreme.descending ? "desc" : "asc" },
        { op: "distinct", columns: by },
      ];
      return this.#done(
        { kind: "table" },
        best,
        `find the row with the ${extreme.descending ? "highest" : "lowest"} ${extreme.column.name} for each ${label}${this.#where}`,
      );
    }
    if (aggregates.length === 0) {
      if (limit !== null || extreme !== null)
        return { ok: false, reason: "it is not clear which rows are kept" };
      if (this.#frame.grouping && wants.length === 0 && orders.length === 0) {
        const sorted: DataOperation[] = [
          ...this.#filters,
          { op: "sort", by: by[0] ?? "", direction: "asc" },
        ];
        return this.#done(
          { kind: "table" },
          sorted,
          `list the rows grouped by ${label}${this.#where}`,
        );
      }
      const [summed, other] = wants;
      if (
        !unique &&
        summed !== undefined &&
        other === undefined &&
        isAdditive(summed) &&
        orders.length === 0
      ) {
        const sums: DataOperation[] = [
          ...this.#filters,
          { op: "aggregate", by, aggregates: [{ fn: "sum", column: summed.name }] },
        ];
        return this.#done(
          { kind: "table" },
          sums,
          `add up the ${summed.name} for each ${label}${this.#where}`,
        );
      }
      if (group.some(({ kind }) => kind === "number"))
        return { ok: false, reason: "a quotient of two columns is not computed" };
      if (!unique || wants.length === 0)
        return { ok: false, reason: `it is not clear what is wanted for each ${label}` };
      const columns = [...by, ...wants.map(({ name }) => name)];
      return this.#done(
        { kind: "table" },
        [...this.#filters, ...this.#orders(), { op: "select", columns }],
        `list ${columns.join(" and ")}${this.#where}`,
      );
    }
    if (ask !== "howmany" && wants.some((column) => !group.includes(column))) {
      return {
        ok: false,
        reason: `it is not clear what is wanted of ${wants.map(({ name }) => name).join(", ")}`,
      };
    }
    const grouped: DataOperation[] = [...this.#filters, { op: "aggregate", by, aggregates }];
    const names = aggregates.map(({ fn, column }) =>
      column === undefined ? fn : `${fn} of ${column}`,
    );
    const says = `compute ${names.map((name) => (name === "count" ? "the number of rows" : `the ${name}`)).join(" and ")} for each ${label}${this.#where}`;
    if (extreme !== null) {
      const figure =
        extreme.column === null
          ? names.at(-1)
          : names.find((name) => name.endsWith(` of ${extreme.column?.name}`));
      if (figure === undefined || (extreme.column === null && names.length > 1))
        return { ok: false, reason: "it is not clear by which figure the groups are ordered" };
      const count = limit?.count ?? null;
      return this.#ordered(
        grouped,
        figure,
        extreme.descending,
        count,
        `${says}, ${extreme.descending ? "highest" : "lowest"} first`,
      );
    }
    if (limit !== null) return { ok: false, reason: "it is not clear which groups are kept" };
    const sorts: DataOperation[] = [];
    for (const { column, descending } of orders) {
      const figure = by.includes(column.name)
        ? column.name
        : names.find((name) => name.endsWith(` of ${column.name}`));
      if (figure === undefined)
        return { ok: false, reason: `groups cannot be sorted by ${column.name}` };
      sorts.push({ op: "sort", by: figure, direction: descending ? "desc" : "asc" });
    }
    void figures;
    return this.#done({ kind: "table" }, [...grouped, ...sorts.toReversed()], says);
  }

  /** "the category with the highest average price". */
  #extremeGroup(): Compilation {
    const { extreme, wants, limit } = this.#frame;
    const aggregates = this.#aggregates();
    if (typeof aggregates === "string") return { ok: false, reason: aggregates };
    const [column, second] = wants;
    const [figure, other] = aggregates;
    if (
      column === undefined ||
      second !== undefined ||
      figure === undefined ||
      other !== undefined ||
      extreme === null
    ) {
      return { ok: false, reason: "it is not clear what has the highest figure" };
    }
    const grouped: DataOperation[] = [
      ...this.#filters,
      { op: "aggregate", by: [column.name], aggregates },
    ];
    const name = figure.column === undefined ? figure.fn : `${figure.fn} of ${figure.column}`;
    return this.#ordered(
      grouped,
      name,
      extreme.descending,
      limit?.count ?? null,
      `find the ${column.name} with the ${extreme.descending ? "highest" : "lowest"} ${name}${this.#where}`,
    );
  }

  /** "the department with the most employees". */
  #fullestGroup(): Compilation {
    const { extreme, wants, limit, rows } = this.#frame;
    const [column, second] = wants;
    // "which club has drawn the fewest matches": of the column that the verb names, not of how many rows.
    if (column?.kind === "number")
      return { ok: false, reason: "it is not clear by what the rows are compared" };
    if (
      extreme === null ||
      column === undefined ||
      second !== undefined ||
      rows === 0 ||
      extreme.alone
    ) {
      return { ok: false, reason: "it is not clear by what the rows are compared" };
    }
    const grouped: DataOperation[] = [
      ...this.#filters,
      { op: "aggregate", by: [column.name], aggregates: [{ fn: "count" }] },
    ];
    return this.#ordered(
      grouped,
      "count",
      extreme.descending,
      limit?.count ?? null,
      `find the ${column.name} with the ${extreme.descending ? "most" : "fewest"} rows${this.#where}`,
    );
  }

  #figures(): Compilation {
    const { wants, orders, limit, ask } = this.#frame;
    const aggregates = this.#aggregates();
    if (typeof aggregates === "string") return { ok: false, reason: aggregates };
    if (wants.length > 0 && ask !== "howmany")
      return {
        ok: false,
        reason: `it is not clear what is wanted of ${wants.map(({ name }) => name).join(", ")}`,
      };
    if (orders.length > 0 && limit === null) return { ok: false, reason: "a figure has no order" };
    if (this.#frame.extreme?.figure)
      return { ok: false, reason: "two figures are asked for at once" };
    const operations: DataOperation[] = [
      ...this.#filters,
      ...this.#extremeRows(),
      { op: "aggregate", by: [], aggregates },
    ];
    const names = aggregates.map(({ fn, column }) =>
      column === undefined ? "number of rows" : `${fn} of ${column}`,
    );
    const top = this.#extremeSays();
    return this.#done(
      { kind: aggregates.length === 1 ? "value" : "table" },
      operations,
      `compute the ${names.join(" and the ")}${this.#where}${top}`,
    );
  }

  #extremeSays(): string {
    const { extreme, limit } = this.#frame;
    if (extreme?.column)
      return ` of the ${limit?.count ?? 1} with the ${extreme.descending ? "highest" : "lowest"} ${extreme.column.name}`;
    return limit === null
      ? ""
      : ` of the ${limit.from === "end" ? "last" : "first"} ${limit.count}`;
  }

  /** The order and the limit of "the 3 cheapest". */
  #extremeRows(): DataOperation[] {
    const { extreme, limit } = this.#frame;
    if (!extreme?.column)
      return [...this.#orders(), ...(limit === null ? [] : [{ op: "limit" as const, ...limit }])];
    const sort: DataOperation = {
      op: "sort",
      by: extreme.column.name,
      direction: extreme.descending ? "desc" : "asc",
    };
    const filled: DataOperation = { op: "filter", column: extreme.column.name, test: "not_empty" };
    const filters = extreme.column.empty > 0 ? [filled] : [];
    const count =
      limit?.count ?? this.#ties([...this.#filters, ...filters, sort], extreme.column.name) ?? 1;
    return [...filters, sort, { op: "limit", count, from: "start" }];
  }

  #counted(): Compilation[] {
    const { wants, orders, limit, drops } = this.#frame;
    if (orders.length > 0 || limit !== null || drops.length > 0)
      return nothing("a count has no order");
    const [column, second] = wants;
    if (second !== undefined) return nothing("it is not clear what is counted");
    if (column === undefined) {
      if (this.#frame.distinct) return nothing("it is not clear what differs");
      if (
        this.#frame.rows === 0 &&
        this.#frame.filters.length === 0 &&
        !this.#frame.inherits &&
        this.#frame.ask !== "count"
      )
        return nothing("it is not clear what is counted");
      return [this.#done({ kind: "count" }, this.#filters, `count the rows${this.#where}`)];
    }
    const isFigure = isQuantity(column);
    if (isFigure && !this.#frame.distinct) {
      if (this.#frame.ask === "count")
        return nothing(`it is not clear whether ${column.name} is counted or added`);
      const matching = this.#evaluator.run(this.#filters)?.rows.length ?? 0;
      if (!isAdditive(column) && matching !== 1 && !this.#frame.together)
        return nothing(`the ${column.name} of several rows cannot be added`);
      if (matching === 1)
        return [
          this.#done(
            { kind: "value" },
            [...this.#filters, { op: "select", columns: [column.name] }],
            `look up the ${column.name}${this.#where}`,
          ),
        ];
      return [
        this.#done(
          { kind: "value" },
          [
            ...this.#filters,
            { op: "aggregate", by: [], aggregates: [{ fn: "sum", column: column.name }] },
          ],
          `add up the ${column.name}${this.#where}`,
        ),
      ];
    }
    const counted = this.#done({ kind: "count" }, this.#filters, `count the rows${this.#where}`);
    if (column === this.#evaluator.facts.key && column.unique) return [counted];
    const filled: DataOperation = { op: "filter", column: column.name, test: "not_empty" };
    const distinct = this.#done(
      { kind: "count" },
      [...this.#filters, filled, { op: "distinct", columns: [column.name] }],
      `count the different values of ${column.name}${this.#where}`,
    );
    if (this.#frame.distinct || column !== this.#evaluator.facts.key) return [distinct];
    return [distinct, this.#done({ kind: "count" }, this.#filters, `count the rows${this.#where}`)];
  }

  /** "more than 3 employees", "the total is over 1500": a condition on a figure. */
  #having({ test, value }: NonNullable<Frame["having"]>): Compilation {
    const { wants, figures, ask, rows, limit, orders } = this.#frame;
    const [column, second] = wants;
    const aggregates = this.#aggregates();
    if (typeof aggregates === "string") return { ok: false, reason: aggregates };
    const [figure, other] = aggregates.length === 0 ? [{ fn: "count" as const }] : aggregates;
    const isClear =
      figure !== undefined &&
      other === undefined &&
      second === undefined &&
      limit === null &&
      orders.length === 0;
    if (!isClear || ask === "howmany" || ask === "count" || (figures.length === 0 && rows === 0))
      return { ok: false, reason: "it is not clear what the number is of" };
    const name =
      "column" in figure && figure.column !== undefined
        ? `${figure.fn} of ${figure.column}`
        : figure.fn;
    const operations: DataOperation[] = [
      ...this.#filters,
      { op: "aggregate", by: column === undefined ? [] : [column.name], aggregates: [figure] },
      { op: "filter", column: name, test, value },
    ];
    const about = column === undefined ? "check whether" : `list each ${column.name} of which`;
    const says = `${about} the ${name === "count" ? "number of rows" : name}${this.#where} ${TEST_WORDS[test]} ${value}`;
    return this.#done(
      { kind: column === undefined && ask === "exists" ? "exists" : "table" },
      operations,
      says,
    );
  }

  /** "how much": the value of one row, or the sum of all if it says so. */
  #amount(): Compilation[] {
    const { wants, together, limit, orders } = this.#frame;
    const [column, second] = wants;
    const matching = this.#evaluator.run(this.#filters)?.rows.length ?? 0;
    if (column === undefined || second !== undefined || limit !== null || orders.length > 0)
      return nothing("it is not clear how much of what");
    if (matching === 1 || (!isAdditive(column) && !together)) return [this.#shown()];
    if (!together && this.#frame.filters.length === 0 && this.#frame.rows === 0)
      return nothing("it is not clear of which rows");
    return [
      this.#done(
        { kind: "value" },
        [
          ...this.#filters,
          { op: "aggregate", by: [], aggregates: [{ fn: "sum", column: column.name }] },
        ],
        `add up the ${column.name}${this.#where}`,
      ),
    ];
  }

  #extremes(): Compilation[] {
    const { extreme, ask, wants, limit, rank, rows } = this.#frame;
    const column = extreme?.column;
    if (!extreme || !column) return nothing("it is not clear by what the rows are compared");
    const word = extreme.descending ? "highest" : "lowest";
    const [pair, more] = this.#frame.filters;
    if (this.#frame.ofTwo && (pair?.tests.length !== 2 || more !== undefined))
      return nothing("it is not clear what is compared");
    const isValue =
      extreme.figure &&
      wants.length === 0 &&
      limit === null &&
      rank === null &&
      ask !== "which" &&
      ask !== "who";
    if (isValue) {
      if (column.kind === "text") return nothing(`${column.name} has no order`);
      const fn = extreme.descending ? "max" : "min";
      return [
        this.#done(
          { kind: "value" },
          [
            ...this.#filters,
            { op: "aggregate", by: [], aggregates: [{ fn, column: column.name }] },
          ],
          `find the ${word} ${column.name}${this.#where}`,
        ),
      ];
    }
    if (column.kind === "text") return nothing(`${column.name} has no order`);
    void rows;
    const head = wants.find(
      (wanted) => wanted.kind === "text" && !wanted.unique && wanted !== this.#evaluator.facts.key,
    );
    const ranked =
      rank === null ? this.#extremeRows() : this.#ranked(column, extreme.descending, rank);
    if (ranked === null) return nothing("several rows share a rank");
    const says = `find the ${rank === null ? "" : `${rank}. `}${limit === null ? "row" : `${limit.count} rows`} with the ${word} ${column.name}${this.#where}`;
    const kept = [...this.#filters, ...ranked, ...this.#orders()];
    const reading = this.#done(
      { kind: "table" },
      [...kept, ...this.#projection([column])],
      says,
      kept,
    );
    if (head === undefined || ask === "howmany" || column.kind !== "number" || wants.length > 1)
      return [reading];
    // "which team has the most points": of one row, or of all rows of the team.
    const grouped: DataOperation[] = [
      ...this.#filters,
      { op: "aggregate", by: [head.name], aggregates: [{ fn: "sum", column: column.name }] },
    ];
    const sums = this.#ordered(
      grouped,
      `sum of ${column.name}`,
      extreme.descending,
      limit?.count ?? null,
      `find the ${head.name} with the ${word} sum of ${column.name}${this.#where}`,
    );
    // "the most" adds up where it can; "the highest" may mean either; "the longest" is of one row.
    if (!isAdditive(column) || !sums.ok || extreme.word === "adjective") return [reading];
    return extreme.word === "most" ? [sums] : [reading, sums];
  }

  /** Keeps the row of a rank; null if rows before or at it have equal values. */
  #ranked(column: Column, descending: boolean, rank: number): DataOperation[] | null {
    const sort: DataOperation = {
      op: "sort",
      by: column.name,
      direction: descending ? "desc" : "asc",
    };
    const table = this.#evaluator.run([...this.#filters, sort]);
    const index = table?.columns.indexOf(column.name) ?? -1;
    const values = table?.rows.slice(0, rank + 1).map((row) => String(row[index])) ?? [];
    if (values.length < rank || new Set(values).size !== values.length) return null;
    return [
      sort,
      { op: "limit", count: rank, from: "start" },
      { op: "limit", count: 1, from: "end" },
    ];
  }

  #orders(): DataOperation[] {
    const [first, second, third] = this.#frame.orders;
    if (first === undefined || third !== undefined) return [];
    const direction = (descending: boolean) => (descending ? ("desc" as const) : ("asc" as const));
    const then =
      second === undefined
        ? {}
        : { thenBy: second.column.name, thenDirection: direction(second.descending) };
    return [{ op: "sort", by: first.column.name, direction: direction(first.descending), ...then }];
  }

  /** The columns to show: what is wanted, with the name of the row and the columns that decide. */
  #projection(deciding: Names): DataOperation[] {
    const { wants, drops, ask, rows, possessed, distinct } = this.#frame;
    const { columns, key } = this.#evaluator.facts;
    if (drops.length > 0) {
      const kept = columns.filter((column) => !drops.includes(column));
      return [{ op: "select", columns: kept.map(({ name }) => name) }];
    }
    const [only, second] = wants;
    // "the tariffs": the rows that the key column names, with all that they have.
    const namesRows =
      only !== undefined &&
      second === undefined &&
      only === key &&
      only.kind === "text" &&
      !only.stems.some((stem) => LABELS.has(stem));
    const isWhole = namesRows && !this.#frame.only && !distinct;
    if (isWhole && (ask === "show" || ask === null)) return [];
    if (wants.length > 0 && !(isWhole && (ask === "which" || ask === "who" || ask === "what"))) {
      const withKey =
        !this.#frame.only &&
        rows > 0 &&
        !possessed &&
        key !== null &&
        !wants.includes(key) &&
        !distinct;
      const shown = [...(withKey && key ? [key] : []), ...wants];
      const select: DataOperation[] = [
        { op: "select", columns: [...new Set(shown.map(({ name }) => name))] },
      ];
      const repeats =
        distinct ||
        // "All regions" are the different ones, unless rows are named: "the region of each station".
        ((ask === "which" || (rows === 0 && wants.length === 1)) &&
          !withKey &&
          wants.every(({ unique }) => !unique));
      return repeats ? [...select, { op: "distinct" }] : select;
    }
    if (distinct) return [{ op: "distinct" }];
    if (
      (ask === "which" || ask === "who" || ask === "what") &&
      key?.unique === true &&
      key.kind === "text"
    ) {
      const decides = [...deciding, ...this.#frame.filters.flatMap((filter) => filter.columns)];
      const shown = [...(key === null ? [] : [key]), ...decides];
      const names = [...new Set(shown.map(({ name }) => name))];
      return key === null ? [] : [{ op: "select", columns: names }];
    }
    return [];
  }

  #shown(): Compilation {
    const { ask, wants, limit, filters, orders, rows, inherits, distinct, dedupe, drops, rank } =
      this.#frame;
    if (rank !== null && (limit !== null || orders.length > 0 || filters.length > 0)) {
      return { ok: false, reason: "it is not clear by what the rows are ranked" };
    }
    const nth: DataOperation[] =
      rank === null
        ? []
        : [
            { op: "limit", count: rank, from: "start" },
            { op: "limit", count: 1, from: "end" },
          ];
    if (ask === "how" && wants.length === 0) return { ok: false, reason: "it is not clear how" };
    const nothingSaid =
      wants.length + filters.length + orders.length + rows + drops.length === 0 &&
      !inherits &&
      !distinct &&
      !dedupe &&
      limit === null &&
      rank === null;
    if (nothingSaid && ask !== "show")
      return { ok: false, reason: "nothing of the table is asked for" };
    const tail: DataOperation[] = [
      ...nth,
      ...this.#orders(),
      ...(limit === null ? [] : [{ op: "limit" as const, ...limit }]),
      ...this.#projection([]),
    ];
    const operations = [...this.#filters, ...tail];
    const kept = operations.filter(({ op }) => op !== "select" && op !== "distinct");
    const result = this.#evaluator.run(operations);
    if (result === null) return { ok: false, reason: "the columns cannot be compared so" };
    const shownWhat =
      wants.length > 0
        ? `the ${wants.map(({ name }) => name).join(" and ")} of the rows`
        : "the rows";
    const order = orders
      .map(({ column, descending }) => `${column.name} ${descending ? "descending" : "ascending"}`)
      .join(", then ");
    const says = `list ${rank === null ? "" : `row ${rank} of `}${limit === null ? "" : `the ${limit.from === "end" ? "last" : "first"} ${limit.count} of `}${shownWhat}${this.#where}${order === "" ? "" : `, sorted by ${order}`}${drops.length > 0 ? ` without ${drops.map(({ name }) => name).join(" and ")}` : ""}`;
    const asksOne =
      ask === "what" ||
      ask === "howmuch" ||
      ask === "how" ||
      ask === "when" ||
      ask === "where" ||
      ask === "who" ||
      ask === "howmany";
    if (asksOne && wants.length === 1 && result.rows.length === 1 && result.columns.length === 1)
      return this.#done({ kind: "value" }, operations, says, kept);
    const isOpen =
      filters.length === 0 && this.#inherited.length === 0 && rows === 0 && result.rows.length > 1;
    if (isOpen && (ask === "when" || ask === "where" || ask === "how" || ask === "howmuch")) {
      return { ok: false, reason: "it is not clear of which row it is asked" };
    }
    const { key } = this.#evaluator.facts;
    const asked = wants.filter((column) => column !== key);
    const expectsOne = asksOne && asked.length === 1 && !this.#frame.plural && filters.length > 0;
    if (
      expectsOne &&
      result.rows.length > 1 &&
      new Set(result.rows.map((row) => JSON.stringify(row))).size > 1
    ) {
      return { ok: false, reason: "several rows answer a question for one value" };
    }
    if ((ask === "howmuch" || ask === "how") && result.rows.length !== 1 && filters.length > 0) {
      return { ok: false, reason: "several rows answer a question for one value" };
    }
    return this.#done(
      { kind: result.columns.length === 1 ? "list" : "table" },
      operations,
      says,
      kept,
    );
  }
}
