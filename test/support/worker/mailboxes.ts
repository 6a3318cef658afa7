import type { IncomingMessage, ServerResponse } from "node:http";
import { readText, startServer } from "../server.ts";
import { Watched } from "../watched.ts";

/** One request to a mailbox. */
export interface Letter {
  method: string;
  headers: Record<string, string>;
  body: string;
  /** Whether the sender went away before it had an answer. */
  gone: boolean;
}

/** What a mailbox answers: a status, a page, or nothing until it is told something else. */
export type MailboxAnswer =
  | number
  | "hold"
  /** The body of the request, as the challenge of a subscription asks for. */
  | "echo"
  | { status?: number; headers: Record<string, string>; body: string };

class Mailbox extends Watched {
  readonly letters: Letter[] = [];
  answer: MailboxAnswer = 200;
  readonly held = new Set<ServerResponse>();
}

function reply(response: ServerResponse, answer: Exclude<MailboxAnswer, "hold">, body = ""): void {
  if (answer === "echo") response.writeHead(200).end(body);
  else if (typeof answer === "number") response.writeHead(answer).end("taken");
  else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
}

/**
 * The outside world of the Worker's tests, on loopback: a web site, an API and a receiver of callbacks
 * in one. `/box/<name>` takes any request and keeps it; the tests, which run in the Worker, tell it
 * what to answer (`PUT /answer/<name>`) and read what came (`GET /letters/<name>?atLeast=n`, which
 * waits for the n-th; with `gone`, until a sender has gone away).
 */
export async function startMailboxes() {
  const boxes = new Map<string, Mailbox>();

  function box(name: string): Mailbox {
    const known = boxes.get(name) ?? new Mailbox();
    boxes.set(name, known);
    return known;
  }

  async function take(name: string, request: IncomingMessage, response: ServerResponse) {
    const to = box(name);
    const letter: Letter = {
      method: request.method ?? "",
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
      ),
      body: await readText(request),
      gone: false,
    };
    response.on("close", () => {
      to.held.delete(response);
      letter.gone = !response.writableFinished;
      to.changed();
    });
    to.letters.push(letter);
    to.changed();
    if (to.answer === "hold") to.held.add(response);
    else reply(response, to.answer, letter.body);
  }

  async function setAnswer(name: string, request: IncomingMessage, response: ServerResponse) {
    const to = box(name);
    to.answer = JSON.parse(await readText(request)) as MailboxAnswer;
    if (to.answer !== "hold") for (const held of to.held) reply(held, to.answer);
    response.end();
  }

  async function tell(name: string, query: URLSearchParams, response: ServerResponse) {
    const { letters } = box(name);
    await box(name).until(
      () =>
        letters.length >= Number(query.get("atLeast")) &&
        (!query.has("gone") || letters.some(({ gone }) => gone)),
    );
    response.setHeader("content-type", "application/json").end(JSON.stringify(letters));
  }

  const server = await startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://box");
    const [, what, name = ""] = pathname.split("/");
    const done =
      what === "letters"
        ? tell(name, searchParams, response)
        : what === "answer"
          ? setAnswer(name, request, response)
          : take(name, request, response);
    done.catch(() => response.destroy());
  });
  return {
    ...server,
    /** Notes a request that came in another way; answers whether its box holds now. */
    holds(name: string, body: string, disconnected: Promise<void>): boolean {
      const to = box(name);
      const letter: Letter = { method: "MODEL", headers: {}, body, gone: false };
      to.letters.push(letter);
      to.changed();
      void disconnected.then(() => {
        letter.gone = true;
        to.changed();
      });
      return to.answer === "hold";
    },
  };
}
