import { useCallback, useState } from 'react'
import { useServices } from '../../api/context.tsx'

const NAME = 'folded-tasks'
/** The oldest are forgotten. */
const MAX_FOLDED = 500

/** The tasks whose subtasks are hidden. This browser remembers them. */
export const useFolded = () => {
  const { browserStorage } = useServices()
  const [ids, setIds] = useState<ReadonlySet<number>>(
    () => new Set((browserStorage.read(NAME) ?? '').split(',').map(Number)),
  )
  const set = useCallback(
    (id: number, isFolded: boolean): void =>
      setIds((before) => {
        const after = new Set(before)
        if (isFolded) after.add(id)
        else after.delete(id)
        browserStorage.write(NAME, [...after].slice(-MAX_FOLDED).join(','))
        return after
      }),
    [browserStorage],
  )
  return { ids, set }
}
