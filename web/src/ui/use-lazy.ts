import { type ComponentType, createElement, lazy, useMemo, useState } from 'react'
import type { Connectivity, Importer } from '../api/connectivity.ts'
import { useServices } from '../api/context.tsx'

/**
 * A component in its own chunk, which is loaded on first use. A failed load is repeated when the service is reachable
 * again. A loaded chunk is rendered at once: `lazy` would render the fallback first, and React keeps that for 300 ms.
 */
export const createLazy = <Props extends object>(
  connectivity: Connectivity,
  importer: Importer<{ default: ComponentType<Props> }>,
): ComponentType<Props> => {
  const Lazy = lazy(() => connectivity.load(importer)) as unknown as ComponentType<Props>
  return (props) => {
    const [Component] = useState(() => connectivity.getLoaded(importer)?.default ?? Lazy)
    return createElement(Component, props)
  }
}

/** A component in its own chunk. */
export const useLazy = <Props extends object>(
  importer: Importer<{ default: ComponentType<Props> }>,
): ComponentType<Props> => {
  const { connectivity } = useServices()
  return useMemo(() => createLazy(connectivity, importer), [connectivity, importer])
}
