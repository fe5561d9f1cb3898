import { useCallback, useState } from 'react'
import { useServices } from '../../api/context.tsx'

/** The oldest are forgotten. */
const MAX_IDS = 500

/** A set of ids under a name, such as the folded tasks. This browser remembers it. */
export const useStoredIds = (name: 'folded-tasks' | 'task-boards') => {
  const { browserStorage } = useServices()
  const [ids, setIds] = useState<ReadonlySet<number>>(
    () => new Set((browserStorage.read(name) ?? '').split(',').map(Number)),
  )
  const set = useCallback(
    (id: number, isIn: boolean): void =>
      setIds((before) => {
        const after = new Set(before)
        if (isIn) after.add(id)
        else after.delete(id)
        browserStorage.write(name, [...after].slice(-MAX_IDS).join(','))
        return after
      }),
    [browserStorage, name],
  )
  return { ids, set }
}
