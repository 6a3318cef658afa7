import { ATTEMPT_OFFSETS } from "../../callbacks/schedule.ts";
import { Example, Snippet } from "../components/code.tsx";
import { Values } from "../components/fields.tsx";
import type { Place } from "../schema/place.ts";
import type { GuideContext } from "./guide.ts";
import { RECEIVER, RECEIVER_WITH_CLIENT } from "./programs.ts";

/** What the service sends to a callbackUrl, and how to know that it is genuine. */
export function CallbackGuide({ callbacks, place }: GuideContext & { place: Place }) {
  return (
    <section id="guide-callbacks">
      <h2>Verify a callback</h2>
      <p>
        Give an execution or a workflow a <code>callbackUrl</code> and a <code>callbackSecret</code>
        . When an execution has ended, its result is posted there, signed by{" "}
        <a href="https://www.standardwebhooks.com" rel="noreferrer">
          Standard Webhooks
        </a>
        . With <code>waiting_for_input</code> among <code>callbackEvents</code>, questions come as
        well.
      </p>
      <Snippet id="guide-receiver" label="With the library standardwebhooks" text={RECEIVER} />
      <Snippet id="guide-receiver-client" label="With our own client" text={RECEIVER_WITH_CLIENT} />
      {callbacks.map(({ operation: { id, parameters, body } }) => (
        <div class="operation" id={id}>
          <div class="operation-text">
            <h3>What is sent</h3>
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
              <a href="#getExecutionResult">result</a>, with what has happened and when.
            </p>
          </div>
          <div class="operation-code">
            <Example label="Body" value={body?.contents[0]?.example} />
          </div>
        </div>
      ))}
      <h3 id="callback-attempts">Attempts</h3>
      <p>
        Answer 2xx within 15 seconds. Anything else is tried again: {scheduleInWords()} after the
        event, a little later each time by chance. <code>Retry-After</code> is kept to; 410 ends it.
        Redirects are not followed. Attempts of one event have the same <code>webhook-id</code>:
        remember it to act once. Callbacks may overtake one another, so go by <code>version</code>.
        How it went is in <a href="#listCallbackAttempts">the list of attempts</a>, and a result can
        be <a href="#redeliverCallback">delivered again</a> at any time.
      </p>
    </section>
  );
}

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
