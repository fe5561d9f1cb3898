import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useSessionState, useWorld } from './api/context.tsx'
import { Boundary } from './shell/boundary.tsx'
import { FirstPage } from './shell/first-page.ts'
import { Waiting } from './shell/waiting.tsx'
import { Failure, Skeleton } from './ui/notice.tsx'

// Each is a file of its own, fetched when it is first needed.
const loadFrame = () => import('./shell/frame.tsx').then(({ Frame }) => ({ default: Frame }))
const loadHome = () => import('./rooms/home/home.tsx').then(({ Home }) => ({ default: Home }))
const loadSettings = () =>
  import('./rooms/settings/settings.tsx').then(({ Settings }) => ({ default: Settings }))
const loadLogin = () => import('./rooms/auth/login.tsx').then(({ Login }) => ({ default: Login }))
const loadRegister = () => import('./rooms/auth/register.tsx').then(({ Register }) => ({ default: Register }))

const Frame = lazy(loadFrame)
const Home = lazy(loadHome)
const Settings = lazy(loadSettings)
const Login = lazy(loadLogin)
const Register = lazy(loadRegister)

/** Sends whoever is not signed in to the door, with the way back in hand. */
const SignedIn = ({ children }: { children: ReactNode }) => {
  const state = useSessionState()
  if (state.status === 'in') return <Frame key={state.userId}>{children}</Frame>
  const { pathname, search, hash } = window.location
  const here = `${pathname}${search}${hash}`
  const goesBack = state.status === 'out' && state.why !== 'farewell' && here !== '/'
  return <Redirect to={goesBack ? `/login?next=${encodeURIComponent(here)}` : '/login'} replace />
}

const Rooms = () => (
  <Switch>
    <Route path="/login">
      <Login />
    </Route>
    <Route path="/register">
      <Register />
    </Route>
    <Route>
      <SignedIn>
        <Boundary>
          <Suspense fallback={<Skeleton lines={6} />}>
            <Switch>
              <Route path="/">
                <Home />
              </Route>
              <Route path="/settings/*?">
                <Settings />
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </SignedIn>
    </Route>
  </Switch>
)

export const App = () => {
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
    if (!session.isLikely()) return
    void loadFrame()
    void (window.location.pathname === '/' ? loadHome() : loadSettings())
  }, [session])

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
          <Rooms />
        </Suspense>
      </Boundary>
    </FirstPage>
  )
}
