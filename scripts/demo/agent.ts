import { EventSourceParserStream } from "eventsource-parser/stream";
import { triggerAccepted } from "../../src/contract/account.ts";
import { type ExecutionEvent, executionEvent } from "../../src/contract/events.ts";
import {
  type ExecutionResult,
  executionResult,
  executionState,
} from "../../src/contract/execution.ts";
import { UserError } from "../local/project.ts";

/** The service of the demo, and the key of its account. */
export interface DemoService {
  url: string;
  apiKey: string;
}

/** A task of the demo. */
export interface DemoTask {
  shows: string;
  /** Works with the service, on the demo's site, and tells what happens. */
  run(service: DemoService, site: string): Promise<void>;
}

/** The agent API of a service, with the account's key. */
export class AgentApi {
  private readonly url: string;
  private readonly authorization: { Authorization: string };

  constructor({ url, apiKey }: DemoService) {
    this.url = `${url}/api/v1/agent`;
    this.authorization = { Authorization: `Bearer ${apiKey}` };
  }

  /** Starts an execution and tells its progress until it has ended. */
  async run(body: {
    prompt: string;
    callbackUrl?: string;
    callbackSecret?: string;
  }): Promise<string> {
    console.log(`\nPrompt: ${body.prompt}\n`);
    const accepted = await fetch(`${this.url}/trigger`, {
      method: "POST",
      headers: { ...this.authorization, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const { executionId } = triggerAccepted.parse(JSON.parse(await textOf(accepted)));
    console.log(`POST /api/v1/agent/trigger  ${accepted.status}  ${executionId}\n`);
    await this.follow(executionId);
    return executionId;
  }

  /** Tells the progress of an execution until it has ended. */
  async follow(executionId: string): Promise<void> {
    const events = await this.get(`/trigger/${executionId}/events`);
    if (events.body === null) throw new UserError("The event stream is empty.");
    await tellProgress(events.body);
  }

  async result(executionId: string): Promise<ExecutionResult> {
    const answer = await this.get(`/trigger/${executionId}/result`);
    return executionResult.parse(JSON.parse(await textOf(answer)));
  }

  /** Whether an execution waits for a webhook. */
  async waitsForEvent(executionId: string): Promise<boolean> {
    const answer = await this.get(`/trigger/${executionId}/status`);
    return executionState.parse(JSON.parse(await textOf(answer))).statusDetail === "event";
  }

  /** The bytes of a file that an execution made. */
  async file(executionId: string, outputId: string): Promise<Uint8Array> {
    const answer = await this.get(`/trigger/${executionId}/files/${outputId}`);
    if (!answer.ok) throw new UserError(`The file could not be downloaded: ${await answer.text()}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  private get(path: string): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers: this.authorization });
  }
}

async function textOf(response: Response): Promise<string> {
  const body = await response.text();
  if (response.ok) return body;
  throw new UserError(`The service returned ${response.status}: ${body}`);
}

/** Reads an execution's event stream to its end and tells each entry that a person wants to see. */
async function tellProgress(stream: ReadableStream<Uint8Array>): Promise<void> {
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
    case "plan":
      return planText(data.parts);
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

/** Formats what the agent understood that it has to do, one line for each part. */
function planText(parts: unknown): string | null {
  if (!Array.isArray(parts) || parts.length === 0) return null;
  return ["    plan:", ...parts.map((part, index) => `      ${index + 1}. ${part}`)].join("\n");
}
