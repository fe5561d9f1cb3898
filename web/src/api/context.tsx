import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import type { Begun } from './begun.ts'
import type { Client } from './client.ts'
import type { Leaving } from './leaving.ts'
import type { Live } from './live.ts'
import type { Memory } from './memory.ts'
import type { Reach } from './reach.ts'
import type { Session, SessionState } from './session.ts'
import type { Store } from './store.ts'
import type { Unsaved } from './unsaved.ts'

/** The world outside the components, made once in main.tsx. */
export interface World {
  client: Client
  session: Session
  reach: Reach
  memory: Memory
  live: Live
  leaving: Leaving
  unsaved: Unsaved
  begun: Begun
  /** Whether the session ended while something was being written, which is kept until the person is back. */
  isHeld: Store<boolean>
}

const WorldContext = createContext<World | null>(null)

export const WorldProvider = ({ world, children }: { world: World; children: ReactNode }) => (
  <WorldContext value={world}>{children}</WorldContext>
)

export const useWorld = (): World => {
  const world = useContext(WorldContext)
  if (!world) throw new Error('There is no world around this component.')
  return world
}

export const useClient = (): Client => useWorld().client

export const useStore = <T,>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)

export const useSessionState = (): SessionState => useStore(useWorld().session.state)
