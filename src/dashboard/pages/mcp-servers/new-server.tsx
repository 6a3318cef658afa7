import { Input, SecretInput } from "../../components/fields.tsx";
import { SendOrCancel } from "../../components/form.tsx";
import { Layout } from "../../components/layout.tsx";
import { Refused } from "../../components/refused.tsx";
import { NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import { MCP_SERVERS } from "./paths.ts";

/** A new server as it was typed, but for the value of its header. */
export interface ServerDraft {
  name: string;
  url: string;
  headerName: string;
}

export const NEW_DRAFT: ServerDraft = { name: "", url: "", headerName: "" };

/** Asks where a server is and what it wants to see. */
export function NewServerPage({ draft, refusal }: { draft: ServerDraft; refusal: Refusal | null }) {
  const faults = refusal?.faults ?? NO_FAULTS;
  return (
    <Layout title="Add an MCP server" section="mcp-servers">
      <Refused refusal={refusal} />
      <form method="post" action={MCP_SERVERS} class="card snug">
        <Input
          name="name"
          label="Name"
          hint="Its tools are named after it: mcp__crm__find for the tool find of crm."
          value={draft.name}
          faults={faults}
          more={{ required: true, maxlength: 100 }}
        />
        <Input
          name="url"
          label="Address"
          type="url"
          hint="Of its Streamable HTTP endpoint, such as https://crm.example/mcp."
          value={draft.url}
          faults={faults}
          more={{ required: true, maxlength: 2048 }}
        />
        <Input
          name="headerName"
          label="Header"
          hint="Sent with every request, such as Authorization. Leave it empty for a server that asks for nothing."
          value={draft.headerName}
          faults={faults}
          more={{ maxlength: 100 }}
        />
        <SecretInput
          name="headerValue"
          label="Value of the header"
          hint="Such as Bearer and a token. It is kept encrypted and never shown again."
          faults={faults}
          more={{ maxlength: 4096 }}
        />
        <SendOrCancel send="Add server" back={MCP_SERVERS} />
      </form>
    </Layout>
  );
}
