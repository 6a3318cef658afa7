import type { Child } from "hono/jsx";
import type { Output, Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { browseInput, pageContent } from "../../../contract/tools/browse.ts";
import { httpRequestInput, httpResponseContent } from "../../../contract/tools/http-request.ts";
import { dataContent } from "../../../contract/tools/process-data.ts";
import { codeContent, runCodeInput } from "../../../contract/tools/run-code.ts";
import { searchContent } from "../../../contract/tools/search-web.ts";
import { sendEmailInput } from "../../../contract/tools/send-email.ts";
import { writeSpreadsheetInput } from "../../../contract/tools/write-spreadsheet.ts";
import { Address, Badge, Facts } from "../../components/elements.tsx";
import { incompleteBy } from "./labels.ts";
import type { CallRow, TimelineRow } from "./timeline.ts";
import { FileOutput, Letter, LongJson, LongText, Rows } from "./values.tsx";

/** What the calls of an execution refer to: earlier calls by their ids, and files by their outputs. */
export interface CallContext {
  executionId: string;
  calls: ReadonlyMap<string, CallRow>;
  outputs: ReadonlyMap<string, Output>;
}

/** Returns the context of these rows. */
export function callContext(
  executionId: string,
  rows: readonly TimelineRow[],
  outputs: readonly Output[],
): CallContext {
  return {
    executionId,
    calls: new Map(
      rows.flatMap((row) => (row.kind === "call" ? [[row.callId, row] as const] : [])),
    ),
    outputs: new Map(outputs.map((output) => [output.outputId, output])),
  };
}

/** The most characters of a page's text that a row shows: the rest is on the page itself. */
const PAGE_EXCERPT = 3_000;

/** A call with its input, and its result or error, as its tool's reader wants to see them. */
export function CallDetails({ row, context }: { row: CallRow; context: CallContext }) {
  const { tool, input, result, error, isTruncated, cuts } = row;
  // Regions of a page need names of their own.
  const of = ` of event ${row.seqs[0]}`;
  return (
    <div class="call">
      {input !== undefined && (
        <Part title="Input">
          <CallInput tool={tool} input={input} context={context} of={of} />
        </Part>
      )}
      {error !== null && (
        <Part title="Error">
          <p class="trouble-text">
            {error.message} <code>{error.code}</code>
          </p>
        </Part>
      )}
      {result !== undefined && error === null && (
        <Part title="Result">
          <CallResult row={row} result={result} of={of} />
        </Part>
      )}
      {cuts.length > 0 && <p class="hint">{incompleteBy(cuts)}</p>}
      {isTruncated && <p class="hint">The log keeps the first 16,384 characters of long values.</p>}
      <CreatedFiles row={row} context={context} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: Child }) {
  return (
    <div class="call-part">
      <p class="part-name">{title}</p>
      {children}
    </div>
  );
}

/** The input of a call: code as text, e-mail as a letter, rows as a table. */
export function CallInput({
  tool,
  input,
  context,
  of = "",
}: {
  tool: string;
  input: Json;
  context: CallContext;
  /** Which call it is, at the end of names of regions. */
  of?: string;
}) {
  switch (tool) {
    case "browse": {
      const read = browseInput.safeParse(input);
      if (!read.success) break;
      const { url, callId, find, actions } = read.data;
      return (
        <Facts
          facts={[
            url !== undefined && ["Page", <Address url={url} />],
            callId !== undefined && ["Reads on in", nameOf(callId, context)],
            find !== undefined && ["Finds", find],
            actions.length > 0 && [
              "Actions",
              actions.map((one) => one.do.replaceAll("_", " ")).join(", "),
            ],
          ]}
        />
      );
    }
    case "http_request": {
      const read = httpRequestInput.safeParse(input);
      if (!read.success) break;
      const { method, url, headers, body } = read.data;
      return (
        <>
          <p>
            <strong>{method}</strong> <code>{url}</code>
          </p>
          {headers !== undefined && <Headers headers={headers} />}
          {body !== undefined && <Value value={body} label={`Request body${of}`} />}
        </>
      );
    }
    case "run_code": {
      const read = runCodeInput.safeParse(input);
      if (!read.success) break;
      const { code, input: data, from } = read.data;
      return (
        <>
          <pre class="source" tabindex={0}>
            {code}
          </pre>
          {data !== undefined && <Folded title="Data of the code" of={of} value={data} />}
          {from.length > 0 && (
            <p class="muted">{`Reads: ${from.map((id) => nameOf(id, context)).join(", ")}`}</p>
          )}
        </>
      );
    }
    case "send_email": {
      const read = sendEmailInput.safeParse(input);
      if (!read.success) break;
      const { to, cc, replyTo, subject, text, attachments } = read.data;
      return (
        <Letter
          facts={[
            ["To", to.join(", ")],
            cc.length > 0 && ["Cc", cc.join(", ")],
            replyTo !== undefined && ["Reply to", replyTo],
            ["Subject", subject],
            attachments.length > 0 && [
              "Attachments",
              attachments.flatMap((id) => filesOf(id, context)).join(", "),
            ],
          ]}
          text={text}
        />
      );
    }
    case "write_spreadsheet": {
      const read = writeSpreadsheetInput.safeParse(input);
      if (!read.success) break;
      const { data } = read;
      const sheets = data.format === "xlsx" ? data.sheets : [{ name: "", ...data }];
      return (
        <>
          {data.format === "google_sheet" && (
            <p>
              Google Sheet <code>{data.spreadsheetId ?? "as configured"}</code>, tab {data.sheet}
            </p>
          )}
          {sheets.map((sheet) => {
            const table = rowsOf(sheet, context);
            const title = sheet.name || (data.format === "google_sheet" ? "" : data.filename);
            return table === null ? (
              <p>{`${title}: rows of ${nameOf(sheet.from ?? "", context)}`}</p>
            ) : (
              <Rows table={table} label={`${title || "Rows"}${of}`} caption={title} />
            );
          })}
        </>
      );
    }
  }
  return <Value value={input} label={`Input${of}`} />;
}

function CallResult({ row, result, of }: { row: CallRow; result: Json; of: string }) {
  switch (row.tool) {
    case "browse": {
      const read = pageContent.safeParse(result);
      if (!read.success) break;
      const { url, title, text, excerpt, notes = [] } = read.data;
      const said = excerpt?.text ?? text;
      return (
        <>
          <p>
            <strong>{title || "Untitled page"}</strong> <Address url={url} />
          </p>
          <Notes notes={notes} />
          {said !== "" && (
            <details>
              <summary>{`Text of the page, ${said.length.toLocaleString("en")} characters`}</summary>
              <LongText text={said.slice(0, PAGE_EXCERPT)} />
            </details>
          )}
        </>
      );
    }
    case "http_request": {
      const read = httpResponseContent.safeParse(result);
      if (!read.success) break;
      const { status, mediaType, headers, json, text } = read.data;
      return (
        <>
          <p>
            <Badge state={status < 400 ? "succeeded" : "failed"} label={`HTTP ${status}`} />{" "}
            {mediaType}
          </p>
          <Headers headers={headers} />
          {json !== undefined && <Value value={json} label={`Response body${of}`} />}
          {text !== undefined && text !== "" && <LongText text={text} />}
        </>
      );
    }
    case "run_code": {
      const read = codeContent.safeParse(result);
      if (!read.success) break;
      const { value, console: lines } = read.data;
      return (
        <>
          <Value value={value} label={`Returned value${of}`} />
          {lines.length > 0 && (
            <>
              <p class="part-name">Console</p>
              <LongText text={lines.join("\n")} />
            </>
          )}
        </>
      );
    }
    case "process_data": {
      const read = dataContent.safeParse(result);
      if (!read.success) break;
      return (
        <>
          <Rows table={read.data} label={`Rows${of}`} />
          <Notes notes={read.data.notes} />
        </>
      );
    }
    case "search_web": {
      const read = searchContent.safeParse(result);
      if (!read.success) break;
      return (
        <ol>
          {read.data.results.map(({ title, url, snippet }) => (
            <li>
              <strong>{title}</strong> <Address url={url} />
              <p class="muted">{snippet}</p>
            </li>
          ))}
        </ol>
      );
    }
    case "emit_output":
    case "write_spreadsheet":
      return <p>{`Created ${row.outputs.map(({ label }) => label).join(", ") || "rows"}.`}</p>;
  }
  return <Value value={result} label={`Result${of}`} />;
}

function Notes({ notes }: { notes: readonly string[] }) {
  return (
    <>
      {notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
    </>
  );
}

/** The files that a call created; images are shown. */
function CreatedFiles({ row, context }: { row: CallRow; context: CallContext }) {
  const files = row.outputs.flatMap(({ outputId }) => {
    const output = context.outputs.get(outputId);
    return output?.type === "file" ? [output] : [];
  });
  return (
    <>
      {files.map((file) => (
        <FileOutput executionId={context.executionId} output={file} />
      ))}
    </>
  );
}

function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const pairs = Object.entries(headers);
  return (
    <details>
      <summary>{`${pairs.length} headers`}</summary>
      <Facts facts={pairs.map(([name, value]) => [name, value] as const)} />
    </details>
  );
}

function Folded({ title, of, value }: { title: string; of: string; value: Json }) {
  return (
    <details>
      <summary>{title}</summary>
      <Value value={value} label={`${title}${of}`} />
    </details>
  );
}

/** A text as it is, any other value as JSON or as a table. */
function Value({ value, label }: { value: Json; label: string }) {
  return typeof value === "string" ? (
    <LongText text={value} />
  ) : (
    <LongJson value={value} label={label} />
  );
}

/** Returns the rows of a sheet: its own, or those of the call that it takes them from. */
function rowsOf(
  sheet: {
    columns?: readonly { name: string; header?: string | undefined }[] | undefined;
    rows?: Json[][] | undefined;
    from?: string | undefined;
  },
  { calls }: CallContext,
): Table | null {
  const { columns, rows, from } = sheet;
  if (rows !== undefined && columns !== undefined) {
    return { columns: columns.map(({ name, header }) => header ?? name), rows };
  }
  const source = from === undefined ? undefined : calls.get(from);
  const read = dataContent.safeParse(source?.result);
  return read.success ? read.data : null;
}

function nameOf(callId: string, { calls }: CallContext): string {
  return calls.get(callId)?.title ?? callId;
}

/** Returns the names of the files that a call created. */
function filesOf(callId: string, { calls, outputs }: CallContext): string[] {
  const created = calls.get(callId)?.outputs ?? [];
  const names = created.map(({ outputId, label }) => outputs.get(outputId)?.filename ?? label);
  return names.length === 0 ? [callId] : names;
}
