import * as z from "zod";
import {
  type ChangeMemberReply,
  createMemberBody,
  MAX_MEMBERS,
  type MemberRecord,
  memberRecord,
  updateMemberBody,
} from "../contract/members.ts";
import { accountStub } from "../durable/stubs.ts";
import { addMembership, deleteMembership } from "../records/memberships.ts";
import { actorOf } from "./actor.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import { randomId } from "./keys.ts";
import { listRoute, pageOf } from "./list.ts";
import { HttpProblem, notFound } from "./problem.ts";
import { jsonResponse, noContent, route } from "./route.ts";

const MEMBERS = "/api/v1/members";
const ID_DIGITS = 16;

const params = z.object({
  memberId: z
    .string()
    .regex(/^mem_[0-9A-Za-z]{16}$/)
    .describe("The id of the member: `mem_` and 16 letters and digits."),
});
const auth = apiKey("members:admin", "management");

const example: MemberRecord = {
  memberId: "mem_4kQ0mYb2Zt7RcX1a",
  email: "ada@acme.example",
  name: "Ada",
  role: "operator",
  createdAt: "2026-11-20T09:30:00.000Z",
  lastSignInAt: null,
};

const create = route({
  method: "POST",
  path: MEMBERS,
  operationId: "createMember",
  tag: "Members",
  summary: "Add a member",
  description:
    "Adds a person to the account, who can sign in to the dashboard with this e-mail address from now on.",
  auth,
  body: jsonBody(createMemberBody, { email: example.email, role: "operator", name: "Ada" }),
  response: jsonResponse(201, "The member.", memberRecord, example),
  problems: ["conflict", "unavailable"],
  async handler({ http, caller, body: { email, role, name = null } }) {
    const { accountId } = caller;
    const member = { memberId: randomId("mem_", ID_DIGITS), email, role, name };
    await callWithRetry(() => addMembership(http.env.DB, email, accountId));
    const reply = await callOnce(() =>
      accountStub(http.env, accountId).addMember(member, actorOf(http, caller)),
    );
    if (reply.kind === "added") return { value: reply.record };
    throw new HttpProblem(
      "conflict",
      reply.kind === "email_taken"
        ? `${email} is a member already. Update the member instead.`
        : `The account has ${MAX_MEMBERS} members, which is the limit. Remove one first.`,
    );
  },
});

const list = listRoute({
  path: MEMBERS,
  operationId: "listMembers",
  tag: "Members",
  summary: "List members",
  description: "Returns the members of the account, newest first.",
  auth,
  items: "members",
  page: "MemberPage",
  item: memberRecord,
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listMembers());
    return pageOf(all, limit, after, ({ createdAt, memberId }) => ({
      createdAt: Date.parse(createdAt),
      id: memberId,
    }));
  },
});

const update = route({
  method: "PATCH",
  path: `${MEMBERS}/:memberId`,
  operationId: "updateMember",
  tag: "Members",
  summary: "Update a member",
  description:
    "Changes the role or the name of a member. A new role applies from the member's next request. The last admin cannot be demoted.",
  auth,
  params,
  body: jsonBody(updateMemberBody, { role: "admin" }),
  response: jsonResponse(200, "The member.", memberRecord, { ...example, role: "admin" }),
  problems: ["not_found", "conflict"],
  async handler({ http, caller, params: { memberId }, body }) {
    const account = () => accountStub(http.env, caller.accountId);
    const reply = await callOnce(() =>
      account().changeMember(memberId, body, actorOf(http, caller)),
    );
    return { value: changed(reply) };
  },
});

const remove = route({
  method: "DELETE",
  path: `${MEMBERS}/:memberId`,
  operationId: "deleteMember",
  tag: "Members",
  summary: "Remove a member",
  description:
    "The member is signed out at once. Keys that the member created keep working. The last admin cannot be removed.",
  auth,
  params,
  response: noContent("The member is removed."),
  problems: ["not_found", "conflict"],
  async handler({ http, caller, params: { memberId } }) {
    const { accountId } = caller;
    const reply = await callOnce(() =>
      accountStub(http.env, accountId).removeMember(memberId, actorOf(http, caller)),
    );
    const { email } = changed(reply);
    await callWithRetry(() => deleteMembership(http.env.DB, email, accountId));
    return { value: undefined };
  },
});

function changed(reply: ChangeMemberReply): MemberRecord {
  if (reply.kind === "changed") return reply.record;
  if (reply.kind === "not_found") throw notFound();
  throw new HttpProblem(
    "conflict",
    "This is the last admin of the account. Make another member an admin first.",
  );
}

export const memberRoutes = [create, list, update, remove];
