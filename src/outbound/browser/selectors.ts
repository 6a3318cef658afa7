/** What kind of thing a target names: something to click, something to fill in, or anything to see. */
export type Wanted = "clickable" | "field" | "anything";

/** Names of roles in the order in which a person would mean them. */
const ROLES: Record<Wanted, string[]> = {
  clickable: ["button", "link", "menuitem", "tab", "checkbox", "radio"],
  field: ["textbox", "searchbox", "combobox", "spinbutton", "listbox"],
  anything: [],
};

/**
 * The ways to look for what a target names, the surest first: a CSS selector, then the name that
 * assistive technology tells, then the text that is seen. In puppeteer's selector syntax.
 */
export function selectorsFor(target: string, wanted: Wanted): string[] {
  const text = target.trim();
  const named = ROLES[wanted].map((role) => `aria/${text}[role="${role}"]`);
  switch (wanted) {
    case "clickable":
      return [target, ...named, `aria/${text}`, `text/${text}`];
    case "field":
      return [target, ...named, ...byLabel(text), ...byAttribute(text), `aria/${text}`];
    case "anything":
      return [target, `text/${text}`];
  }
}

/** A label often holds more than its words: a star, a hint. XPath 1.0 knows no escapes in a string. */
function byLabel(text: string): string[] {
  const quote = ['"', "'"].find((mark) => !text.includes(mark));
  if (quote === undefined) return [];
  return [`xpath/.//label[contains(normalize-space(.), ${quote}${text}${quote})]`];
}

function byAttribute(text: string): string[] {
  const value = JSON.stringify(text);
  return [`[placeholder=${value} i]`, `[name=${value} i]`];
}
