/** Text with paragraphs, where backticks mark code. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split("\n\n").map((paragraph) => (
        <p>
          <Words text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** A line of text, where backticks mark code. */
export function Words({ text }: { text: string }) {
  const parts = text.split("`");
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>;
}
