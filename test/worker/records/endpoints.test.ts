import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { SYSTEM } from "../../../src/contract/actor.ts";
import { auditEntryOf } from "../../../src/contract/audit.ts";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import { shortEndpointId } from "../../../src/lib/log.ts";
import { pagesOf } from "../../../src/lib/pages.ts";
import { selectAudit } from "../../../src/records/audit.ts";
import {
  deleteEndpoint,
  endpointsByTag,
  endpointsOfWorkflow,
  insertEndpoint,
  loadByAddress,
  loadEndpoint,
  selectEndpoints,
  updateEndpoint,
} from "../../../src/records/endpoints.ts";
import {
  deleteWorkflow,
  insertWorkflow,
  replaceWorkflow,
  type StoredWorkflow,
} from "../../../src/records/workflows.ts";
import { configWith, newEndpointId, workflowWith } from "../../support/endpoint.ts";

const { DB } = env;
const newAccountId = () => `acc_${crypto.randomUUID()}`;

async function inserted(changes: Partial<EndpointConfig> = {}): Promise<EndpointConfig> {
  const write = await insertEndpoint(
    DB,
    configWith({ accountId: newAccountId(), ...changes }),
    100,
  );
  if (write.kind !== "saved") throw new Error(`not saved: ${write.kind}`);
  return write.config;
}

/** An endpoint with a workflow, both stored. */
async function attached() {
  const accountId = newAccountId();
  const workflow: StoredWorkflow = { definition: workflowWith(), createdAt: 1, updatedAt: 1 };
  await insertWorkflow(DB, accountId, workflow, 100);
  return { workflow, endpoint: await inserted({ accountId, workflow: workflow.definition }) };
}

describe("an endpoint in D1", () => {
  it("is stored once, and found by its owner, its id and its path, each in one spelling", async () => {
    const config = configWith({ accountId: newAccountId(), path: `Shop/${crypto.randomUUID()}` });
    for (const _ of ["first", "repeated"]) {
      expect(await insertEndpoint(DB, config, 100)).toEqual({ kind: "saved", config });
    }
    expect(await loadEndpoint(DB, config.accountId, config.endpointId)).toEqual(config);
    expect(await loadByAddress(DB, config.endpointId)).toEqual(config);
    expect(await loadByAddress(DB, config.path ?? "")).toEqual(config);
    expect(await loadEndpoint(DB, newAccountId(), config.endpointId)).toBeNull();
    expect(await loadByAddress(DB, config.endpointId.toUpperCase())).toBeNull();
    expect(await loadByAddress(DB, config.path?.toLowerCase() ?? "")).toBeNull();
  });

  it("reads a row of an earlier version with defaults for newer settings", async () => {
    const config = await inserted();
    await rewrite(config, ({ retentionDays: _, onDuplicate: __, ...rest }) => rest);
    const read = await loadEndpoint(DB, config.accountId, config.endpointId);
    expect(read).toEqual({ ...config, retentionDays: 30, onDuplicate: "skip" });
  });

  it("does not treat a row without its auth as open", async () => {
    const config = await inserted();
    await rewrite(config, ({ auth: _, ...rest }) => rest);
    await expect(loadByAddress(DB, config.endpointId)).rejects.toThrow();
  });
});

async function rewrite(
  { endpointId }: EndpointConfig,
  change: (settings: Record<string, unknown>) => unknown,
): Promise<void> {
  const where = "FROM endpoints WHERE endpoint_id = ?";
  const text = await DB.prepare(`SELECT settings ${where}`).bind(endpointId).first("settings");
  await DB.prepare("UPDATE endpoints SET settings = ? WHERE endpoint_id = ?")
    .bind(JSON.stringify(change(JSON.parse(String(text)))), endpointId)
    .run();
}

describe("a change of an endpoint", () => {
  it("raises its version, only from the version that it read", async () => {
    const config = await inserted();
    const changed = { ...config, name: "other", updatedAt: config.updatedAt + 1 };
    const write = await updateEndpoint(DB, changed);
    expect(write).toEqual({ kind: "saved", config: { ...changed, version: changed.updatedAt } });
    // A repeat of the same call is answered as the first.
    expect(await updateEndpoint(DB, changed)).toEqual(write);
    expect(await updateEndpoint(DB, { ...config, name: "late" })).toEqual({ kind: "changed" });
    expect(await loadEndpoint(DB, config.accountId, config.endpointId)).toMatchObject({
      name: "other",
    });
  });

  it("changes nothing of another account's, or of a deleted one", async () => {
    const config = await inserted();
    const stranger = { ...config, accountId: newAccountId() };
    expect(await updateEndpoint(DB, stranger)).toEqual({ kind: "changed" });
    await deleteEndpoint(DB, config.accountId, config.endpointId, 9);
    expect(await updateEndpoint(DB, config)).toEqual({ kind: "changed" });
    const late = { ...config, version: config.version + 1 };
    expect(await updateEndpoint(DB, late)).toEqual({ kind: "changed" });
  });
});

describe("two equal changes in one millisecond", () => {
  const twice = <Written>(change: () => Promise<Written>) => Promise.all([change(), change()]);
  const updated = (kind: "endpoint" | "workflow", id: string) => {
    const audited = {
      action: `${kind}.updated`,
      resource: { kind, id, name: "" },
      detail: {},
    } as const;
    return auditEntryOf(SYSTEM, audited, { now: 2, random: crypto.randomUUID().slice(-12) });
  };

  it("are in the audit log as often as they are made", async () => {
    const { workflow, endpoint } = await attached();
    const { accountId, endpointId } = endpoint;
    const { workflowId } = workflow.definition;
    const definition = { ...workflow.definition, name: "other" };
    const written = await twice(() => {
      const after = { ...workflow, definition, updatedAt: 2 };
      return replaceWorkflow(DB, accountId, workflow, after, updated("workflow", workflowId));
    });
    expect(written.map((write) => write.written)).toEqual([true, false]);
    const before = await loadEndpoint(DB, accountId, endpointId);
    if (before === null) throw new Error("not stored");
    const changed = { ...before, name: "other", updatedAt: before.updatedAt + 1 };
    await twice(() => updateEndpoint(DB, changed, updated("endpoint", endpointId)));
    for (const resource of [workflowId, endpointId])
      expect(await selectAudit(DB, accountId, { after: null, resource, limit: 9 })).toHaveLength(1);
  });
});

describe("a deleted endpoint", () => {
  it("leaves a tombstone without its settings, and frees its path", async () => {
    const path = crypto.randomUUID();
    const { accountId, endpointId, version } = await inserted({ path });
    const left = await deleteEndpoint(DB, accountId, endpointId, 9);
    expect(left).toMatchObject({ endpointId, accountId, deleted: true });
    expect(left?.version).toBeGreaterThan(version);
    expect(left).toMatchObject({ enabled: false, path, workflow: null, name: "" });
    expect(await loadByAddress(DB, endpointId)).toEqual(left);
    expect(await loadByAddress(DB, path)).toEqual(left);
    expect(await loadEndpoint(DB, accountId, endpointId)).toBeNull();
    const row = await DB.prepare("SELECT * FROM endpoints WHERE endpoint_id = ?")
      .bind(endpointId)
      .first();
    expect(row).toMatchObject({ settings: "", path: null });
    const next = await inserted({ path });
    expect(await loadByAddress(DB, path)).toMatchObject({ endpointId: next.endpointId });
  });

  it("is deleted once, only by its owner", async () => {
    const { accountId, endpointId } = await inserted();
    expect(await deleteEndpoint(DB, newAccountId(), endpointId, 9)).toBeNull();
    const left = await deleteEndpoint(DB, accountId, endpointId, 9);
    expect(await deleteEndpoint(DB, accountId, endpointId, 10)).toEqual(left);
  });
});

describe("the list of endpoints", () => {
  it("pages from the newest to the oldest, each once", async () => {
    const accountId = newAccountId();
    const made = await Promise.all(
      [5, 7, 7, 7, 9].map((createdAt) => inserted({ accountId, createdAt })),
    );
    await inserted();
    const deleted = await inserted({ accountId });
    await deleteEndpoint(DB, accountId, deleted.endpointId, 9);
    const seen: EndpointConfig[] = [];
    for await (const page of pagesOf((after) => selectEndpoints(DB, accountId, after, 2)))
      seen.push(...page);
    expect(seen.map(({ createdAt }) => createdAt)).toEqual([9, 7, 7, 7, 5]);
    expect(new Set(seen.map(({ endpointId }) => endpointId))).toEqual(
      new Set(made.map(({ endpointId }) => endpointId)),
    );
  });

  it("skips and logs an unreadable row", async () => {
    const accountId = newAccountId();
    const [, broken] = await Promise.all(
      [1, 2, 3].map((createdAt) => inserted({ accountId, createdAt })),
    );
    if (broken === undefined) throw new Error("there are three");
    await rewrite(broken, () => ({ v: 1 }));
    const told = vi.spyOn(console, "error").mockReturnValue();
    const first = await selectEndpoints(DB, accountId, null, 2);
    expect(first.items.map(({ createdAt }) => createdAt)).toEqual([3]);
    expect(told.mock.calls.flat().join()).toContain(shortEndpointId(broken.endpointId));
    told.mockRestore();
    const second = await selectEndpoints(DB, accountId, first.next, 2);
    expect(second.items.map(({ createdAt }) => createdAt)).toEqual([1]);
    expect(second.next).toBeNull();
  });
});

it("endpoints by an id prefix are only those of the account, including deleted ones", async () => {
  const accountId = newAccountId();
  const tag = newEndpointId().slice(3, 13);
  const id = (rest: string) => `ep_${tag}${rest.repeat(30)}`;
  for (const rest of ["0", "f"]) await inserted({ accountId, endpointId: id(rest) });
  await inserted({ endpointId: id("7") });
  await inserted({ accountId });
  await deleteEndpoint(DB, accountId, id("0"), 9);
  expect((await endpointsByTag(DB, accountId, tag)).sort()).toEqual([id("0"), id("f")]);
});

describe("the workflow of an endpoint", () => {
  it("is read with it, and never one of another account or a deleted one", async () => {
    const { workflow, endpoint } = await attached();
    expect(endpoint.workflow).toEqual(workflow.definition);
    expect((await inserted({ workflow: workflow.definition })).workflow).toBeNull();
    const { accountId } = endpoint;
    const gone = await inserted({ accountId, workflow: workflowWith() });
    expect(gone.workflow).toBeNull();
    const write = await updateEndpoint(DB, { ...endpoint, workflow: workflowWith() });
    expect(write).toMatchObject({ kind: "saved", config: { workflow: null } });
  });

  it("raises the version of all its endpoints when it changes", async () => {
    const { workflow, endpoint } = await attached();
    const other = await inserted({ accountId: endpoint.accountId });
    const { accountId, endpointId } = endpoint;
    const definition = { ...workflow.definition, prompt: "Do something else." };
    const after = { ...workflow, definition, updatedAt: 2 };
    const written = { written: true, endpointIds: [endpointId] };
    expect(await replaceWorkflow(DB, accountId, workflow, after)).toEqual(written);
    const changed = await loadEndpoint(DB, accountId, endpointId);
    expect(changed).toMatchObject({ endpointId, version: endpoint.version + 1 });
    expect(changed?.workflow?.prompt).toBe("Do something else.");
    expect(await loadEndpoint(DB, accountId, other.endpointId)).toEqual(other);
    expect(await updateEndpoint(DB, endpoint)).toEqual({ kind: "changed" });
  });

  it("is detached from all its endpoints when it is deleted", async () => {
    const { workflow, endpoint } = await attached();
    const { accountId, endpointId } = endpoint;
    const { workflowId } = workflow.definition;
    expect(await endpointsOfWorkflow(DB, accountId, workflowId)).toEqual([endpointId]);
    const written = { written: true, endpointIds: [endpointId] };
    expect(await deleteWorkflow(DB, accountId, workflowId, { now: 9, by: SYSTEM.by })).toEqual(
      written,
    );
    expect(await endpointsOfWorkflow(DB, accountId, workflowId)).toEqual([]);
    expect(await loadEndpoint(DB, accountId, endpointId)).toMatchObject({
      version: 9,
      workflow: null,
    });
  });
});
