/**
 * Whether an element is not shown, as far as its own markup tells. Text that people cannot see is
 * how instructions to an agent are smuggled into pages. Rules of style sheets are not applied, so
 * a class can still hide; what reads the page must treat all of it as data in any case.
 */
export function isHidden(name: string, attributes: Record<string, string>): boolean {
  if (attributes.hidden !== undefined || attributes["aria-hidden"] === "true") return true;
  if (name === "dialog") return attributes.open === undefined;
  return attributes.style !== undefined && hides(attributes.style);
}

/** Longer ones are not looked at: nobody writes them by hand. */
const MAX_STYLE_LENGTH = 4_000;

const HIDING: Record<string, (value: string, style: Map<string, string>) => boolean> = {
  display: (value) => value === "none",
  visibility: (value) => value === "hidden" || value === "collapse",
  "content-visibility": (value) => value === "hidden",
  opacity: (value) => Number.parseFloat(value) < 0.1,
  "font-size": (value) => Number.parseFloat(value) < 2 && /^[\d.]+(px|pt)?$/.test(value),
  height: hasNoRoom,
  "max-height": hasNoRoom,
  width: hasNoRoom,
  "max-width": hasNoRoom,
  "text-indent": isFarAway,
  left: isFarAway,
  right: isFarAway,
  top: isFarAway,
  "margin-left": isFarAway,
  "margin-top": isFarAway,
  clip: (value) => /^rect\(\s*(0|1px)/.test(value),
  "clip-path": (value) => /^(inset\((50|100)%|circle\(0)/.test(value),
  transform: (value) => /\bscale[xy]?\(\s*0\s*[,)]/.test(value),
  color: (value, style) =>
    value === "transparent" ||
    value === style.get("background-color") ||
    value === style.get("background"),
};

function hides(text: string): boolean {
  const style = parseStyle(text.slice(0, MAX_STYLE_LENGTH));
  for (const [property, value] of style) {
    if (HIDING[property]?.(value, style)) return true;
  }
  return false;
}

function parseStyle(text: string): Map<string, string> {
  const style = new Map<string, string>();
  for (const declaration of text.toLowerCase().split(";")) {
    const [property = "", ...value] = declaration.split(":");
    style.set(property.trim(), value.join(":").replace("!important", "").trim());
  }
  return style;
}

function hasNoRoom(value: string, style: Map<string, string>): boolean {
  return Number.parseFloat(value) <= 1 && style.get("overflow") === "hidden";
}

function isFarAway(value: string): boolean {
  return Number.parseFloat(value) <= -500;
}
