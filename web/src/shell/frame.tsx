// Styles that most pages use, in one file. They come first, so that the styles of features override them.
import '../ui/style/address-input.css'
import '../ui/style/date-time-input.css'
import '../ui/style/dialog.css'
import '../ui/style/popover.css'
import '../ui/style/progress.css'
import '../ui/style/quick-add.css'
import '../ui/style/row-checkbox.css'
import '../ui/style/segments.css'
import './page.css'
import { useQueryClient } from '@tanstack/react-query'
import { BotMessageSquare, CloudOff, PanelLeftClose, PanelLeftOpen, Plus, Search } from 'lucide-react'
import {
  type ComponentType,
  type CSSProperties,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link, useLocation } from 'wouter'
import * as common from '#locale/shared-texts'
import * as t from '#locale/shell'
import { toRouterPath } from '../api/base-path.ts'
import { useServices, useStore } from '../api/context.tsx'
import { useClearToastsOnUnmount } from '../ui/toast.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { AccountMenu } from './account-menu.tsx'
import { type CommandGroup, readCommands } from './commands.ts'
import { takeEarlyShortcut } from './early-shortcuts.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { Logo } from './logo.tsx'
import { MainNavigation } from './main-navigation.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { BESIDE, navigationIsCollapsed, panelIsOpen, panelWidth, toPanelWidth } from './panel-state.ts'
import { RunningTimer } from './running-timer.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { ASSISTANT_KEYS, PALETTE_KEYS, useChord, useShortcuts } from './shortcuts.ts'
import { TimeZonePrompt } from './time-zone-prompt.tsx'
import { openField, releaseKeys } from './type-ahead.ts'
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
  onAssistant: () => void
  onShortcuts: () => void
}

export interface QuickAddProps {
  open: boolean
  onClose: () => void
}

export interface AssistantPanelProps {
  /** Beside the page, or over all of it. */
  isBeside: boolean
  /** Counts the requests to open the panel. Each moves the focus to the message field. */
  opened: number
  /** Width beside the page, in pixels. */
  width: number
  onResize: (px: number) => void
  onClose: () => void
}

interface FrameProps {
  /** Loaded when it is first opened. */
  palette: ComponentType<PaletteProps>
  quickAdd: ComponentType<QuickAddProps>
  assistantPanel: ComponentType<AssistantPanelProps>
  children: ReactNode
}

/** A dialog whose code is loaded when it is first opened. */
type LazyDialog = 'never' | 'open' | 'closed'

const PANEL_STORAGE_KEY = 'assistant-panel'
const PANEL_WIDTH_STORAGE_KEY = 'assistant-panel-width'
const ASSISTANT_PATH = '/assistant'

/** Opens and closes the assistant panel. The page of the assistant replaces it. */
const useAssistantPanel = () => {
  const { browserStorage } = useServices()
  const [path] = useLocation()
  const isOpen = useStore(panelIsOpen)
  const [opened, setOpened] = useState(0)
  const opener = useRef<HTMLElement | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Over the page, a restored panel would hide what the user opened.
    const isBeside = window.matchMedia(BESIDE).matches
    panelIsOpen.set(isBeside && browserStorage.read(PANEL_STORAGE_KEY) === 'open')
    panelWidth.set(toPanelWidth(browserStorage.read(PANEL_WIDTH_STORAGE_KEY)))
    return () => panelIsOpen.set(false)
  }, [browserStorage])
  const isOnPage = path === ASSISTANT_PATH
  const close = useCallback(() => {
    browserStorage.write(PANEL_STORAGE_KEY, null)
    panelIsOpen.set(false)
    const target = opener.current?.isConnected && opener.current !== document.body ? opener.current : null
    // The page is inert under the panel of a phone until the next render.
    requestAnimationFrame(() => (target ?? button.current)?.focus())
  }, [browserStorage])
  const open = useCallback(() => {
    if (toRouterPath(window.location.pathname) === ASSISTANT_PATH) {
      document.querySelector<HTMLElement>('#chat-message')?.focus()
      return
    }
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    openField(() => {
      browserStorage.write(PANEL_STORAGE_KEY, 'open')
      panelIsOpen.set(true)
      setOpened((count) => count + 1)
    }, close)
  }, [browserStorage, close])

  const resize = useCallback(
    (px: number) => {
      const width = toPanelWidth(px)
      browserStorage.write(PANEL_WIDTH_STORAGE_KEY, String(width))
      panelWidth.set(width)
    },
    [browserStorage],
  )
  const toggle = useCallback(() => {
    const hasFocus = document.activeElement?.closest('.assistant-panel') != null
    if (panelIsOpen.get() && hasFocus) close()
    else open()
  }, [open, close])
  return {
    isOpen: isOpen && !isOnPage,
    width: useStore(panelWidth),
    opened,
    button,
    open,
    close,
    resize,
    toggle,
  }
}

const NAVIGATION_STORAGE_KEY = 'navigation'
const COLLAPSED = 'collapsed'

/** Reduces the navigation to its icons. Stored in this browser. */
const useNavigationCollapse = () => {
  const { browserStorage } = useServices()
  useLayoutEffect(() => {
    navigationIsCollapsed.set(browserStorage.read(NAVIGATION_STORAGE_KEY) === COLLAPSED)
  }, [browserStorage])
  const isCollapsed = useStore(navigationIsCollapsed)
  const toggle = () => {
    browserStorage.write(NAVIGATION_STORAGE_KEY, isCollapsed ? null : COLLAPSED)
    navigationIsCollapsed.set(!isCollapsed)
  }
  return { isCollapsed, toggle }
}

/** Layout around every page: navigation, search, notifications and the account menu. */
export const Frame = ({
  palette: Palette,
  quickAdd: QuickAdd,
  assistantPanel: AssistantPanel,
  children,
}: FrameProps) => {
  const [palette, setPalette] = useState<LazyDialog>('never')
  const [quickAdd, setQuickAdd] = useState<LazyDialog>('never')
  const [pageCommands, setPageCommands] = useState<readonly CommandGroup[]>([])
  const [helpIsOpen, setHelpIsOpen] = useState(false)
  const closePalette = useCallback(() => setPalette('closed'), [])
  const closeQuickAdd = useCallback(() => setQuickAdd('closed'), [])
  const openPalette = useCallback(() => {
    // Before the palette takes the focus: commands may act on the focused row.
    setPageCommands(readCommands())
    openField(() => setPalette('open'), closePalette)
  }, [closePalette])
  const openQuickAdd = useCallback(() => openField(() => setQuickAdd('open'), closeQuickAdd), [closeQuickAdd])
  useEffect(() => releaseKeys, [])
  const openHelp = useCallback(() => setHelpIsOpen(true), [])
  const panel = useAssistantPanel()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the frame has loaded
  useEffect(() => {
    const open = { 'quick-add': openQuickAdd, palette: openPalette, assistant: panel.open }
    const shortcut = takeEarlyShortcut()
    if (shortcut !== null) open[shortcut]()
  }, [])
  const isBeside = useMediaQuery(BESIDE)
  const isCovered = panel.isOpen && !isBeside
  const navigation = useNavigationCollapse()
  const hasIcons = navigation.isCollapsed || (panel.isOpen && isBeside)
  useChord(PALETTE_KEYS, openPalette)
  useChord(ASSISTANT_KEYS, panel.toggle)
  const shortcuts = useShortcuts({ onHelp: openHelp, onQuickAdd: openQuickAdd })
  useUndoKey()
  useClearToastsOnUnmount()
  useAccountLanguage()
  return (
    <div
      className="frame"
      data-panel={panel.isOpen}
      data-navigation={hasIcons ? 'icons' : 'full'}
      style={{ '--panel-width': `${panel.width}px` } as CSSProperties}
    >
      <a className="skip" href="#main" inert={isCovered}>
        {t.skipToContent}
      </a>
      <header className="side" inert={isCovered}>
        <div className="side-top">
          <Link href="/" className="brand" aria-label={t.homeLink}>
            <Logo />
            <span>Factotum</span>
          </Link>
          <button
            ref={panel.button}
            type="button"
            className="button assistant-open"
            data-kind="quiet"
            data-shape="icon"
            aria-label={t.assistantPanel}
            aria-expanded={panel.isOpen}
            aria-keyshortcuts={ASSISTANT_KEYS.ariaKeyShortcuts}
            title={`${t.assistantPanel} (${ASSISTANT_KEYS.label})`}
            onClick={panel.isOpen ? panel.close : panel.open}
          >
            <BotMessageSquare size={19} aria-hidden="true" />
          </button>
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
        <RunningTimer />
        <MainNavigation hasIcons={hasIcons} />
        <button
          type="button"
          className="navigation-toggle"
          aria-expanded={!navigation.isCollapsed}
          title={navigation.isCollapsed ? t.expandNavigation : t.collapseNavigation}
          onClick={navigation.toggle}
        >
          {navigation.isCollapsed ? (
            <PanelLeftOpen size={19} aria-hidden="true" />
          ) : (
            <PanelLeftClose size={19} aria-hidden="true" />
          )}
          <span>{navigation.isCollapsed ? t.expandNavigation : t.collapseNavigation}</span>
        </button>
        <LiveIndicator />
        <AccountMenu onShortcuts={openHelp} />
      </header>
      <main id="main" tabIndex={-1} inert={isCovered}>
        <OfflineNotice />
        <TimeZonePrompt />
        {children}
      </main>
      {/* Escape and the close button do the same, so the veil needs no role. */}
      {isCovered && <div className="assistant-veil" aria-hidden="true" onClick={panel.close} />}
      {panel.isOpen && (
        <ErrorBoundary>
          <Suspense fallback={<section className="assistant-panel" aria-label={t.assistantPanel} />}>
            <AssistantPanel
              isBeside={isBeside}
              opened={panel.opened}
              width={panel.width}
              onResize={panel.resize}
              onClose={panel.close}
            />
          </Suspense>
        </ErrorBoundary>
      )}
      {palette !== 'never' && (
        <Suspense fallback={null}>
          <Palette
            open={palette === 'open'}
            pageCommands={pageCommands}
            onClose={closePalette}
            onQuickAdd={openQuickAdd}
            onAssistant={panel.open}
            onShortcuts={openHelp}
          />
        </Suspense>
      )}
      {quickAdd !== 'never' && (
        <Suspense fallback={null}>
          <QuickAdd open={quickAdd === 'open'} onClose={closeQuickAdd} />
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
