import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { toRouterPath } from '../../api/base-path.ts'
import type { BrowserStorage } from '../../api/browser-storage.ts'
import { useServices } from '../../api/context.tsx'
import { addressOf, BASE_PATH, readUrlState, readView, type UrlState, type View } from './address.ts'

const SMALL = '(max-width: 720px)'

/** Small and large screens remember their last view separately. */
const viewStorageKey = (): string =>
  window.matchMedia(SMALL).matches ? 'calendar-view.small' : 'calendar-view'

const defaultView = (browserStorage: BrowserStorage): View =>
  readView(browserStorage.read(viewStorageKey())) ?? (window.matchMedia(SMALL).matches ? 'agenda' : 'week')

export const useUrlState = () => {
  const { browserStorage } = useServices()
  const search = useSearch()
  const [, navigate] = useLocation()
  const urlState = useMemo(() => readUrlState(search, defaultView(browserStorage)), [search, browserStorage])

  const go = useCallback(
    (change: Partial<UrlState>, options: { replace?: boolean } = {}) => {
      if (change.view) browserStorage.write(viewStorageKey(), change.view)
      navigate(addressOf({ ...urlState, ...change }), options)
    },
    [urlState, navigate, browserStorage],
  )
  /**
   * Opens a day with all filters cleared. Toasts call it later, so it reads the view from the current URL.
   */
  const goToDay = useCallback(
    (date: string) => {
      const { pathname, search: now } = window.location
      const asked = toRouterPath(pathname) === BASE_PATH ? new URLSearchParams(now).get('view') : null
      const view = readView(asked)
      navigate(addressOf({ date, ...(view && { view }) }))
    },
    [navigate],
  )
  return { urlState, go, goToDay }
}
