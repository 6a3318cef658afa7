import type { Sender } from "./senders/sender.ts";

/** What to do in the sender's own settings. */
export function Steps({
  sender: { name, auth, steps, docs },
  where,
}: {
  sender: Sender;
  /** Where the sender's secret is pasted; null where it is here already. */
  where: "below" | "under Settings" | null;
}) {
  const left = steps.flatMap((step) => {
    if (typeof step === "string") return [step];
    if (where !== null) return [step.missing.replace("{where}", where)];
    return step.given === null ? [] : [step.given];
  });
  return (
    <section class="part" aria-labelledby="steps">
      <h2 id="steps">{auth.kind === "preset" ? `In ${name}` : "At the sender"}</h2>
      <ol class="steps">
        {left.map((step) => (
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
