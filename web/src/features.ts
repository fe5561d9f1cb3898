import type { ComponentType } from 'react'
import type { Connectivity, Importer } from './api/connectivity.ts'
import { createLazy } from './ui/use-lazy.ts'

/** Code-split modules. Each is fetched when it is first rendered. */
const parts = {
  Frame: () => import('./shell/frame.tsx').then(({ Frame }) => ({ default: Frame })),
  Login: () => import('./features/auth/login.tsx').then(({ Login }) => ({ default: Login })),
  Register: () => import('./features/auth/register.tsx').then(({ Register }) => ({ default: Register })),
  ForgotPassword: () =>
    import('./features/auth/forgot-password.tsx').then(({ ForgotPassword }) => ({ default: ForgotPassword })),
  ResetPassword: () =>
    import('./features/auth/reset-password.tsx').then(({ ResetPassword }) => ({ default: ResetPassword })),
  Home: () => import('./features/home/home.tsx').then(({ Home }) => ({ default: Home })),
  Mail: () => import('./features/mail/mail.tsx').then(({ Mail }) => ({ default: Mail })),
  MailingLists: () =>
    import('./features/mail/mailing-lists/mailing-lists.tsx').then(({ MailingLists }) => ({
      default: MailingLists,
    })),
  MailRules: () => import('./features/mail/rules/rules.tsx').then(({ Rules }) => ({ default: Rules })),
  Calendar: () => import('./features/calendar/calendar.tsx').then(({ Calendar }) => ({ default: Calendar })),
  Tasks: () => import('./features/tasks/tasks.tsx').then(({ Tasks }) => ({ default: Tasks })),
  Contacts: () => import('./features/contacts/contacts.tsx').then(({ Contacts }) => ({ default: Contacts })),
  Commitments: () =>
    import('./features/commitments/commitments.tsx').then(({ Commitments }) => ({ default: Commitments })),
  Assistant: () =>
    import('./features/assistant/assistant.tsx').then(({ Assistant }) => ({ default: Assistant })),
  // In the chunk of the page, so that no other page loads the code that both use.
  AssistantPanel: () =>
    import('./features/assistant/assistant.tsx').then(({ AssistantPanel }) => ({ default: AssistantPanel })),
  Stream: () => import('./features/stream/stream.tsx').then(({ Stream }) => ({ default: Stream })),
  Insights: () => import('./features/insights/insights.tsx').then(({ Insights }) => ({ default: Insights })),
  Palette: () => import('./features/finder/palette.tsx').then(({ Palette }) => ({ default: Palette })),
  QuickAdd: () => import('./features/finder/quick-add.tsx').then(({ QuickAdd }) => ({ default: QuickAdd })),
  NotFound: () =>
    import('./shell/not-found-page.tsx').then(({ NotFoundPage }) => ({ default: NotFoundPage })),
  Audit: () => import('./features/audit/audit.tsx').then(({ Audit }) => ({ default: Audit })),
  Settings: () => import('./features/settings/settings.tsx').then(({ Settings }) => ({ default: Settings })),
}

export type Pages = ReturnType<typeof createPages>

export const createPages = (connectivity: Connectivity) => {
  const page = <Props extends object>(importer: Importer<{ default: ComponentType<Props> }>) =>
    createLazy(connectivity, importer)
  return {
    Frame: page(parts.Frame),
    Palette: page(parts.Palette),
    QuickAdd: page(parts.QuickAdd),
    AssistantPanel: page(parts.AssistantPanel),
    Login: page(parts.Login),
    Register: page(parts.Register),
    ForgotPassword: page(parts.ForgotPassword),
    ResetPassword: page(parts.ResetPassword),
    Home: page(parts.Home),
    Mail: page(parts.Mail),
    MailingLists: page(parts.MailingLists),
    MailRules: page(parts.MailRules),
    Calendar: page(parts.Calendar),
    Tasks: page(parts.Tasks),
    Contacts: page(parts.Contacts),
    Commitments: page(parts.Commitments),
    Assistant: page(parts.Assistant),
    Stream: page(parts.Stream),
    Audit: page(parts.Audit),
    Insights: page(parts.Insights),
    NotFound: page(parts.NotFound),
    Settings: page(parts.Settings),

    /** Prefetches the frame and the page at `path`. */
    prefetch(path: string): void {
      const [, first = ''] = path.split('/')
      const { Home, Mail, Calendar, Tasks, Contacts, Commitments, Assistant, Stream, Audit, Insights } = parts
      const own = { '': Home, mail: Mail, calendar: Calendar, tasks: Tasks, contacts: Contacts }
      const known = {
        ...own,
        promises: Commitments,
        assistant: Assistant,
        stream: Stream,
        audit: Audit,
        insights: Insights,
      }
      const page = known[first as keyof typeof known] ?? parts.Settings
      for (const importer of [parts.Frame, page]) connectivity.prefetch(importer)
    },
    /** Prefetches the dialogs that a key opens on every page. */
    prefetchDialogs(): void {
      for (const importer of [parts.Palette, parts.QuickAdd]) connectivity.prefetch(importer)
    },
    /** Prefetches the pages that the user may open next. */
    prefetchRest(): void {
      const { Home, Mail, Calendar, Tasks, Assistant } = parts
      for (const importer of [Home, Mail, Calendar, Tasks, Assistant]) connectivity.prefetch(importer)
    },
  }
}
