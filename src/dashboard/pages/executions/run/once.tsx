/** Sends the same form twice, and it is taken once: a key of its own for each form that is shown. */
export function Once() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}
