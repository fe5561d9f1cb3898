import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { toRouterPath } from './api/base-path.ts'
import { useServices, useSessionState, useStore } from './api/context.tsx'
import type { Pages } from './features.ts'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { FirstPageContext } from './shell/first-page.ts'
import { LoadingScreen } from './shell/loading-screen.tsx'
import { SignInOverlay } from './shell/sign-in-overlay.tsx'
import { Failure, Skeleton } from './ui/notice.tsx'

const PREFETCH_DELAY_MS = 3_000
const INPUTS = ['pointermove', 'keydown', 'touchstart']

/** Prefetches the dialogs that a key opens, when the page has loaded its data. */
const DialogPrefetch = ({ prefetch }: { prefetch: () => void }) => {
  const isIdle = useIsFetching() === 0
  useEffect(() => {
    if (!isIdle) return
    const timer = setTimeout(prefetch, PREFETCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [prefetch, isIdle])
  return null
}

/** Prefetches the other pages after the first input: a page that is only looked at does not load them. */
const usePrefetch = (prefetch: () => void, isEnabled: boolean) =>
  useEffect(() => {
    if (!isEnabled) return
    const inputs = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const schedule = () => {
      inputs.abort()
      timer = setTimeout(prefetch, PREFETCH_DELAY_MS)
    }
    for (const input of INPUTS) addEventListener(input, schedule, { signal: inputs.signal })
    return () => {
      inputs.abort()
      clearTimeout(timer)
    }
  }, [prefetch, isEnabled])

/** Redirects signed-out users to the sign-in page and passes the current address as `next`. */
const RequireSignIn = ({ pages, children }: { pages: Pages; children: ReactNode }) => {
  const state = useSessionState()
  const needsReauthentication = useStore(useServices().needsReauthentication)
  const lastUserId = useRef('')
  if (state.status === 'in') lastUserId.current = state.userId
  usePrefetch(pages.prefetchRest, state.status === 'in')

  if (state.status === 'in' || needsReauthentication)
    return (
      <>
        <pages.Frame
          key={lastUserId.current}
          palette={pages.Palette}
          quickAdd={pages.QuickAdd}
          assistantPanel={pages.AssistantPanel}
        >
          {children}
        </pages.Frame>
        <DialogPrefetch prefetch={pages.prefetchDialogs} />
        {needsReauthentication && (
          <SignInOverlay>
            <Suspense fallback={<LoadingScreen />}>
              <pages.Login />
            </Suspense>
          </SignInOverlay>
        )}
      </>
    )
  const { pathname, search, hash } = window.location
  const here = `${toRouterPath(pathname)}${search}${hash}`
  const keepsTarget = state.status === 'out' && state.why !== 'signed-out' && here !== '/'
  return <Redirect to={keepsTarget ? `/login?next=${encodeURIComponent(here)}` : '/login'} replace />
}

const Routes = ({ pages }: { pages: Pages }) => (
  <Switch>
    <Route path="/login">
      <pages.Login />
    </Route>
    <Route path="/register">
      <pages.Register />
    </Route>
    <Route path="/forgotten">
      <pages.ForgotPassword />
    </Route>
    <Route path="/reset-password">
      <pages.ResetPassword />
    </Route>
    <Route>
      <RequireSignIn pages={pages}>
        <ErrorBoundary>
          <Suspense fallback={<Skeleton lines={6} />}>
            <Switch>
              <Route path="/">
                <pages.Home />
              </Route>
              <Route path="/mail/lists">
                <pages.MailingLists />
              </Route>
              <Route path="/mail/rules">
                <pages.MailRules />
              </Route>
              <Route path="/mail/*?">
                <pages.Mail />
              </Route>
              <Route path="/calendar">
                <pages.Calendar />
              </Route>
              <Route path="/tasks">
                <pages.Tasks />
              </Route>
              <Route path="/contacts/:id?">
                <pages.Contacts />
              </Route>
              <Route path="/promises">
                <pages.Commitments />
              </Route>
              <Route path="/assistant">
                <pages.Assistant />
              </Route>
              <Route path="/stream">
                <pages.Stream />
              </Route>
              <Route path="/audit">
                <pages.Audit />
              </Route>
              <Route path="/insights">
                <pages.Insights />
              </Route>
              <Route path="/settings/*?">
                <pages.Settings />
              </Route>
              <Route>
                <pages.NotFound />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </RequireSignIn>
    </Route>
  </Switch>
)

export const App = ({ pages }: { pages: Pages }) => {
  const { session } = useServices()
  const { status } = useSessionState()
  const [failure, setFailure] = useState<unknown>(null)
  const first = useRef(true)
  const start = () => {
    setFailure(null)
    session.start().catch(setFailure)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens
  useEffect(start, [])

  // A returning user is probably still signed in. Prefetch the page while the session is being restored.
  useEffect(() => {
    if (session.isLikelySignedIn()) pages.prefetch(toRouterPath(window.location.pathname))
  }, [session, pages])

  if (failure !== null)
    return (
      <main className="centered">
        <Failure error={failure} onRetry={start} />
      </main>
    )
  if (status === 'starting') return <LoadingScreen />
  return (
    <FirstPageContext value={first}>
      <ErrorBoundary>
        <Suspense fallback={<LoadingScreen />}>
          <Routes pages={pages} />
        </Suspense>
      </ErrorBoundary>
    </FirstPageContext>
  )
}
