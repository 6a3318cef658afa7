import { expect } from "vitest";
import * as z from "zod";
import { type ReferenceOperation, referenceOf } from "../../../scripts/package/reference.ts";
import { ACCOUNT_RANDOM_BYTES, newAccountId } from "../../../src/accounts/key-format.ts";
import { ADMIN_TOKEN } from "./bindings.ts";
import { AGENT, newAccount, newKey, resultOf, send, trigger, untilStatus } from "./client.ts";
import { promptOf } from "./scripted.ts";

/** The document as it is served. */
export async function servedDocument() {
  const document = z
    .looseObject({ components: z.unknown() })
    .parse(await (await send("/openapi.json")).json());
  const { tags, callbacks } = referenceOf(document);
  const operations = new Map(
    tags.flatMap((tag) => tag.operations.map((each) => [each.id, each] as const)),
  );
  return { components: document.components, operations, callbacks };
}

type Operations = Map<string, ReferenceOperation>;

/** Operations whose execution must have ended, or must have made a file. */
const OF_ENDED = new Set([
  "createShare",
  "forkExecution",
  "getExecutionResult",
  "getExecutionStep",
  "redeliverCallback",
  "revokeShare",
]);
const OF_FILES = new Set(["downloadFile"]);

/** The operations that make a resource, by the names of their ids. */
const MAKERS: Record<string, string> = {
  workflowId: "createWorkflow",
  endpointId: "createEndpoint",
  requestId: "receiveWebhook",
  scheduleId: "createSchedule",
  keyId: "createKey",
  memberId: "createMember",
  destinationId: "createDestination",
  deliveryId: "pingDestination",
  replayId: "createReplay",
  retryId: "createRetry",
  rehearsalId: "rehearseWorkflow",
  connectionId: "createConnection",
  providerId: "createModelProvider",
  tokenId: "createMcpToken",
  serverId: "createMcpServer",
  shareId: "createShare",
};

/** An account, and the ids of what it has, by their names. */
const newWorld = async () => ({ account: await newAccount(), made: new Map<string, string>() });

/** The account of all operations that only read. */
let shared: ReturnType<typeof newWorld> | undefined;

/** Resources that each operation asks for in a state of its own. */
const OF_ONE = ["executionId", "outputId", "decisionId", "externalId"];

/** Runs one operation with the document's own example, on resources of a new account if it may change them. */
export async function runExample(operations: Operations, id: string): Promise<Response> {
  const operation = operationOf(operations, id);
  const reads = operation.method === "GET" && id !== "receiveWebhookByGet";
  if (reads) shared ??= newWorld();
  const { account, made } = await (reads && shared ? shared : newWorld());
  for (const name of OF_ONE) made.delete(name);

  /** The id of a resource of this kind, which is made from the examples that make such. */
  async function idOf(name: string): Promise<string> {
    const known = made.get(name) ?? (await make(name));
    made.set(name, known);
    return known;
  }

  async function make(name: string): Promise<string> {
    switch (name) {
      case "accountId":
        // Only an account that there is not is restored.
        return id === "restorePage"
          ? newAccountId(crypto.getRandomValues(new Uint8Array(ACCOUNT_RANDOM_BYTES)))
          : account.accountId;
      case "part":
        return "account";
      case "apiKey":
        return account.apiKey;
      case "executionId":
        return await executionFor(operation, account.apiKey);
      case "decisionId":
        return await decisionFor(account.apiKey);
      case "outputId":
        return await fileOf(account.apiKey, await idOf("executionId"));
      case "revision":
      case "step":
        return "1";
      case "externalId":
        return await putFor(id);
      default:
        return await idIn(MAKERS[name] ?? "", name);
    }
  }

  /** Makes what an operation asks for by its external id, unless that is what makes it. */
  async function putFor(asking: string): Promise<string> {
    made.set("externalId", "look-at-an-order");
    const kind = /^(?:get|delete)(\w+)ByExternalId$/.exec(asking)?.[1];
    if (kind !== undefined) await sendExample(operationOf(operations, `put${kind}`));
    return "look-at-an-order";
  }

  /** Sends the example of an operation and takes this field of the answer. */
  async function idIn(maker: string, name: string): Promise<string> {
    const response = await sendExample(operationOf(operations, maker));
    expect(response.status, maker).toBeLessThan(300);
    const body = z.record(z.string(), z.unknown()).parse(await response.json());
    const secrets = z.object({ token: z.string() }).safeParse(body.secrets);
    if (secrets.success) made.set("token", secrets.data.token);
    return z.string().parse(body[name]);
  }

  async function sendExample(each: ReferenceOperation): Promise<Response> {
    const path = await filled(each.path, idOf);
    const content = each.body?.contents[0];
    const body = content && (await withIds(content.example, idOf));
    return await send(path + (await queryOf(each, idOf)), {
      method: each.method,
      ...(body !== undefined && { body }),
      ...(await credentialsFor(each, account.apiKey)),
      ...(each.id.startsWith("receiveWebhook") && {
        headers: { "X-Webhook-Token": made.get("token") ?? "" },
      }),
    });
  }

  if (id === "receiveWebhookByGet") await acceptGet(await idOf("endpointId"), account.apiKey);
  return await sendExample(operation);
}

function operationOf(operations: Operations, id: string): ReferenceOperation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return operation;
}

/** A share of a result asks for the scopes of executions in place of the one of requests. */
const OF_SHARES = /Shares?$/;
const MAY_SHARE = ["executions:read", "executions:write"];

/** A token that may do no more than this operation asks for. */
async function credentialsFor({ id, security, scope }: ReferenceOperation, apiKey: string) {
  const [needs] = security;
  if (needs?.adminToken) return { token: ADMIN_TOKEN };
  if (!needs?.apiKey) return {};
  // An operation without a scope takes any key.
  const scopes = [scope ?? "credits:read", ...(OF_SHARES.test(id) ? MAY_SHARE : [])];
  const key = await newKey(apiKey, { name: "example", scopes });
  return { token: key.apiKey };
}

async function filled(path: string, idOf: (name: string) => Promise<string>): Promise<string> {
  let result = path;
  for (const [place, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    result = result.replace(place, await idOf(name));
  }
  return result;
}

async function queryOf(
  { parameters }: ReferenceOperation,
  idOf: (name: string) => Promise<string>,
): Promise<string> {
  const query: string[] = [];
  for (const { name, in: place, example, required } of parameters) {
    if (place !== "query" || (example === undefined && !required)) continue;
    const value = example === undefined ? await idOf(name) : `${example}`;
    query.push(`${name}=${encodeURIComponent(value)}`);
  }
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

/** An example's ids are nobody's: each is replaced by one of its kind. */
async function withIds(example: unknown, idOf: (name: string) => Promise<string>) {
  const body = z.record(z.string(), z.unknown()).parse(example);
  // Another deployment's.
  if ("keys" in body) body.keys = [];
  if ("executionId" in body) body.executionId = await idOf("executionId");
  if ("workflowId" in body) body.workflowId = await idOf("workflowId");
  // Another key is that of a provider.
  if (`${body.apiKey}`.startsWith("ph_live_")) body.apiKey = await idOf("apiKey");
  return body;
}

async function executionFor({ id }: ReferenceOperation, apiKey: string): Promise<string> {
  if (OF_FILES.has(id)) return await executionWithFile(apiKey);
  const model = OF_ENDED.has(id) ? "openai/finishes" : "openai/hangs";
  const executionId = await trigger(apiKey, { model });
  if (OF_ENDED.has(id)) await untilStatus(apiKey, executionId, "completed");
  if (id === "findExecution") await untilFound(executionId);
  return executionId;
}

/** Starts an execution that waits for an approval, and returns its decision once it is listed. */
async function decisionFor(token: string): Promise<string> {
  const input = { method: "POST", url: "https://a.example/" };
  const prompt = promptOf({ calls: [{ tool: "http_request", input }] }, {});
  await trigger(token, { prompt, model: "openai/scripted", approvals: ["http_request"] });
  const page = z.object({ decisions: z.array(z.object({ decisionId: z.string() })) });
  const read = async () => {
    const response = await send("/api/v1/decisions?state=open", { token });
    return page.parse(await response.json()).decisions[0]?.decisionId ?? "";
  };
  await expect.poll(read).not.toBe("");
  return await read();
}

/** Waits until D1 has the execution. */
async function untilFound(executionId: string): Promise<void> {
  const find = () => send(`/api/v1/admin/executions/${executionId}`, { token: ADMIN_TOKEN });
  await expect.poll(async () => (await find()).status).toBe(200);
}

async function executionWithFile(apiKey: string): Promise<string> {
  const file = { label: "Prices", type: "file", filename: "prices.csv", mediaType: "text/csv" };
  const calls = [{ tool: "emit_output", input: { ...file, value: "name,price\nTea,3.20\n" } }];
  const prompt = promptOf({ calls }, { finish: { summary: "Done." } });
  const executionId = await trigger(apiKey, { prompt, model: "openai/scripted" });
  await untilStatus(apiKey, executionId, "completed");
  return executionId;
}

async function fileOf(apiKey: string, executionId: string): Promise<string> {
  const { outputs } = await resultOf(apiKey, executionId);
  const file = outputs.find(({ type }) => type === "file");
  if (file === undefined) throw new Error(`no file came of ${AGENT}/trigger/${executionId}`);
  return file.outputId;
}

async function acceptGet(endpointId: string, token: string): Promise<void> {
  const body = { methods: ["GET"], validation: null, mapping: { fields: [] }, workflowId: null };
  const path = `/api/v1/webhooks/${endpointId}`;
  expect((await send(path, { method: "PATCH", token, body })).status).toBe(200);
}
