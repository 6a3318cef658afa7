import type { Look } from "./data.ts";

/** The size of a texture's tile. */
const TILE = 6;

/** Strokes on a tile, which tell a look apart without its colour; those that are not here are plain. */
const STROKES: Partial<Record<Look, { path: string; turn: number }>> = {
  bad: { path: "M0 0V6", turn: 45 },
  busy: { path: "M0 0V6", turn: -45 },
  idle: { path: "M3 0V6", turn: 0 },
  attention: { path: "M0 3H6M3 0V6", turn: 45 },
};

/** The textures of these looks, for a chart of this id. */
export function Textures({ id, looks }: { id: string; looks: readonly Look[] }) {
  return (
    <defs>
      {looks.map((look) => {
        const strokes = STROKES[look];
        if (strokes === undefined) return null;
        return (
          <pattern
            id={textureId(id, look)}
            width={TILE}
            height={TILE}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${strokes.turn})`}
          >
            <rect class={`look ${look}`} width={TILE} height={TILE} />
            <path class="strokes" d={strokes.path} />
          </pattern>
        );
      })}
    </defs>
  );
}

/** How what has this look is filled: by its texture, or plainly by its colour. */
export function fillOf(id: string, look: Look): Record<string, string> {
  return STROKES[look] === undefined
    ? { class: `look ${look}` }
    : { fill: `url(#${textureId(id, look)})` };
}

function textureId(id: string, look: Look): string {
  return `${id}-${look}`;
}
