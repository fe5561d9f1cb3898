import { type ComponentType, type LazyExoticComponent, lazy, useMemo } from 'react'
import { useServices } from '../api/context.tsx'

/**
 * A component in its own chunk, which is loaded on first use. A failed load is repeated when the service is reachable
 * again.
 */
export const useLazy = <Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> => {
  const { connectivity } = useServices()
  return useMemo(() => lazy(() => connectivity.load(load)), [connectivity, load])
}
