import { useState } from 'react'
import { useWorld } from '../../../api/context.tsx'

const NAME = 'mail-density'
const COMPACT = 'compact'

/** Whether the list shows more e-mails and less of each; this browser remembers it. */
export const useDensity = () => {
  const { memory } = useWorld()
  const [isCompact, setIsCompact] = useState(() => memory.read(NAME) === COMPACT)
  return {
    isCompact,
    toggle(): void {
      memory.write(NAME, isCompact ? null : COMPACT)
      setIsCompact(!isCompact)
    },
  }
}
