import * as z from "zod";
import { createMemberBody, type MemberRecord, ROLES, role } from "../../contract/members.ts";
import { NoValue, Submit, Time } from "../components/elements.tsx";
import { type Resource, serveList } from "../components/list-page.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import type { Form } from "../forms/form.ts";
import { serveCreation } from "../forms/form-page.tsx";
import { postedForm } from "../forms/posted.ts";
import { findIn } from "../lookups.ts";
import { MEMBERS } from "../paths.ts";
import { DeleteLink, serveDeletion } from "./resource.tsx";

const RESOURCE: Resource = { title: "Members", section: "members", path: MEMBERS };

const ROLE_OPTIONS = [
  { value: "viewer", label: "Viewer: reads" },
  { value: "operator", label: "Operator: also starts, stops, answers, approves and replays" },
  { value: "admin", label: "Admin: everything" },
];

const COLUMNS: Column<MemberRecord>[] = [
  {
    name: "Member",
    is: "wrap",
    isBare: true,
    cell: ({ name, email }) => (
      <>
        <strong>{name ?? email}</strong>
        {name !== null && <div class="muted">{email}</div>}
      </>
    ),
  },
  {
    name: "Role",
    cell: ({ memberId, role: current, email }) => (
      <form method="post" action={`${MEMBERS}/${memberId}/role`} class="actions">
        <select name="role" aria-label={`Role of ${email}`}>
          {ROLES.map((one) => (
            <option value={one} selected={one === current}>
              {one}
            </option>
          ))}
        </select>
        <Submit>Change role</Submit>
      </form>
    ),
  },
  { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: "Last sign-in",
    cell: ({ lastSignInAt }) => (lastSignInAt === null ? <NoValue /> : <Time at={lastSignInAt} />),
  },
  {
    name: "Actions",
    isBare: true,
    cell: ({ memberId, name, email }) => (
      <DeleteLink href={`${MEMBERS}/${memberId}/remove`} name={name ?? email} verb="Remove" />
    ),
  },
];

const FORM: Form<typeof createMemberBody> = {
  schema: createMemberBody,
  fields: {
    email: {
      kind: "line",
      label: "E-mail address",
      hint: "The member signs in with this address.",
      required: true,
      more: { type: "email" },
    },
    role: { kind: "select", label: "Role", options: ROLE_OPTIONS },
    name: { kind: "line", label: "Name", hint: "Leave empty to show the address." },
  },
};

const roleChange = z.object({ role });

/** Serves the people of the account: list, add, change the role, remove. */
export function serveMembers(app: Dashboard): void {
  serveList(app, {
    ...RESOURCE,
    load: (api, query) => api.members.list(query),
    rowsOf: ({ members }) => members,
    around: async () => null,
    columns: () => COLUMNS,
    action: { scope: "members:admin", href: `${MEMBERS}/new`, children: "Add member" },
    empty: {
      title: "No members yet",
      text: "Members sign in with their own e-mail address, so that the audit log says who did what.",
    },
    notices: {
      added: "Member added. They can sign in with their e-mail address now.",
      changed: "Role changed. It applies from the member's next request.",
    },
  });

  serveCreation(app, {
    ...RESOURCE,
    title: "Add member",
    submit: "Add member",
    form: FORM,
    initial: { role: "viewer" },
    create: (api, body) => api.members.create(body),
    done: (http) => http.redirect(`${MEMBERS}?done=added`, 303),
  });

  app.post("/members/:id/role", async (http) => {
    const change = roleChange.safeParse({ role: (await postedForm(http)).line("role") });
    if (!change.success) return http.redirect(MEMBERS, 303);
    await http.get("api").members.update(http.req.param("id"), change.data);
    return http.redirect(`${MEMBERS}?done=changed`, 303);
  });

  serveDeletion(app, {
    ...RESOURCE,
    act: "remove",
    find: (http, id) => findIn(http.get("api").members.all(), ({ memberId }) => memberId === id),
    nameOf: ({ name, email }) => name ?? email,
    about: () => <p>The member is signed out at once. Keys that they created keep working.</p>,
    remove: (api, id) => api.members.delete(id),
  });
}
