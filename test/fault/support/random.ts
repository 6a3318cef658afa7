/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed of this run: a new one, or the one in FAULT_SEED to see a failure again. It is printed. */
export function chooseSeed(): number {
  const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32));
  console.info(`FAULT_SEED=${seed}`);
  return seed;
}
