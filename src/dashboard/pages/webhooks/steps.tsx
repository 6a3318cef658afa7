import type { Sender } from "./senders/sender.ts";

/** What to do in the sender's own settings. */
export function Steps({ sender: { name, auth, steps, docs } }: { sender: Sender }) {
  return (
    <section class="part" aria-labelledby="steps">
      <h2 id="steps">{auth.kind === "preset" ? `In ${name}` : "At the sender"}</h2>
      <ol class="steps">
        {steps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      {docs !== null && (
        <p>
          <a href={docs} rel="noreferrer">{`Documentation of ${name}`}</a>
        </p>
      )}
    </section>
  );
}
