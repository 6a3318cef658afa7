/** The number of no event: a stream behind it has what a model is writing, and nothing else. */
export const NO_EVENT = 10 ** 15 - 1;

const encoder = new TextEncoder();

/**
 * Adds what a model is writing to the stream of a page, as events of the type `text` with a JSON string.
 * `follow` ends when its signal aborts; a page does without the text where it fails.
 */
export function withText(
  response: Response,
  follow: (onText: (text: string) => void, signal: AbortSignal) => Promise<void>,
): Response {
  const { body } = response;
  if (body === null) return response;
  const changes = body.getReader();
  const end = new AbortController();
  const { signal } = end;
  const both = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onText = (text: string) => {
          if (signal.aborted) return;
          controller.enqueue(encoder.encode(`event: text\ndata: ${JSON.stringify(text)}\n\n`));
        };
        follow(onText, signal).catch(() => undefined);
      },
      async pull(controller) {
        const { done, value } = await changes.read();
        if (!done) return controller.enqueue(value);
        end.abort();
        controller.close();
      },
      async cancel(reason) {
        end.abort();
        await changes.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(both, response);
}
