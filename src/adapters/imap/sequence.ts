/** Numbers as an IMAP sequence set: `1:4,7`. */
export const toSequence = (numbers: readonly number[]): string => {
  const ranges: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}:${to}`)).join(',')
}
