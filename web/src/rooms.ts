import { type ComponentType, lazy } from 'react'
import type { Reach } from './api/reach.ts'

/** Each is a file of its own, fetched when it is first needed. */
const parts = {
  Frame: () => import('./shell/frame.tsx').then(({ Frame }) => ({ default: Frame })),
  Login: () => import('./rooms/auth/login.tsx').then(({ Login }) => ({ default: Login })),
  Register: () => import('./rooms/auth/register.tsx').then(({ Register }) => ({ default: Register })),
  Forgotten: () => import('./rooms/auth/forgotten.tsx').then(({ Forgotten }) => ({ default: Forgotten })),
  ResetPassword: () =>
    import('./rooms/auth/reset-password.tsx').then(({ ResetPassword }) => ({ default: ResetPassword })),
  Home: () => import('./rooms/home/home.tsx').then(({ Home }) => ({ default: Home })),
  Mail: () => import('./rooms/mail/mail.tsx').then(({ Mail }) => ({ default: Mail })),
  MailingLists: () =>
    import('./rooms/mail/mailing-lists/mailing-lists.tsx').then(({ MailingLists }) => ({
      default: MailingLists,
    })),
  MailRules: () => import('./rooms/mail/rules/rules.tsx').then(({ Rules }) => ({ default: Rules })),
  Calendar: () => import('./rooms/calendar/calendar.tsx').then(({ Calendar }) => ({ default: Calendar })),
  Tasks: () => import('./rooms/tasks/tasks.tsx').then(({ Tasks }) => ({ default: Tasks })),
  Assistant: () =>
    import('./rooms/assistant/assistant.tsx').then(({ Assistant }) => ({ default: Assistant })),
  Stream: () => import('./rooms/stream/stream.tsx').then(({ Stream }) => ({ default: Stream })),
  Finder: () => import('./rooms/finder/finder.tsx').then(({ Finder }) => ({ default: Finder })),
  Audit: () => import('./rooms/audit/audit.tsx').then(({ Audit }) => ({ default: Audit })),
  Settings: () => import('./rooms/settings/settings.tsx').then(({ Settings }) => ({ default: Settings })),
}

export type Rooms = ReturnType<typeof createRooms>

export const createRooms = (reach: Reach) => {
  const room = (load: () => Promise<{ default: ComponentType }>) => lazy(() => reach.load(load))
  return {
    Frame: lazy(() => reach.load(parts.Frame)),
    Finder: lazy(() => reach.load(parts.Finder)),
    Login: room(parts.Login),
    Register: room(parts.Register),
    Forgotten: room(parts.Forgotten),
    ResetPassword: room(parts.ResetPassword),
    Home: room(parts.Home),
    Mail: room(parts.Mail),
    MailingLists: room(parts.MailingLists),
    MailRules: room(parts.MailRules),
    Calendar: room(parts.Calendar),
    Tasks: room(parts.Tasks),
    Assistant: room(parts.Assistant),
    Stream: room(parts.Stream),
    Audit: room(parts.Audit),
    Settings: room(parts.Settings),

    /** Fetches what someone who is signed in will see. A failure is no matter: it is fetched again when it is shown. */
    prefetch(path: string): void {
      const [, first = ''] = path.split('/')
      const { Home, Mail, Calendar, Tasks, Assistant, Stream, Audit } = parts
      const own = { '': Home, mail: Mail, calendar: Calendar, tasks: Tasks }
      const known = { ...own, assistant: Assistant, stream: Stream, audit: Audit }
      const room = known[first as keyof typeof known] ?? parts.Settings
      for (const load of [parts.Frame, room]) load().catch(() => {})
    },
    /** What they may see next. */
    prefetchRest(): void {
      const { Home, Mail, Calendar, Tasks, Assistant, Stream, Settings, Finder } = parts
      const rest = [Home, Mail, Calendar, Tasks, Assistant, Stream, Settings, Finder]
      for (const load of rest) load().catch(() => {})
    },
  }
}
