import {
  type ChangeMemberReply,
  createMemberBody,
  MAX_MEMBERS,
  type MemberRecord,
  memberRecord,
  updateMemberBody,
} from "../contract/members.ts";
import { addMembership, deleteMembership } from "../records/memberships.ts";
import { apiKey } from "./authentication.ts";
import { callWithRetry, conflict, notFound } from "./problem.ts";
import { callAccount, changeAccount, randomId, resource, tooMany } from "./resource.ts";

const auth = apiKey("members:admin", "management");

const member = resource({
  path: "/api/v1/members",
  name: "Member",
  one: "a member",
  id: "memberId",
  record: memberRecord,
  reader: auth,
});

export const memberRoutes = [
  member.create({
    description:
      "Adds a person to the account, who can sign in to the dashboard with this e-mail address from now on.",
    body: createMemberBody,
    bodyExample: { email: "ada@acme.example", role: "operator", name: "Ada" },
    async handler({ http, caller, body: { email, role, name = null } }) {
      const added = { memberId: randomId("mem_"), email, role, name };
      await callWithRetry(() => addMembership(http.env.DB, email, caller.accountId));
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.addMember(added, actor),
      );
      if (reply.kind === "added") return reply.record;
      if (reply.kind === "full") throw tooMany("a member", MAX_MEMBERS);
      throw conflict(`${email} is a member already. Update the member instead.`);
    },
  }),
  member.list("Returns the members of the account, newest first.", (http, caller) =>
    callAccount(http, caller, (account) => account.listMembers()),
  ),
  member.update({
    description:
      "Changes the role or the name of a member. A new role applies from the member's next request. The last admin cannot be demoted.",
    body: updateMemberBody,
    bodyExample: { role: "admin" },
    async handler({ http, caller, id, body }) {
      return changed(
        await changeAccount(http, caller, (account, actor) =>
          account.changeMember(id, body, actor),
        ),
      );
    },
  }),
  member.remove(
    "The member is signed out at once. Keys that the member created keep working. The last admin cannot be removed.",
    async ({ http, caller, id }) => {
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.removeMember(id, actor),
      );
      const { email } = changed(reply);
      await callWithRetry(() => deleteMembership(http.env.DB, email, caller.accountId));
      return true;
    },
    { problems: ["conflict"] },
  ),
];

function changed(reply: ChangeMemberReply): MemberRecord {
  if (reply.kind === "changed") return reply.record;
  if (reply.kind === "not_found") throw notFound();
  throw conflict("This is the last admin of the account. Make another member an admin first.");
}
