import { useState } from 'react'
import { useServices } from '../../../api/context.tsx'

const NAME = 'mail-density'
const COMPACT = 'compact'

/** Compact list mode, stored in this browser. */
export const useDensity = () => {
  const { browserStorage } = useServices()
  const [isCompact, setIsCompact] = useState(() => browserStorage.read(NAME) === COMPACT)
  return {
    isCompact,
    toggle(): void {
      browserStorage.write(NAME, isCompact ? null : COMPACT)
      setIsCompact(!isCompact)
    },
  }
}
