import {
  createMemberBody,
  type MemberRecord,
  ROLES,
  type Role,
  role,
} from "../../contract/keys.ts";
import { Time } from "../components/elements.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { type Form, field } from "../forms/form.ts";
import { postedForm } from "../forms/posted.ts";
import { MEMBERS } from "../paths.ts";
import { serveResource } from "./resource.tsx";

const ROLE_OPTIONS: Record<Role, string> = {
  viewer: "Viewer: reads",
  operator: "Operator: also starts, stops, answers, approves and replays",
  admin: "Admin: everything",
};

const COLUMNS: Column<MemberRecord>[] = [
  {
    name: "Member",
    is: "wrap",
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
        <button type="submit">Change role</button>
      </form>
    ),
  },
  { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: "Last sign-in", cell: ({ lastSignInAt }) => <Time at={lastSignInAt} /> },
];

const FORM: Form<typeof createMemberBody> = {
  schema: createMemberBody,
  fields: {
    email: field.line("E-mail address", {
      hint: "The member signs in with this address.",
      required: true,
      more: { type: "email" },
    }),
    role: field.select("Role", ROLE_OPTIONS),
    name: field.line("Name", { hint: "Leave empty to show the address." }),
  },
};

/** Serves the people of the account, and changes their roles. */
export function serveMembers(app: Dashboard): void {
  serveResource(app, {
    section: "members",
    scope: "members:admin",
    calls: ({ members }) => members,
    rowsOf: ({ members }) => members,
    idOf: ({ memberId }) => memberId,
    nameOf: ({ name, email }) => name ?? email,
    columns: () => COLUMNS,
    empty: {
      title: "No members yet",
      text: "Members sign in with their own e-mail address, so that the audit log says who did what.",
    },
    notices: {
      created: "Member added. They can sign in with their e-mail address now.",
      changed: "Role changed. It applies from the member's next request.",
    },
    form: FORM,
    initial: { role: "viewer" },
    create: "Add member",
    act: "remove",
    about: () => <p>The member is signed out at once. Keys that they created keep working.</p>,
  });

  app.post("/members/:id/role", async (http) => {
    const change = role.safeParse((await postedForm(http)).line("role"));
    if (!change.success) return http.redirect(MEMBERS, 303);
    await http.get("api").members.update(http.req.param("id"), { role: change.data });
    return http.redirect(`${MEMBERS}?done=changed`, 303);
  });
}
