import type { Output } from "../../../contract/execution.ts";
import { Facts } from "../../components/elements.tsx";
import { formatBytes } from "../../format.ts";
import { outputFilePath } from "../../paths.ts";
import { LongText } from "./values.tsx";

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;

/** A file to download; an image is shown as well. */
export function FileOutput({ executionId, output }: { executionId: string; output: Output }) {
  const { outputId, label, filename = outputId, mediaType, sizeBytes = 0 } = output;
  const path = outputFilePath(executionId, outputId);
  return (
    <>
      {IMAGE.test(mediaType) && (
        <a href={path} class="shot">
          <img src={path} alt={label} loading="lazy" />
        </a>
      )}
      <p class="file">
        <a class="button" href={path} download>
          {`Download ${filename}`}
        </a>{" "}
        <span class="muted">{formatBytes(sizeBytes)}</span>
      </p>
    </>
  );
}

/** An e-mail as its recipient sees it. */
export function Letter({
  facts,
  text,
}: {
  facts: Parameters<typeof Facts>[0]["facts"];
  text: string;
}) {
  return (
    <div class="letter">
      <Facts facts={facts} />
      <LongText text={text} />
    </div>
  );
}
