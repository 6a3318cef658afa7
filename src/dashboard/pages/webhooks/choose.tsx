import { Layout } from "../../components/layout.tsx";
import { WEBHOOKS } from "./paths.ts";
import { SENDERS } from "./senders/all.ts";

/** The first step to an endpoint: who is going to call it. */
export function ChooseSenderPage({ workflowId }: { workflowId: string | null }) {
  const query = workflowId === null ? "" : `?workflowId=${encodeURIComponent(workflowId)}`;
  return (
    <Layout title="New endpoint" section="webhooks">
      <p>Who will call it? That decides how Prompthook knows its sender from anybody else.</p>
      <ul class="cards">
        {SENDERS.map(({ id, name, about }) => (
          <li>
            <a class="card" href={`${WEBHOOKS}/new/${id}${query}`}>
              <strong>{name}</strong>
              <span class="muted">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </Layout>
  );
}
