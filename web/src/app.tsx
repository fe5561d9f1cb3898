import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useSessionState, useStore, useWorld } from './api/context.tsx'
import type { Rooms } from './rooms.ts'
import { Boundary } from './shell/boundary.tsx'
import { Cover } from './shell/cover.tsx'
import { FirstPage } from './shell/first-page.ts'
import { NoPage } from './shell/no-page.tsx'
import { Waiting } from './shell/waiting.tsx'
import { Failure, Skeleton } from './ui/notice.tsx'

const REST_AFTER_MS = 3_000

/** Sends whoever is not signed in to the door, with the way back in hand. */
const SignedIn = ({ rooms, children }: { rooms: Rooms; children: ReactNode }) => {
  const state = useSessionState()
  const isHeld = useStore(useWorld().isHeld)
  const whose = useRef('')
  if (state.status === 'in') whose.current = state.userId
  useEffect(() => {
    if (state.status !== 'in') return
    const timer = setTimeout(rooms.prefetchRest, REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [state.status, rooms])

  if (state.status === 'in' || isHeld)
    return (
      <>
        <rooms.Frame key={whose.current} finder={rooms.Finder}>
          {children}
        </rooms.Frame>
        {isHeld && (
          <Cover>
            <Suspense fallback={<Waiting />}>
              <rooms.Login />
            </Suspense>
          </Cover>
        )}
      </>
    )
  const { pathname, search, hash } = window.location
  const here = `${pathname}${search}${hash}`
  const goesBack = state.status === 'out' && state.why !== 'farewell' && here !== '/'
  return <Redirect to={goesBack ? `/login?next=${encodeURIComponent(here)}` : '/login'} replace />
}

const Routes = ({ rooms }: { rooms: Rooms }) => (
  <Switch>
    <Route path="/login">
      <rooms.Login />
    </Route>
    <Route path="/register">
      <rooms.Register />
    </Route>
    <Route path="/forgotten">
      <rooms.Forgotten />
    </Route>
    <Route path="/reset-password">
      <rooms.ResetPassword />
    </Route>
    <Route>
      <SignedIn rooms={rooms}>
        <Boundary>
          <Suspense fallback={<Skeleton lines={6} />}>
            <Switch>
              <Route path="/">
                <rooms.Home />
              </Route>
              <Route path="/mail/lists">
                <rooms.MailingLists />
              </Route>
              <Route path="/mail/rules">
                <rooms.MailRules />
              </Route>
              <Route path="/mail/*?">
                <rooms.Mail />
              </Route>
              <Route path="/calendar">
                <rooms.Calendar />
              </Route>
              <Route path="/tasks">
                <rooms.Tasks />
              </Route>
              <Route path="/assistant">
                <rooms.Assistant />
              </Route>
              <Route path="/stream">
                <rooms.Stream />
              </Route>
              <Route path="/audit">
                <rooms.Audit />
              </Route>
              <Route path="/settings/*?">
                <rooms.Settings />
              </Route>
              <Route>
                <NoPage />
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </SignedIn>
    </Route>
  </Switch>
)

export const App = ({ rooms }: { rooms: Rooms }) => {
  const { session } = useWorld()
  const { status } = useSessionState()
  const [failure, setFailure] = useState<unknown>(null)
  const first = useRef(true)
  const start = () => {
    setFailure(null)
    session.start().catch(setFailure)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(start, [])

  // Whoever comes back is most likely still signed in: what they will see is fetched while that is being found out.
  useEffect(() => {
    if (session.isLikely()) rooms.prefetch(window.location.pathname)
  }, [session, rooms])

  if (failure !== null)
    return (
      <main className="alone">
        <Failure error={failure} onRetry={start} />
      </main>
    )
  if (status === 'starting') return <Waiting />
  return (
    <FirstPage value={first}>
      <Boundary>
        <Suspense fallback={<Waiting />}>
          <Routes rooms={rooms} />
        </Suspense>
      </Boundary>
    </FirstPage>
  )
}
