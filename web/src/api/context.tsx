import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import type { BrowserStorage } from './browser-storage.ts'
import type { Client } from './client.ts'
import type { Connectivity } from './connectivity.ts'
import type { LiveEvents } from './live-events.ts'
import type { PendingDeletions } from './pending-deletions.ts'
import type { SavedForms } from './saved-forms.ts'
import type { Session, SessionState } from './session.ts'
import type { Store } from './store.ts'
import type { UnsavedInput } from './unsaved-input.ts'

/** Services that components use. main.tsx creates them once. */
export interface Services {
  client: Client
  session: Session
  connectivity: Connectivity
  browserStorage: BrowserStorage
  live: LiveEvents
  pendingDeletions: PendingDeletions
  unsavedInput: UnsavedInput
  savedForms: SavedForms
  /** The session ended while the user was writing. The page stays mounted under the sign-in overlay. */
  needsReauthentication: Store<boolean>
}

const ServicesContext = createContext<Services | null>(null)

export const ServicesProvider = ({ services, children }: { services: Services; children: ReactNode }) => (
  <ServicesContext value={services}>{children}</ServicesContext>
)

export const useServices = (): Services => {
  const services = useContext(ServicesContext)
  if (!services) throw new Error('ServicesProvider is missing around this component.')
  return services
}

export const useClient = (): Client => useServices().client

export const useStore = <T,>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)

export const useSessionState = (): SessionState => useStore(useServices().session.state)
