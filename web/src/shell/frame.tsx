// First, so that the styles of features override these. The sign-in page does not need them.
import '../ui/style/dialog.css'
import '../ui/style/progress.css'
import { useQueryClient } from '@tanstack/react-query'
import { CloudOff, Plus, Search } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import * as common from '#locale/shared-texts'
import * as t from '#locale/shell'
import { useServices, useStore } from '../api/context.tsx'
import { useClearToastsOnUnmount } from '../ui/toast.tsx'
import { AccountMenu } from './account-menu.tsx'
import { type CommandGroup, readCommands } from './commands.ts'
import { LiveIndicator } from './live-indicator.tsx'
import { Logo } from './logo.tsx'
import { MainNavigation } from './main-navigation.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { PALETTE_KEYS, usePaletteKey, useShortcuts } from './shortcuts.ts'
import { TimeZonePrompt } from './time-zone-prompt.tsx'
import { useUndoKey } from './undo-key.ts'
import { useAccountLanguage } from './use-account-language.ts'
import './frame.css'

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
    <div role="status" className="offline-notice">
      {!isReachable && (
        <p>
          <CloudOff size={18} aria-hidden="true" />
          {t.offline}
        </p>
      )}
    </div>
  )
}

export interface PaletteProps {
  open: boolean
  /** The commands of the page, read when the palette was opened. */
  pageCommands: readonly CommandGroup[]
  onClose: () => void
  onQuickAdd: () => void
  onShortcuts: () => void
}

export interface QuickAddProps {
  open: boolean
  onClose: () => void
}

interface FrameProps {
  /** Loaded when it is first opened. */
  palette: ComponentType<PaletteProps>
  quickAdd: ComponentType<QuickAddProps>
  children: ReactNode
}

/** A dialog whose code is loaded when it is first opened. */
type LazyDialog = 'never' | 'open' | 'closed'

/** The hidden `.dialog` disables page shortcuts until the dialog is loaded. */
const LoadingDialog = () => <div className="dialog" hidden />

/** Layout around every page: navigation, search, notifications and the account menu. */
export const Frame = ({ palette: Palette, quickAdd: QuickAdd, children }: FrameProps) => {
  const [palette, setPalette] = useState<LazyDialog>('never')
  const [quickAdd, setQuickAdd] = useState<LazyDialog>('never')
  const [pageCommands, setPageCommands] = useState<readonly CommandGroup[]>([])
  const [helpIsOpen, setHelpIsOpen] = useState(false)
  const openPalette = useCallback(() => {
    // Before the palette takes the focus: commands may act on the focused row.
    setPageCommands(readCommands())
    setPalette('open')
  }, [])
  const openQuickAdd = useCallback(() => setQuickAdd('open'), [])
  const openHelp = useCallback(() => setHelpIsOpen(true), [])
  usePaletteKey(openPalette)
  const shortcuts = useShortcuts({ onHelp: openHelp, onQuickAdd: openQuickAdd })
  useUndoKey()
  useClearToastsOnUnmount()
  useAccountLanguage()
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t.skipToContent}
      </a>
      <header className="side">
        <div className="side-top">
          <Link href="/" className="brand" aria-label={t.homeLink}>
            <Logo />
            <span>Factotum</span>
          </Link>
          <NotificationBell />
        </div>
        <div className="side-actions">
          <button
            type="button"
            className="palette-open"
            title={t.openPalette}
            aria-keyshortcuts={PALETTE_KEYS.ariaKeyShortcuts}
            onClick={openPalette}
          >
            <Search size={18} aria-hidden="true" />
            <span>{common.search}</span>
            <kbd>{PALETTE_KEYS.label}</kbd>
          </button>
          <button
            type="button"
            className="quick-add-open"
            aria-label={t.quickAdd}
            aria-keyshortcuts="q"
            title={`${t.quickAdd} (q)`}
            onClick={openQuickAdd}
          >
            <Plus size={19} aria-hidden="true" />
          </button>
        </div>
        <MainNavigation />
        <LiveIndicator />
        <AccountMenu onShortcuts={openHelp} />
      </header>
      <main id="main" tabIndex={-1}>
        <OfflineNotice />
        <TimeZonePrompt />
        {children}
      </main>
      {palette !== 'never' && (
        <Suspense fallback={<LoadingDialog />}>
          <Palette
            open={palette === 'open'}
            pageCommands={pageCommands}
            onClose={() => setPalette('closed')}
            onQuickAdd={openQuickAdd}
            onShortcuts={openHelp}
          />
        </Suspense>
      )}
      {quickAdd !== 'never' && (
        <Suspense fallback={<LoadingDialog />}>
          <QuickAdd open={quickAdd === 'open'} onClose={() => setQuickAdd('closed')} />
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
