import { call } from "../../support/model-server/behaviour.ts";
import { data, parts, someRows, value } from "../expectation.ts";
import { HANDBOOK, PARTS, REFUND_DAYS } from "../sites/handbook.ts";
import { TOP_COMPANIES } from "../sites/saas.ts";
import { ends, NUMBER, opens, schemaOf, step, type Task } from "../task.ts";

const OF_VANTOR = PARTS.filter(({ maker, price }) => maker === "Vantor" && price > 40).length;
const PLANS = TOP_COMPANIES.flatMap(({ name, plans }) =>
  Object.entries(plans).map(([plan, price]) => [name, plan, price]),
);

/** Tasks on pages that are longer than a model is shown, and tasks without an address. */
export const LONG: Task[] = [
  {
    id: "long-passage",
    prompt: `Within how many days does our handbook (${HANDBOOK}/) say that travel expenses are refunded?`,
    outputSchema: schemaOf({ days: NUMBER }),
    want: data({ days: REFUND_DAYS }),
    solution: [
      step(opens(`${HANDBOOK}/`)),
      step(
        call("run_code", {
          from: ["page"],
          code: 'const { text } = answers[0]; return text.slice(text.indexOf("travel expenses")).slice(0, 600);',
        }),
      ),
      ends("They are refunded within 45 days.", { days: REFUND_DAYS }),
    ],
  },
  {
    id: "long-table",
    prompt: `How many parts of the maker Vantor in the catalogue at ${HANDBOOK}/parts cost more than €40?`,
    want: value(OF_VANTOR),
    solution: [
      step(opens(`${HANDBOOK}/parts`)),
      step(
        call("process_data", {
          sources: [{ callId: "page" }],
          extract: { kind: "table" },
          operations: [
            { op: "filter", column: "Maker", test: "eq", value: "Vantor" },
            { op: "filter", column: "Price", test: "gt", value: 40 },
            { op: "aggregate", aggregates: [{ fn: "count" }] },
          ],
        }),
      ),
      ends(`${OF_VANTOR} parts of Vantor cost more than €40.`),
    ],
  },
  {
    id: "search-top",
    prompt:
      "Find the top 3 SaaS companies by revenue and their pricing. Give me a table of company, plan and price per user and month.",
    search: true,
    want: parts(someRows(PLANS)),
    solution: [
      step(call("search_web", { query: "SaaS companies by revenue" })),
      step(opens("http://saas.example/ranking")),
      step(...TOP_COMPANIES.map(({ slug }) => opens(`http://saas.example/${slug}/pricing`, slug))),
      step(
        call("emit_output", {
          label: "Plans",
          type: "table",
          value: { columns: ["company", "plan", "price"], rows: PLANS },
          sources: TOP_COMPANIES.map(({ slug }) => slug),
        }),
      ),
      ends("The table has the plans of the three largest companies."),
    ],
  },
];
