const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}

const LONGEST = 64

/** The known name that `name` was most likely meant to be; undefined when none is near. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > LONGEST) return undefined
  const spelled = name.toLowerCase().replace(/[_-]/g, '')
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(spelled, candidate.toLowerCase()) }))
    // As many changes as letters: they have nothing in common.
    .filter(({ candidate, far }) => far < Math.max(spelled.length, candidate.length))
    .sort((a, b) => a.far - b.far)
  const best = ranked[0]
  return best && best.far <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined
}
