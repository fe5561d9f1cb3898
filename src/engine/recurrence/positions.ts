/**
 * Which of `size` things in order BYSETPOS picks: indices from 0, ascending. Asked again and again for the same few
 * sizes, so the answers are kept.
 */
export const createPositions = (byPosition: readonly number[]): ((size: number) => readonly number[]) => {
  const known = new Map<number, readonly number[]>()
  return (size) => {
    const seen = known.get(size)
    if (seen) return seen
    const picked = byPosition
      .map((position) => (position > 0 ? position - 1 : size + position))
      .filter((index) => index >= 0 && index < size)
    const indices = [...new Set(picked)].sort((a, b) => a - b)
    known.set(size, indices)
    return indices
  }
}
