import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore, useWorld } from '../api/context.tsx'

/** Says that nothing can be loaded or saved for now; everything is read anew when the service is back. */
export const ReachNotice = () => {
  const isUp = useStore(useWorld().reach.isUp)
  const queries = useQueryClient()
  const wasUp = useRef(true)
  useEffect(() => {
    if (isUp && !wasUp.current) void queries.invalidateQueries()
    wasUp.current = isUp
  }, [isUp, queries])
  return (
    <div role="status" className="reach">
      {!isUp && (
        <p>
          <CloudOff size={18} aria-hidden="true" />
          Factotum cannot be reached. What you see may be out of date; trying again…
        </p>
      )}
    </div>
  )
}
