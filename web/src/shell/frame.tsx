import { Menu } from '@base-ui/react/menu'
import { useQueryClient } from '@tanstack/react-query'
import {
  BookOpen,
  Check,
  ChevronsUpDown,
  CloudOff,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Search,
  Sun,
  UserRound,
} from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useProfile } from '../api/account.ts'
import type { BrowserStorage } from '../api/browser-storage.ts'
import { useServices, useStore } from '../api/context.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useClearToastsOnUnmount, useNotify } from '../ui/toast.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { Logo } from './logo.tsx'
import { isWithin, NAVIGATION } from './navigation.ts'
import { NotificationBell } from './notification-bell.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { FINDER_KEYS, useFinderKey, useShortcuts } from './shortcuts.ts'
import { TimeZonePrompt } from './time-zone-prompt.tsx'
import { useUndoKey } from './undo-key.ts'
import './frame.css'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const isTheme = (value: unknown): value is Theme => THEMES.includes(value as Theme)

const readTheme = (browserStorage: BrowserStorage): Theme => {
  const theme = browserStorage.read('theme')
  return isTheme(theme) ? theme : 'system'
}

/** head/theme.js does the same before the first paint of the next visit. */
const chooseTheme = (browserStorage: BrowserStorage, theme: Theme): void => {
  browserStorage.write('theme', theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const useSignOut = () => {
  const { session, pendingDeletions } = useServices()
  const notify = useNotify()
  return async (): Promise<void> => {
    // Sends pending deletions first, because they need the session.
    await pendingDeletions.commitAll()
    try {
      await session.signOut()
    } catch {
      notify('You are still signed in: Factotum cannot be reached right now.', { failed: true })
    }
  }
}

const THEME_OPTIONS = {
  system: { label: 'As the system', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} as const

const ThemeChoice = () => {
  const { browserStorage } = useServices()
  const [theme, setTheme] = useState<Theme>(() => readTheme(browserStorage))
  const choose = (value: unknown) => {
    if (!isTheme(value)) return
    chooseTheme(browserStorage, value)
    setTheme(value)
  }
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-label">Appearance</Menu.GroupLabel>
      <Menu.RadioGroup value={theme} onValueChange={choose}>
        {THEMES.map((name) => {
          const { label, icon: Icon } = THEME_OPTIONS[name]
          return (
            <Menu.RadioItem key={name} value={name} className="menu-item">
              <Icon size={17} aria-hidden="true" />
              {label}
              <Menu.RadioItemIndicator className="menu-note">
                <Check size={16} aria-hidden="true" />
              </Menu.RadioItemIndicator>
            </Menu.RadioItem>
          )
        })}
      </Menu.RadioGroup>
    </Menu.Group>
  )
}

const AccountMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const profile = useProfile().data?.value
  const signOut = useSignOut()
  const name = profile?.name ?? 'Account'
  return (
    <Menu.Root>
      <Menu.Trigger className="account">
        <Avatar name={name} avatarUrl={profile?.avatarUrl ?? null} />
        <span className="account-names">
          <span className="only-heard">Account: </span>
          <span className="account-name">{name} </span>
          <span className="quiet small">{profile?.email}</span>
        </span>
        <ChevronsUpDown className="account-more" size={16} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        {/* Fixed like its trigger, so that both stay in place when the page scrolls. */}
        <Menu.Positioner
          className="menu-place"
          positionMethod="fixed"
          sideOffset={8}
          align="end"
          collisionPadding={8}
        >
          <Menu.Popup className="menu">
            <Menu.LinkItem className="menu-item" closeOnClick render={<Link href="/settings/profile" />}>
              <UserRound size={17} aria-hidden="true" />
              Your profile
            </Menu.LinkItem>
            <Menu.Separator className="menu-rule" />
            <ThemeChoice />
            <Menu.Separator className="menu-rule" />
            <Menu.Item className="menu-item" onClick={onShortcuts}>
              <Keyboard size={17} aria-hidden="true" />
              Keyboard shortcuts
              <span className="menu-note">
                <kbd>?</kbd>
              </span>
            </Menu.Item>
            <Menu.LinkItem className="menu-item" closeOnClick href="/docs">
              <BookOpen size={17} aria-hidden="true" />
              API reference
            </Menu.LinkItem>
            <Menu.Separator className="menu-rule" />
            <Menu.Item className="menu-item" onClick={() => void signOut()}>
              <LogOut size={17} aria-hidden="true" />
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

/** Banner for an unreachable service. Refetches everything when the service is back. */
const OfflineNotice = () => {
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

const Navigation = () => {
  const [path] = useLocation()
  return (
    <nav className="rooms" aria-label="Main">
      <ul>
        {NAVIGATION.map((page) => (
          <li key={page.href}>
            <Link href={page.href} aria-current={isWithin(path, page) ? 'page' : undefined}>
              <page.icon size={19} aria-hidden="true" />
              <span>{page.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface FrameProps {
  /** The search dialog, loaded when it is first opened. */
  finder: ComponentType<{ open: boolean; onClose: () => void }>
  children: ReactNode
}

/** Layout around every page: navigation, search, notifications and the account menu. */
export const Frame = ({ finder: Finder, children }: FrameProps) => {
  const [finder, setFinder] = useState<'never' | 'open' | 'closed'>('never')
  const openFinder = useCallback(() => setFinder('open'), [])
  useFinderKey(openFinder)
  const [helpIsOpen, setHelpIsOpen] = useState(false)
  const openHelp = useCallback(() => setHelpIsOpen(true), [])
  const shortcuts = useShortcuts(openHelp)
  useUndoKey()
  useClearToastsOnUnmount()
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="side">
        <div className="side-top">
          <Link href="/" className="brand" aria-label="Factotum, home">
            <Logo />
            <span>Factotum</span>
          </Link>
          <NotificationBell />
        </div>
        <button
          type="button"
          className="finder-open"
          aria-keyshortcuts={FINDER_KEYS.ariaKeyShortcuts}
          onClick={openFinder}
        >
          <Search size={18} aria-hidden="true" />
          <span>Find</span>
          <kbd>{FINDER_KEYS.label}</kbd>
        </button>
        <Navigation />
        <LiveIndicator />
        <AccountMenu onShortcuts={openHelp} />
      </header>
      <main id="main" tabIndex={-1}>
        <OfflineNotice />
        <TimeZonePrompt />
        {children}
      </main>
      {finder !== 'never' && (
        // The hidden `.dialog` disables page shortcuts until the search dialog is loaded.
        <Suspense fallback={<div className="dialog" hidden />}>
          <Finder open={finder === 'open'} onClose={() => setFinder('closed')} />
        </Suspense>
      )}
      <ShortcutHelp
        open={helpIsOpen}
        onClose={() => setHelpIsOpen(false)}
        enabled={shortcuts.enabled}
        onEnable={shortcuts.enable}
      />
    </div>
  )
}
