import type { LogEntry } from "../../../contract/inbound/log.ts";
import { DataTable } from "../../components/parts.tsx";
import { BodyView } from "./body-view.tsx";
import type { RequestBody } from "./request-body.ts";

/** What the log has in place of a credential. */
const REDACTED = "[redacted]";

/** A request as it came. */
export function RequestView({ entry, body }: { entry: LogEntry; body: RequestBody }) {
  const query = Object.entries(entry.query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const headers = Object.entries(entry.headers);
  return (
    <section class="card snug came">
      <h2>Request</h2>
      <p>
        <code>{`${entry.method} ${entry.path}`}</code>
      </p>
      <h3>Body</h3>
      <BodyView entry={entry} body={body} />
      {query.length > 0 && <Pairs title="Query" pairs={query} />}
      {headers.length > 0 && <Pairs title="Headers" pairs={headers} />}
    </section>
  );
}

function Pairs({ title, pairs }: { title: string; pairs: [string, string][] }) {
  return (
    <>
      <h3>{title}</h3>
      <DataTable label={title} columns={["Name", "Value"]}>
        {pairs.map(([name, value]) => (
          <tr>
            <td>
              <code>{name}</code>
            </td>
            <td class="wrap">
              {value === REDACTED ? <em class="muted">redacted</em> : <code>{value}</code>}
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
