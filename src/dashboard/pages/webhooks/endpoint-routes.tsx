import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { Condition } from "../../../contract/webhooks/routing.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Badge, NoValue } from "../../components/elements.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { namesOf } from "../../lookups.ts";
import { casePath, endpointPath, executionPath, workflowPath } from "../../paths.ts";
import { COMPARISONS, isComparison, ON_EVENT_LABELS, type Route } from "../rules/rules-form.ts";

/** The routes of an endpoint. */
export function EndpointRoutes({
  endpointId,
  routes,
  workflows,
}: {
  endpointId: string;
  routes: readonly Route[];
  workflows: readonly WorkflowRecord[];
}) {
  const workflowNames = namesOf(workflows);
  const columns: Column<Route>[] = [
    {
      name: "Route",
      is: "wrap",
      cell: ({ name, workflowId }) => (
        <>
          <strong>{name}</strong>
          <div>
            <span class="muted">starts </span>
            <a href={workflowPath(workflowId)}>{workflowNames.get(workflowId) ?? workflowId}</a>
          </div>
          <a href={endpointPath(endpointId, `/rules?${new URLSearchParams({ route: name })}`)}>
            Edit route
          </a>
        </>
      ),
    },
    {
      name: "Condition",
      is: "wrap",
      cell: ({ when }) =>
        when === undefined ? "every request" : <code>{conditionText(when)}</code>,
    },
    {
      name: "Case",
      cell: ({ key, onEvent = "queue" }) =>
        key === undefined ? (
          <NoValue />
        ) : (
          <>
            <code>{"template" in key ? key.template : key.path}</code>
            <div>
              <a href={endpointPath(endpointId, "/cases")}>{ON_EVENT_LABELS[onEvent]}</a>
            </div>
          </>
        ),
    },
  ];
  return (
    <section class="part" aria-labelledby="routes">
      <div class="section-head">
        <h2 id="routes">Routes</h2>
        <span class="muted">
          <a href={endpointPath(endpointId, "/rules?add=1")}>New route</a>
          {" · Every route that matches a request starts an execution."}
        </span>
      </div>
      <Table label="Routes" columns={columns} rows={routes} />
    </section>
  );
}

const columnsFor = ({ endpointId }: LogEntry): Column<LogEntry["routes"][number]>[] => [
  { name: "Route", is: "wrap", cell: ({ name }) => name },
  {
    name: "Result",
    cell: ({ matched, status }) => {
      if (!matched) return <Badge state="none" label="not matched" />;
      return <Badge state={status ?? "queued"} />;
    },
  },
  { name: "Reason", is: "wrap", cell: ({ reason }) => reason?.replaceAll("`", "") },
  {
    name: "Case",
    cell: ({ name, key }) => {
      if (key === null) return <NoValue />;
      return <a href={casePath({ endpointId, route: name, key })}>{key}</a>;
    },
  },
  {
    name: "Execution",
    cell: ({ executionId }) => {
      if (executionId === null) return <NoValue />;
      return <a href={executionPath(executionId)}>View execution</a>;
    },
  },
];

/** What each route of the endpoint made of a request; nothing for an endpoint without routes. */
export function MatchedRoutes({ entry }: { entry: LogEntry }) {
  if (entry.routes.length === 0) return null;
  return (
    <section class="card whole" aria-labelledby="matched-routes">
      <h2 id="matched-routes">Routes</h2>
      <Table label="Routes" columns={columnsFor(entry)} rows={entry.routes} />
    </section>
  );
}

/** Puts a condition in words: `action is "opened" and number > 7`. */
export function conditionText(condition: Condition): string {
  const { all, any, not, jsonata } = condition;
  if (all !== undefined) return all.map((one) => nested(one, "any")).join(" and ");
  if (any !== undefined) return any.map((one) => nested(one, "all")).join(" or ");
  if (not !== undefined) return `not (${conditionText(not)})`;
  if (jsonata !== undefined) return `JSONata ${jsonata}`;
  return comparisonText(condition);
}

/** A combination of the other kind needs brackets. */
function nested(condition: Condition, other: "all" | "any"): string {
  const text = conditionText(condition);
  return condition[other] === undefined ? text : `(${text})`;
}

function comparisonText({ in: part = "body", path = "", ignoreCase, ...rest }: Condition): string {
  const name = part === "body" ? path : `${part} ${path}`;
  const [[operator, value] = ["exists"]] = Object.entries(rest).filter(([key]) =>
    isComparison(key),
  );
  if (!isComparison(operator)) return name;
  if (operator === "exists") return `${name} ${value === false ? "is missing" : "exists"}`;
  const isPlain = operator !== "equals" && operator !== "oneOf";
  const values = [value].flat().map((one) => (isPlain ? String(one) : JSON.stringify(one)));
  const inAnyCase = ignoreCase === true ? " in any case" : "";
  return `${name} ${COMPARISONS[operator]} ${values.join(", ")}${inAnyCase}`;
}
