import { Search } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useCallback, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useClearToastsOnUnmount } from '../ui/toast.tsx'
import { AccountMenu } from './account-menu.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { Logo } from './logo.tsx'
import { isWithin, NAVIGATION } from './navigation.ts'
import { NotificationBell } from './notification-bell.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { FINDER_KEYS, useFinderKey, useShortcuts } from './shortcuts.ts'
import { TimeZonePrompt } from './time-zone-prompt.tsx'
import { useUndoKey } from './undo-key.ts'
import './frame.css'

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
