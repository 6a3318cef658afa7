import { EventSourceParserStream } from "eventsource-parser/stream";
import { type ExecutionEvent, executionEvent } from "../../src/contract/events.ts";

/** Reads an execution's event stream to its end and tells each entry that a person wants to see. */
export async function tellProgress(stream: ReadableStream<Uint8Array>): Promise<void> {
  const events = stream
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    const line = describe(executionEvent.parse(JSON.parse(data)));
    if (line !== null) console.log(line);
  }
}

function describe({ type, data }: ExecutionEvent): string | null {
  switch (type) {
    case "status":
      return `  ${data.status} (${data.statusDetail})`;
    case "step.started":
      return `  step ${data.step}`;
    case "log":
      return `    ${data.message}`;
    case "tool.started":
      return `    ${data.tool}: ${data.description}`;
    case "output":
      return `    output: ${data.label}`;
    default:
      return null;
  }
}
