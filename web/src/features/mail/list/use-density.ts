import { useState } from 'react'
import { useServices } from '../../../api/context.tsx'

const NAME = 'mail-density'
const COMFORTABLE = 'comfortable'

/** Row height of the list, stored in this browser. Rows are compact by default. */
export const useDensity = () => {
  const { browserStorage } = useServices()
  const [isCompact, setIsCompact] = useState(() => browserStorage.read(NAME) !== COMFORTABLE)
  return {
    isCompact,
    toggle(): void {
      browserStorage.write(NAME, isCompact ? COMFORTABLE : null)
      setIsCompact(!isCompact)
    },
  }
}
