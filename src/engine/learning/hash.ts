/** FNV-1a. Features are numbered by hash, so that no vocabulary has to be kept. */
export const hash = (text: string): number => {
  let h = 0x811c9dc5
  for (let index = 0; index < text.length; index++) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193)
  return (h ^ (h >>> 15)) >>> 0
}

/** The number of two features together, in their order. */
export const pair = (a: number, b: number): number => {
  let h = Math.imul(a ^ (b + 0x9e3779b9 + (a << 6) + (a >>> 2)), 0x85ebca6b)
  h ^= h >>> 13
  return Math.imul(h, 0xc2b2ae35) >>> 0
}
