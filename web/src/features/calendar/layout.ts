/** Half-open interval: `to` is excluded. */
interface Stretch {
  from: number
  to: number
}

export type Packed<T> = T & { column: number; columns: number }

/** Places overlapping items side by side. The items must be sorted by start. */
export const packColumns = <T extends Stretch>(stretches: readonly T[]): Packed<T>[] => {
  const packed: Packed<T>[] = []
  let group: Packed<T>[] = []
  let ends: number[] = []
  const close = () => {
    for (const entry of group) entry.columns = ends.length
    packed.push(...group)
    group = []
    ends = []
  }
  for (const stretch of stretches) {
    if (ends.every((end) => end <= stretch.from)) close()
    const free = ends.findIndex((end) => end <= stretch.from)
    const column = free === -1 ? ends.length : free
    ends[column] = stretch.to
    group.push({ ...stretch, column, columns: 1 })
  }
  close()
  return packed
}

export type Laned<T> = T & { lane: number }

/** Places items in the first lane that is free for all of their days. */
export const packLanes = <T extends Stretch>(stretches: readonly T[]): Laned<T>[] => {
  const lanes: boolean[][] = []
  return stretches.map((stretch) => {
    const isFree = (lane: boolean[] | undefined) =>
      !lane || !Array.from({ length: stretch.to - stretch.from }).some((_, at) => lane[stretch.from + at])
    let lane = 0
    while (!isFree(lanes[lane])) lane++
    const taken = lanes[lane] ?? []
    for (let at = stretch.from; at < stretch.to; at++) taken[at] = true
    lanes[lane] = taken
    return { ...stretch, lane }
  })
}
