import { ROLES } from "../../contract/members.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { printList } from "../terminal.ts";
import { ago, localTime, oneLine } from "../text.ts";

const NAME = 40;
const LIMIT = { value: "N", help: "maximum number of rows (default: 100)" } as const;

function roleOf(text: string | undefined) {
  const role = ROLES.find((one) => one === text);
  if (role === undefined) throw new UsageError(`Choose a role: ${ROLES.join(", ")}.`);
  return role;
}

const list: Command = {
  name: "members list",
  summary: "List the account's members, newest first",
  options: { limit: LIMIT },
  async run({ client, output, values, signal }) {
    const members = client.members.all({ signal });
    const heading = ["MEMBER", "ROLE", "SIGNED IN", "E-MAIL", "NAME"];
    await printList(output, members, values.wholeNumber("limit", 1) ?? 100, heading, (member) => {
      const { memberId, role, lastSignInAt, email, name } = member;
      const seen = lastSignInAt === null ? "never" : ago(lastSignInAt, Date.now());
      return [memberId, role, seen, email, oneLine(name ?? "", NAME)];
    });
  },
};

const add: Command = {
  name: "members add",
  summary: "Add a member, who signs in with this e-mail address",
  args: ["email", "role"],
  options: { name: { value: "NAME", help: "name of the member" } },
  notes: `Roles: ${ROLES.join(", ")}.`,
  async run({ client, output, values, args: [email = "", role], signal }) {
    const body = { email, role: roleOf(role), name: values.text("name") };
    output.print(await client.members.create(body, { signal }), ({ memberId }) => memberId);
  },
};

const setRole: Command = {
  name: "members role",
  summary: "Change the role of a member",
  args: ["member", "role"],
  notes: `Roles: ${ROLES.join(", ")}.`,
  async run({ client, output, args: [memberId = "", role], signal }) {
    const changed = await client.members.update(memberId, { role: roleOf(role) }, { signal });
    output.print(changed, (member) => `${member.email} is ${member.role}.`);
  },
};

const remove: Command = {
  name: "members remove",
  summary: "Remove a member, who is signed out immediately",
  args: ["member"],
  async run({ client, output, args: [memberId = ""], signal }) {
    await client.members.delete(memberId, { signal });
    output.print({ memberId, removed: true }, () => "Removed.");
  },
};

export const members = [list, add, setRole, remove];

export const audit: Command = {
  name: "audit",
  summary: "Show who changed what, newest first",
  options: {
    limit: LIMIT,
    action: { value: "ACTION", help: "only this action, such as workflow.updated" },
    resource: { value: "ID", help: "only what was done to this resource" },
    by: { value: "ID", help: "only what this key or member did; also a kind, such as operator" },
    from: { value: "TIME", help: "only from this time on, such as 2026-11-24T00:00:00Z" },
    to: { value: "TIME", help: "only before this time" },
  },
  async run({ client, output, values, signal }) {
    const filter = {
      action: values.text("action"),
      resource: values.text("resource"),
      by: values.text("by"),
      from: values.text("from"),
      to: values.text("to"),
    };
    const entries = client.audit.all(filter, { signal });
    const heading = ["TIME", "ACTION", "BY", "RESOURCE", "NAME"];
    await printList(output, entries, values.wholeNumber("limit", 1) ?? 100, heading, (entry) => [
      localTime(entry.at),
      entry.action,
      oneLine(entry.by.name, NAME),
      entry.resource.id,
      oneLine(entry.resource.name, NAME),
    ]);
  },
};
