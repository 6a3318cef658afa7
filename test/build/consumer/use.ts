import {
  type Callback,
  type CreateWorkflowBody,
  type ExecutionEvent,
  type ExecutionResult,
  type LogEntry,
  type Output,
  type Prompthook,
  PrompthookError,
  type ResultSchema,
  verifyCallback,
} from "prompthook";

/** A schema as a library makes it. */
const TOTAL: ResultSchema<{ total: number }> = {
  "~standard": {
    validate: () => ({ value: { total: 9 } }),
    jsonSchema: { input: () => ({ type: "object" }) },
  },
};

/** What a user of the installed client writes; it is compiled against its declarations, and not run. */
export async function use(client: Prompthook, request: Request): Promise<string[]> {
  const told: string[] = [];
  const result: ExecutionResult = await client.executions.run(
    { prompt: "Do it.", tools: ["browse"], metadata: { order: "1007" }, maxCredits: 5 },
    { onProgress: ({ progress }) => void told.push(progress.message), timeoutMs: 1_000 },
  );
  if (result.status === "failed") told.push(result.error.code);
  // @ts-expect-error Only a failed result has an error.
  if (result.status === "completed") told.push(result.error);
  told.push(...result.outputs.map(valueOrUrl));
  const counted = await client.executions.wait<{ count: number }>(result.executionId);
  told.push((counted.presentedResult.data?.count ?? 0).toFixed(2));
  // @ts-expect-error A run needs a prompt.
  await client.executions.trigger({ model: "builtin/demo" });
  // @ts-expect-error There is no such field.
  await client.executions.trigger({ prompt: "x", colour: "red" });
  // @ts-expect-error There is no such status.
  const failed = client.executions.all({ status: ["broken"] });
  for await (const { executionId, version } of failed) told.push(`${executionId} ${version + 1}`);
  for await (const event of client.executions.stream(result.executionId)) told.push(lineOf(event));
  const typed = await client.executions.run({ prompt: "Add.", outputSchema: TOTAL });
  told.push((typed.presentedResult.data?.total ?? 0).toFixed(2));
  const workflow: CreateWorkflowBody = { name: "x", prompt: "Do it." };
  await client.workflows.create(workflow);
  const entry: LogEntry = await client.webhooks.request("ep_1", "req_1");
  const made = await client.webhooks.create({ name: "x", auth: { hmac: { preset: "github" } } });
  const callback: Callback = await verifyCallback({
    secret: "a secret",
    headers: request.headers,
    body: await request.text(),
  });
  const type:
    | "execution.completed"
    | "execution.failed"
    | "execution.stopped"
    | "execution.waiting_for_input" = callback.type;
  return [...told, entry.status, made.secrets?.hmac ?? "", type];
}

function lineOf({ type, data }: ExecutionEvent): string {
  if (type === "status") return data.statusDetail;
  return type === "tool.finished" && !data.ok ? `${data.callId}: ${data.error?.message}` : type;
}

function valueOrUrl(output: Output): string {
  if (output.type === "table") return output.value.columns.join();
  return output.type === "file" || output.type === "link" ? output.url : `${output.value}`;
}

/** Errors are told apart by class and code. */
export function isShortOfCredits(error: unknown): boolean {
  return error instanceof PrompthookError && error.code === "insufficient_credits";
}
