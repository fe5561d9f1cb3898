import { type ReactNode, useCallback, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useForgetfulness } from '../ui/toast.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Mark } from './brand.tsx'
import { LiveSign } from './live-sign.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { ReachNotice } from './reach-notice.tsx'
import { isWithin, ROOMS } from './rooms.ts'
import { ShortcutHelp } from './shortcut-help.tsx'
import { useShortcuts } from './shortcuts.ts'
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

/** What stands around every room: the way to the others, and to one's account. */
export const Frame = ({ children }: { children: ReactNode }) => {
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
        <Navigation />
        <LiveSign />
        <AccountMenu onShortcuts={openHelp} />
      </header>
      <main id="main" tabIndex={-1}>
        <ReachNotice />
        <ZoneOffer />
        {children}
      </main>
      <ShortcutHelp
        open={helpIsOpen}
        onClose={() => setHelpIsOpen(false)}
        enabled={shortcuts.enabled}
        onEnable={shortcuts.enable}
      />
    </div>
  )
}
