import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useServices, useStore } from '../api/context.tsx'

/** Banner for an unreachable service. Refetches everything when the service is back. */
export const OfflineNotice = () => {
  const isReachable = useStore(useServices().connectivity.isReachable)
  const queries = useQueryClient()
  const wasReachable = useRef(true)
  useEffect(() => {
    if (isReachable && !wasReachable.current) void queries.invalidateQueries()
    wasReachable.current = isReachable
  }, [isReachable, queries])
  return (
    <div role="status" className="reach">
      {!isReachable && (
        <p>
          <CloudOff size={18} aria-hidden="true" />
          Factotum cannot be reached. What you see may be out of date; trying again…
        </p>
      )}
    </div>
  )
}
