import { type Output, table } from "../../../../contract/execution.ts";
import { Address } from "../../../components/address.tsx";
import { Time } from "../../../components/parts.tsx";
import { filePath, outputPath } from "../paths.ts";
import { type ShownLog, SourceLinks } from "./source-links.tsx";
import { LongJson, LongText, Rows } from "./values.tsx";

/** What the run has handed over; while it works, more is added below. */
export function Outputs({ outputs, shown }: { outputs: readonly Output[]; shown: ShownLog }) {
  return (
    <section aria-labelledby="outputs-title" class="part">
      <h2 id="outputs-title">Outputs</h2>
      <div id="outputs">
        <OutputCards outputs={outputs} shown={shown} />
      </div>
      <p class="muted none">Nothing has been handed over.</p>
    </section>
  );
}

/** Outputs, each with its value. */
export function OutputCards({ outputs, shown }: { outputs: readonly Output[]; shown: ShownLog }) {
  return (
    <>
      {outputs.map((output) => (
        <OutputCard output={output} shown={shown} />
      ))}
    </>
  );
}

function OutputCard({ output, shown }: { output: Output; shown: ShownLog }) {
  const { outputId, label, nodeType, type, createdAt, sources } = output;
  return (
    <article class="card output" id={outputId} aria-labelledby={`${outputId}-label`}>
      <header>
        <h3 id={`${outputId}-label`}>{label}</h3>
        <p class="muted output-kind">
          {`${type} · ${nodeType.toLowerCase().replaceAll("_", " ")} · `}
          <Time at={createdAt} />
        </p>
      </header>
      <OutputValue executionId={shown.executionId} output={output} />
      <SourceLinks shown={shown} sources={sources} />
    </article>
  );
}

interface ValueProps {
  executionId: string;
  output: Output;
}

function OutputValue({ executionId, output }: ValueProps) {
  const { outputId, label, type, value, url = "" } = output;
  const whole = outputPath(executionId, outputId, "json");
  switch (type) {
    case "file":
      return <File executionId={executionId} output={output} />;
    case "link":
      return (
        <p>
          <Address url={url} />
        </p>
      );
    case "table":
      return <Table executionId={executionId} output={output} />;
    case "text":
      return (
        <LongText text={typeof value === "string" ? value : JSON.stringify(value)} whole={whole} />
      );
    case "json":
      return <LongJson value={value ?? null} label={`${label} (${outputId})`} whole={whole} />;
  }
}

function File({ executionId, output }: ValueProps) {
  const { outputId, filename = outputId, mediaType, sizeBytes = 0 } = output;
  return (
    <p>
      <a class="button" href={filePath(executionId, outputId)}>
        {`Download ${filename}`}
      </a>{" "}
      <span class="muted">{`${mediaType}, ${sizeBytes.toLocaleString("en")} bytes`}</span>
    </p>
  );
}

function Table({ executionId, output: { outputId, label, value } }: ValueProps) {
  const whole = outputPath(executionId, outputId, "json");
  const read = table.safeParse(value);
  if (!read.success)
    return <LongJson value={value ?? null} label={`${label} (${outputId})`} whole={whole} />;
  const csv = outputPath(executionId, outputId, "csv");
  return <Rows table={read.data} label={`${label} (${outputId})`} csv={csv} json={whole} />;
}
