import { ATTEMPT_OFFSETS } from "../../deliveries/schedule.ts";
import { Values } from "../components/fields.tsx";
import { Example, Snippet } from "../components/text.tsx";
import type { GuideContext } from "../curl.ts";
import type { Place } from "../schema.ts";

/** The requests that the service sends to a callbackUrl, and how to verify them. */
export function CallbackGuide({ callbacks, place }: GuideContext & { place: Place }) {
  return (
    <section id="guide-callbacks">
      <h2>Verify a callback</h2>
      <p>
        Set <code>callbackUrl</code> and <code>callbackSecret</code> on an execution or a workflow.
        When an execution ends, the service posts its result to this address, signed according to{" "}
        <a href="https://www.standardwebhooks.com" rel="noreferrer">
          Standard Webhooks
        </a>
        . Add <code>waiting_for_input</code> to <code>callbackEvents</code> to receive questions as
        well.
      </p>
      <Snippet id="guide-receiver" label="With the standardwebhooks library" text={RECEIVER} />
      <Snippet
        id="guide-receiver-client"
        label="With the Prompthook client"
        text={RECEIVER_WITH_CLIENT}
      />
      {callbacks.map(({ operation: { id, parameters, body } }) => (
        <div class="operation" id={id}>
          <div class="operation-text">
            <h3>The request</h3>
            <Values
              values={parameters.map(({ name, schema, description, required }) => ({
                name,
                schema,
                isRequired: required,
                description,
              }))}
              place={place}
            />
            <p>
              The body is a <a href="#schema-CallbackBody">CallbackBody</a>: the{" "}
              <a href="#getExecutionResult">result</a> with the type and the time of the event.
            </p>
          </div>
          <div class="operation-code">
            <Example label="Body" value={body?.contents[0]?.example} />
          </div>
        </div>
      ))}
      <h3 id="callback-attempts">Attempts</h3>
      <p>
        Return 2xx within 15 seconds. Any other response is retried {scheduleInWords()} after the
        event, each with a small random delay. <code>Retry-After</code> is honored, 410 ends the
        delivery, and redirects are not followed. All attempts of an event have the same{" "}
        <code>webhook-id</code>; store it to process the event once. Callbacks can arrive out of
        order, so compare their <code>version</code>. You can read{" "}
        <a href="#listCallbackAttempts">all attempts</a> and{" "}
        <a href="#redeliverCallback">redeliver</a> a result at any time.
      </p>
    </section>
  );
}

/** Returns the delays of the retries in words. */
function scheduleInWords(): string {
  const [, ...later] = ATTEMPT_OFFSETS;
  const words = later.map(spanOf);
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function spanOf(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

/** A receiver that verifies callbacks with the library of Standard Webhooks. */
const RECEIVER = `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

// The callbackSecret. One without the prefix whsec_ needs { format: "raw" } as well.
const webhook = new Webhook(process.env.CALLBACK_SECRET);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  try {
    const { type, presentedResult } = webhook.verify(body, request.headers);
    console.log(type, presentedResult.summary);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 3000);`;

/** The same with the Prompthook client, which also types the callback. */
const RECEIVER_WITH_CLIENT = `import { createServer } from "node:http";
import { verifyCallback } from "prompthook/client";

const secret = process.env.CALLBACK_SECRET;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  try {
    const callback = await verifyCallback({ secret, headers: request.headers, body });
    console.log(callback.type, callback.presentedResult.summary);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 3000);`;
