import { Search } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useCallback, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useForgetfulness } from '../ui/toast.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Mark } from './brand.tsx'
import { LiveSign } from './live-sign.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { ReachNotice } from './reach-notice.tsx'
import { isWithin, ROOMS } from './rooms.ts'
import { ShortcutHelp } from './shortcut-help.tsx'
import { FINDER_KEYS, useFinderKey, useShortcuts } from './shortcuts.ts'
import { useUndoKey } from './undo-key.ts'
import { ZoneOffer } from './zone-offer.tsx'
import './frame.css'

const Navigation = () => {
  const [path] = useLocation()
  return (
    <nav className="rooms" aria-label="Main">
      <ul>
        {ROOMS.map((room) => (
          <li key={room.href}>
            <Link href={room.href} aria-current={isWithin(path, room) ? 'page' : undefined}>
              <room.icon size={19} aria-hidden="true" />
              <span>{room.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface FrameProps {
  /** What leads to whatever is in the rooms; it comes when it is first wanted. */
  finder: ComponentType<{ open: boolean; onClose: () => void }>
  children: ReactNode
}

/** What stands around every room: the way to the others, and to one's account. */
export const Frame = ({ finder: Finder, children }: FrameProps) => {
  const [finder, setFinder] = useState<'never' | 'open' | 'closed'>('never')
  const openFinder = useCallback(() => setFinder('open'), [])
  useFinderKey(openFinder)
  const [helpIsOpen, setHelpIsOpen] = useState(false)
  const openHelp = useCallback(() => setHelpIsOpen(true), [])
  const shortcuts = useShortcuts(openHelp)
  useUndoKey()
  useForgetfulness()
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="side">
        <div className="side-top">
          <Link href="/" className="brand" aria-label="Factotum, home">
            <Mark />
            <span>Factotum</span>
          </Link>
          <NotificationBell />
        </div>
        <button
          type="button"
          className="finder-open"
          aria-keyshortcuts={FINDER_KEYS.heard}
          onClick={openFinder}
        >
          <Search size={18} aria-hidden="true" />
          <span>Find</span>
          <kbd>{FINDER_KEYS.seen}</kbd>
        </button>
        <Navigation />
        <LiveSign />
        <AccountMenu onShortcuts={openHelp} />
      </header>
      <main id="main" tabIndex={-1}>
        <ReachNotice />
        <ZoneOffer />
        {children}
      </main>
      {finder !== 'never' && (
        // What is typed until it is there is for nobody, and least for the keys of the room.
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
