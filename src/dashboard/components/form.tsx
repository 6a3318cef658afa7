import type { Child } from "hono/jsx";

/** A labelled control. `error` says what is wrong with what was given. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  children: Child;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The end of a form that has a page of its own: the button that sends it, and the way back. */
export function SendOrCancel({
  send,
  tone = "primary",
  back,
}: {
  send: string;
  tone?: "primary" | "danger";
  back: string;
}) {
  return (
    <div class="actions">
      <button type="submit" class={tone}>
        {send}
      </button>
      <a class="button" href={back}>
        Cancel
      </a>
    </div>
  );
}
