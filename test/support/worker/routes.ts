import type { Route } from "../../../src/http/route.ts";

/** The route's path with its parameters filled in; those that are not given get an id of nothing. */
export function pathOf({ path }: Pick<Route, "path">, values: Record<string, string> = {}): string {
  const all: Record<string, string> = {
    executionId: crypto.randomUUID(),
    outputId: "out_1",
    keyId: "key_0000000000000000",
    memberId: "mem_0000000000000000",
    providerId: "prov_0000000000000000",
    decisionId: `dec_${"0".repeat(32)}_1`,
    destinationId: "dst_0000000000000000",
    deliveryId: "del_000000000000_0",
    connectionId: "con_0000000000000000",
    shareId: "shr_0000000000000000",
    serverId: "mcp_0000000000000000",
    tokenId: "mct_0000000000000000",
    accountId: "acc_000000000000",
    workflowId: `wf_${"0".repeat(20)}`,
    endpointId: `ep_${"0".repeat(40)}`,
    scheduleId: `sch_${"0".repeat(20)}`,
    externalId: "shop.orders",
    requestId: crypto.randomUUID(),
    replayId: crypto.randomUUID(),
    retryId: crypto.randomUUID(),
    rehearsalId: crypto.randomUUID(),
    step: "1",
    revision: "1",
    part: "account",
    ...values,
  };
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = all[name];
    if (value === undefined) throw new Error(`${path} needs a ${name}`);
    return value;
  });
}
