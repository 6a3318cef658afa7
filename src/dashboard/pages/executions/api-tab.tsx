import { Copyable } from "../../components/elements.tsx";
import { shellQuoted } from "../../format.ts";
import { executionPath } from "../../paths.ts";
import type { LoadedExecution } from "./load.ts";

/** How programs read this execution, and how they start another like it. */
export function ApiTab({ view: { task, origin } }: { view: LoadedExecution }) {
  const path = `/api/v1/agent/trigger/${task.executionId}`;
  const { prompt, inputs, model, interactive } = task;
  const body = JSON.stringify(
    { prompt, model, ...(inputs !== null && { inputs }), ...(interactive && { interactive }) },
    null,
    2,
  );
  const header = `-H "Authorization: Bearer $PROMPTHOOK_API_KEY"`;
  return (
    <section aria-label="API">
      <p>
        <a class="button" href={`${executionPath(task.executionId)}/result`} download>
          Download result as JSON
        </a>{" "}
        <a href="/docs">API reference</a>
      </p>
      <Copyable id="curl" label="Get the result" text={`curl ${origin}${path}/result ${header}`} />
      <Copyable
        id="events"
        label="Follow the events"
        text={`curl -N ${origin}${path}/events ${header}`}
      />
      <Copyable
        id="cli"
        label="Watch in a terminal"
        text={`PROMPTHOOK_API_KEY=... npx prompthook watch ${task.executionId} --url ${origin}`}
      />
      <Copyable
        id="again"
        label="Start another one like it"
        text={`curl ${origin}/api/v1/agent/trigger ${header} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuoted(body)}`}
      />
    </section>
  );
}
