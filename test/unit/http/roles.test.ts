import { expect, it } from "vitest";
import { ROLES, type Role, scopesOfRole } from "../../../src/contract/keys.ts";
import type { Route } from "../../../src/http/route.ts";
import { routes } from "../../../src/http/routes.ts";

/** Returns the role that may do least of those that may call a route; null for a route of no member. */
function leastRole({ auth: { kind, scope, orScope } }: Route): Role | null {
  if (kind !== "key") return null;
  const may = (role: Role) => {
    const scopes = scopesOfRole(role);
    return scope === null || [scope, orScope].some((one) => one && scopes.includes(one));
  };
  return ROLES.find(may) ?? null;
}

/** The operations that a role may call and the one before it may not. */
const CALLABLE: Record<Role, string> = {
  viewer: `
    downloadFile getAllWebhookUsage getCredits getDecision getDestination getDestinationByExternalId
    getEndpoint getEndpointByExternalId getExecutionResult getExecutionStatus getExecutionStep
    getExecutionTask getModelProvider getOwnAccount getQuotaUsage getRehearsal getReplay getRetry
    getSchedule getScheduleByExternalId getUsage getUsageBreakdown getWebhookRequest getWebhookShape
    getWorkflow getWorkflowByExternalId listAlerts listAuditEntries listCallbackAttempts listCases
    listDecisions listDeliveries listDestinations listEndpointRevisions listEndpoints listExecutions
    listModelProviders listModels listSchedules listScores listWebhookPresets listWebhookRequests
    listWorkflowRevisions listWorkflows readExecutionEvents searchWebhookRequests tryWebhookDraft`,
  operator: `
    cancelReplay cancelRetry createReplay createRetry createShare decide forkExecution listShares
    redeliverCallback rehearseWorkflow replayWebhookRequest revokeShare runSchedule runWorkflow
    scoreExecution sendMessage stopExecution triggerExecution triggerExecutions`,
  admin: `
    createConnection createDestination createEndpoint createKey createMcpServer createMcpToken
    createMember createModelProvider createSchedule createWorkflow deleteConnection
    deleteDestination deleteDestinationByExternalId deleteEndpoint deleteEndpointByExternalId
    deleteMcpServer deleteMember deleteModelProvider deleteSchedule deleteScheduleByExternalId
    deleteWorkflow deleteWorkflowByExternalId disableDestination enableDestination listConnections
    listKeys listMcpServers listMcpTokens listMembers pingDestination putDestination putEndpoint
    putSchedule putWorkflow redeliverToDestination releaseHeldRequests restoreEndpointRevision
    restoreWorkflowRevision revokeKey revokeMcpToken rotateKey rotateSecret setDefaultModel
    testEndpoint testModelProvider updateDestination updateEndpoint updateMember updateModelProvider
    updateSchedule updateWorkflow`,
};

it.each(ROLES)("lists the routes that the role %s may call", (role) => {
  const callable = routes.filter((route) => leastRole(route) === role);
  const ids = callable.map(({ operationId }) => operationId).sort();
  expect(ids).toEqual(CALLABLE[role].trim().split(/\s+/));
});

it("an admin may call every route of an account", () => {
  const ofNobody = routes.filter((route) => route.auth.kind === "key" && leastRole(route) === null);
  expect(ofNobody).toEqual([]);
});

it("each role includes the permissions of the previous one", () => {
  const [viewer, operator, admin] = ROLES.map(scopesOfRole);
  expect(operator).toEqual(expect.arrayContaining(viewer ?? []));
  expect(admin).toEqual(expect.arrayContaining(operator ?? []));
});
