import { writesFile } from "./document.ts";

const POLITE = String.raw`^\s*(?:(?:please|pls|hey|hi|hello|ok|okay|now|agent)[,!]?\s+)?(?:(?:can|could|would|will) you\s+)?(?:please\s+)?(?:just\s+|simply\s+|only\s+|merely\s+)?`;
const NOUN = String.raw`(?:(?:the|this|a|an|one|following|exact|exactly|only|just|single|simple|literal|plain)\s+){0,5}(?:words?|text|phrase|string|message|number|sentence|answer|value|line|json(?: object)?|response|reply|exactly|literally|verbatim)?`;
const ENDING =
  /(?:[,;.]?\s*(?:and|but)?\s*(?:then\s+(?:stop|finish|end)|nothing (?:else|more)|do nothing else|stop(?: there)?|finish|no more|that is all|that's all|only|as your answer|back(?: to me)?|please))+[.!]?$/i;

/** `with` and a text: "Reply with: X", "Respond with exactly X", "Answer with the text X". */
const WITH = new RegExp(
  `${POLITE}(?:reply|answer|respond|finish|end|complete|conclude|return|come back)(?:\\s+(?:to (?:me|this)|back|immediately|at once|right away))?\\s+(?:with|by saying|saying)(?:\\s+|(?=:))(${NOUN})\\s*(:?)\\s*([\\s\\S]{1,8000})$`,
  "i",
);
/** Verbs that can only mean the text after them. */
const SAY = new RegExp(
  `${POLITE}(?:say|echo(?: back)?|repeat(?: after me| back)?|utter|greet (?:me|us) with)\\s*(${NOUN})\\s*(:?)\\s*([\\s\\S]{1,8000})$`,
  "i",
);
/** Verbs that mean something else too: the text must be marked, by quotes, a colon or "the text". */
const MARKED = new RegExp(
  `${POLITE}(?:return|output|print(?: out)?|write|state|type|tell me|give me|show(?: me)?|reply|answer|respond|display|emit|produce)\\s*(?:(?:(?:the|this|only|just|exactly|following|exact|single|literal)\\s+){1,4}(?:word|text|phrase|string|message|sentence|line)\\s*:?\\s*|(?:exactly|only|just|verbatim|literally)?\\s*:\\s*|(?:the )?json(?: object| array)?\\s*:?\\s*(?=[{[])|(?=["“'‘\`]))([\\s\\S]{1,8000})$`,
  "i",
);
const SHORT = new RegExp(
  `${POLITE}(?:reply|respond|answer|print|output|return|write)\\s+(ok|okay|yes|no|pong|ping|done|hello|hi|hello,? world|thanks|ready|[A-Z]{2,20}|\\d{1,9})[.!]?\\s*$`,
);
const GREETING =
  /^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|ping|test|testing|hello,? world)(?:\s+there)?\s*[.!?]*\s*$/i;
const NOTHING =
  /^\s*(?:please\s+)?(?:do nothing|finish(?: immediately| now| at once)?|stop|noop|no-op|end|just finish|complete)\s*[.!]*\s*$/i;
const INDIRECT =
  /^(?:what|whether|if|how|why|who|which|when|where|something|anything|your|the (?:name|title|price|sum|total|average|number of|result|capital|first|last|list|date|time)|a (?:poem|joke|story|summary|list|table)|an? \w+ (?:poem|joke|story)|sum|json$|csv$)\b/i;

function unquote(text: string): string {
  const trimmed = text.trim();
  const quoted = /^["“'‘`]([\s\S]*)["”'’`][.!]?$/.exec(trimmed);
  if (quoted?.[1] !== undefined && !/["“”`]/.test(quoted[1])) return quoted[1];
  return trimmed.replace(/(?<![.])\.$/, "");
}

/**
 * The text that a prompt asks to be given back as it is ("Say hello", "Reply with: done"), or null
 * when it asks for something that has to be found out.
 */
export function literalReply(prompt: string): string | null {
  if (/https?:\/\//i.test(prompt) && !/^[^:]{0,60}:\s|["“'‘`]/.test(prompt)) return null;
  if (GREETING.test(prompt)) return "Hello. Give me a task with the addresses to work on.";
  if (NOTHING.test(prompt)) return "Done: there was nothing to do.";
  if (writesFile(prompt)) return null;
  const short = SHORT.exec(prompt)?.[1];
  if (short !== undefined) return short;
  const marked = MARKED.exec(prompt);
  const said = marked === null ? (WITH.exec(prompt) ?? SAY.exec(prompt)) : null;
  const text = marked?.[1] ?? said?.[3];
  if (text === undefined) return null;
  const explicit = marked !== null || said?.[2] === ":" || /\w/.test(said?.[1] ?? "");
  const body = text.replace(ENDING, "").trim();
  if (/^(?:yes|true)(?: or |\/)(?:no|false)\b/i.test(body)) return null;
  if (body === "" || (!explicit && INDIRECT.test(body)) || (!explicit && body.includes("\n"))) {
    return null;
  }
  if (/https?:\/\//i.test(body) && /\b(?:from|on|at|of)\s+["'<(]?https?:\/\//i.test(body))
    return null;
  return unquote(body);
}
