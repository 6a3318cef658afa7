/**
 * Runs in every document before its own scripts. Removes the constructors of WebRTC, the one way out
 * that no proxy covers. Opens a link or form for another window in this one, since there is no other.
 */
export const BEFORE_SCRIPTS = `
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (/^(webkit)?RTC/.test(name)) delete globalThis[name];
}
const stay = (event) => {
  for (const node of [...event.composedPath(), event.submitter]) {
    if (node instanceof Element && node.hasAttribute("target")) node.setAttribute("target", "_self");
    if (node instanceof Element && node.hasAttribute("formtarget")) node.removeAttribute("formtarget");
  }
};
addEventListener("click", stay, true);
addEventListener("submit", stay, true);
`;

/** Returns the script that reads the current document, up to a length in characters. */
export function documentScript(maxLength: number): string {
  return `(document.documentElement?.outerHTML ?? "").slice(0, ${maxLength})`;
}

/** Reads the height of the whole document, in pixels. */
export const HEIGHT_SCRIPT = "document.documentElement.scrollHeight";

/** Lists the visible controls of the page as short lines: `button "Save"`. */
export const CONTROLS_SCRIPT = `
[...document.querySelectorAll("a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],[role=menuitem]")]
  .filter((element) => element.type !== "hidden" && element.checkVisibility())
  .slice(0, 200)
  .map((element) => {
    const tag = element.localName;
    const isButton = tag === "button" || tag === "summary" || /^(submit|button|reset|image)$/.test(tag === "input" ? element.type : "");
    const kind = element.getAttribute("role") ?? (isButton ? "button" : tag === "a" ? "link" : "field");
    const label = kind === "field" ? element.labels?.[0]?.innerText : element.innerText;
    const name = [element.getAttribute("aria-label"), label, isButton ? element.value : null, element.placeholder, element.name]
      .map((text) => (text ?? "").replace(/\\s+/g, " ").trim().slice(0, 60))
      .find((text) => text !== "");
    return name === undefined ? "" : kind + " " + JSON.stringify(name);
  })
  .filter((line) => line !== "")
  .slice(0, 20)
`;
