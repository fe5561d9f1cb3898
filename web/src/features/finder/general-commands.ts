import {
  CalendarPlus,
  Keyboard,
  Languages,
  ListFilter,
  ListPlus,
  LogOut,
  Monitor,
  Moon,
  Newspaper,
  PenLine,
  Plus,
  Printer,
  Settings,
  Sparkles,
  Sun,
  SunMoon,
} from 'lucide-react'
import * as t from '#locale/commands'
import { language } from '#locale/language'
import * as mail from '#locale/mail'
import { useServices } from '../../api/context.tsx'
import { LANGUAGES, type Language } from '../../locales/languages.ts'
import type { Command } from '../../shell/commands.ts'
import { NAVIGATION } from '../../shell/navigation.ts'
import { ASSISTANT_KEYS } from '../../shell/shortcuts.ts'
import type { StartAction } from '../../shell/start-action.ts'
import { chooseTheme, THEMES } from '../../shell/theme.ts'
import { useChangeLanguage } from '../../shell/use-change-language.ts'
import { useSignOut } from '../../shell/use-sign-out.ts'
import { FOLDER_ICONS, type Folder } from '../mail/folders.ts'
import { findSettings } from '../settings/search.ts'
import type { Group as SettingsGroup } from '../settings/sections.ts'
import { rankCommands } from './match.ts'

const start = (startAction: StartAction) => ({ startAction })

const PAGES: readonly Command[] = [
  ...NAVIGATION.map(({ href, label, icon, key }) => ({ id: href, label, icon, href, keys: ['g', key] })),
  {
    id: '/mail/lists',
    label: t.subscriptions,
    icon: Newspaper,
    href: '/mail/lists',
    keywords: t.subscriptionsKeywords,
  },
  { id: '/mail/rules', label: t.rules, icon: ListFilter, href: '/mail/rules', keywords: t.rulesKeywords },
]

/** Found by their names, but not listed: the mail page shows them. */
const MAIL_FOLDERS: readonly Command[] = Object.entries(FOLDER_ICONS).map(([folder, icon]) => ({
  id: `/mail/${folder}`,
  // Not the name alone: the command that archives an email is called “Archive” too.
  label: t.openFolder(mail.folders[folder as Folder]),
  icon,
  href: `/mail/${folder}`,
  keywords: mail.mail,
}))

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const

interface GeneralActions {
  onQuickAdd: () => void
  onAssistant: () => void
  onShortcuts: () => void
}

/** Commands that exist on every page. */
export const useGeneralCommands = ({ onQuickAdd, onAssistant, onShortcuts }: GeneralActions) => {
  const { browserStorage } = useServices()
  const changeLanguage = useChangeLanguage()
  const signOut = useSignOut()
  const create: readonly Command[] = [
    {
      id: 'quick-add',
      label: t.quickAdd,
      icon: Plus,
      keys: ['q'],
      keywords: t.quickAddKeywords,
      run: onQuickAdd,
    },
    {
      id: 'new-email',
      label: t.newEmail,
      icon: PenLine,
      keywords: t.newEmailKeywords,
      href: '/mail/inbox/new',
    },
    {
      id: 'new-event',
      label: t.newEvent,
      icon: CalendarPlus,
      keywords: t.newEventKeywords,
      href: '/calendar',
      state: start('event'),
    },
    {
      id: 'new-task',
      label: t.newTask,
      icon: ListPlus,
      keywords: t.newTaskKeywords,
      href: '/tasks',
      state: start('task'),
    },
  ]
  const themes: readonly Command[] = THEMES.map((theme) => ({
    id: `theme-${theme}`,
    label: t.themeNames[theme],
    icon: THEME_ICONS[theme],
    keywords: t.themeKeywords,
    run: () => chooseTheme(browserStorage, theme),
  }))
  const languages: readonly Command[] = Object.entries(LANGUAGES)
    .filter(([code]) => code !== language)
    .map(([code, name]) => ({
      id: `language-${code}`,
      label: t.switchLanguage(name),
      icon: Languages,
      keywords: t.languageKeywords,
      run: () => void changeLanguage(code as Language),
    }))
  const other: readonly Command[] = [
    {
      id: 'assistant',
      label: t.askAssistant,
      icon: Sparkles,
      keys: [ASSISTANT_KEYS.label],
      keywords: t.assistantKeywords,
      run: onAssistant,
    },
    { id: 'theme', label: t.theme, icon: SunMoon, keywords: t.themeKeywords, choices: () => themes },
    ...languages,
    {
      id: 'shortcuts',
      label: t.shortcuts,
      icon: Keyboard,
      keys: ['?'],
      keywords: t.shortcutsKeywords,
      run: onShortcuts,
    },
    { id: 'print', label: t.print, icon: Printer, keywords: t.printKeywords, run: () => window.print() },
    {
      id: 'sign-out',
      label: t.signOut,
      icon: LogOut,
      keywords: t.signOutKeywords,
      run: () => void signOut(),
    },
  ]
  return { create, pages: PAGES, other, unlisted: [...themes, ...MAIL_FOLDERS] }
}

/** Settings that match the query, also by a guess at their names. */
export const findSettingCommands = (
  query: string,
  groups: readonly SettingsGroup[],
  limit: number,
): readonly Command[] => {
  const toCommand = ({ href, label, within }: ReturnType<typeof findSettings>[number]): Command => ({
    id: `setting-${href}`,
    label,
    icon: Settings,
    ...(within !== label && { note: within }),
    href,
  })
  // A name that matches is better than a keyword, and a keyword is better than a guess.
  const byKeyword = findSettings(query, groups).map((setting) => ({ ...toCommand(setting), keywords: query }))
  const ids = new Set(byKeyword.map(({ id }) => id))
  const rest = findSettings('', groups)
    .map(toCommand)
    .filter(({ id }) => !ids.has(id))
  return rankCommands([...byKeyword, ...rest], query)
    .map(({ command }) => command)
    .slice(0, limit)
}
