import { type ComponentType, lazy, type ReactNode } from 'react'
import type { Reach } from './api/reach.ts'

/** Each is a file of its own, fetched when it is first needed. */
const parts = {
  Frame: () => import('./shell/frame.tsx').then(({ Frame }) => ({ default: Frame })),
  Login: () => import('./rooms/auth/login.tsx').then(({ Login }) => ({ default: Login })),
  Register: () => import('./rooms/auth/register.tsx').then(({ Register }) => ({ default: Register })),
  Home: () => import('./rooms/home/home.tsx').then(({ Home }) => ({ default: Home })),
  Calendar: () => import('./rooms/calendar/calendar.tsx').then(({ Calendar }) => ({ default: Calendar })),
  Tasks: () => import('./rooms/tasks/tasks.tsx').then(({ Tasks }) => ({ default: Tasks })),
  Settings: () => import('./rooms/settings/settings.tsx').then(({ Settings }) => ({ default: Settings })),
}

export type Rooms = ReturnType<typeof createRooms>

export const createRooms = (reach: Reach) => {
  const room = (load: () => Promise<{ default: ComponentType }>) => lazy(() => reach.load(load))
  return {
    Frame: lazy<ComponentType<{ children: ReactNode }>>(() => reach.load(parts.Frame)),
    Login: room(parts.Login),
    Register: room(parts.Register),
    Home: room(parts.Home),
    Calendar: room(parts.Calendar),
    Tasks: room(parts.Tasks),
    Settings: room(parts.Settings),

    /** Fetches what someone who is signed in will see. A failure is no matter: it is fetched again when it is shown. */
    prefetch(path: string): void {
      const known = { '/': parts.Home, '/calendar': parts.Calendar, '/tasks': parts.Tasks }
      const room = known[path as keyof typeof known] ?? parts.Settings
      for (const load of [parts.Frame, room]) load().catch(() => {})
    },
    /** What they may see next. */
    prefetchRest(): void {
      for (const load of [parts.Home, parts.Calendar, parts.Tasks, parts.Settings]) load().catch(() => {})
    },
  }
}
