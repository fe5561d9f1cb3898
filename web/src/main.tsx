import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { basePath } from './api/base-path.ts'
import { createBrowserStorage } from './api/browser-storage.ts'
import { createApiClient } from './api/client.ts'
import { createConnectivity } from './api/connectivity.ts'
import { ServicesProvider } from './api/context.tsx'
import { createLiveEvents } from './api/live-events.ts'
import { createPendingDeletions } from './api/pending-deletions.ts'
import { ApiError } from './api/problem.ts'
import { createSavedForms } from './api/saved-forms.ts'
import { createSession } from './api/session.ts'
import { createStore } from './api/store.ts'
import { createTabLock } from './api/tab-lock.ts'
import { createUnsavedInput } from './api/unsaved-input.ts'
import { App } from './app.tsx'
import { createPages } from './features.ts'
import { holdEarlyShortcuts, takeEarlyShortcut } from './shell/early-shortcuts.ts'
import { releaseKeys } from './shell/type-ahead.ts'
import './ui/style/style.css'
import { ToastProvider } from './ui/toast.tsx'

/** Retries network failures and 5xx responses. A 4xx response would be the same the next time. */
const shouldRetry = (count: number, error: Error): boolean =>
  count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

const browserStorage = createBrowserStorage()
const connectivity = createConnectivity()
const session = createSession({
  browserStorage,
  lock: createTabLock(browserStorage),
  channel: new BroadcastChannel(`factotum.session${basePath}`),
})
const client = createApiClient(session, connectivity)
const live = createLiveEvents(session)
const pendingDeletions = createPendingDeletions()
const pages = createPages(connectivity)
const queries = new QueryClient({
  defaultOptions: {
    // `navigator.onLine` says nothing about an instance that runs on this machine.
    queries: { retry: shouldRetry, staleTime: 20_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
const unsavedInput = createUnsavedInput()
const savedForms = createSavedForms()
const needsReauthentication = createStore(false)
let currentUserId: string | null = null
// Clears all cached data when another user signs in. Unsaved input survives an expired session until the same
// user is back.
session.state.subscribe(() => {
  const now = session.state.get()
  const isSameUser = now.status === 'in' && now.userId === currentUserId
  const hasEnded = now.status === 'out' && now.why === 'ended' && currentUserId !== null
  // The sign-in form must not get the text that was meant for a dialog.
  if (now.status === 'out' && takeEarlyShortcut() !== null) releaseKeys()
  needsReauthentication.set(hasEnded && unsavedInput.in(document))
  if (now.status === 'in') currentUserId = now.userId
  else if (!needsReauthentication.get()) currentUserId = null
  if (isSameUser) void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isEdited !== true })
  else if (!needsReauthentication.get()) {
    queries.clear()
    pendingDeletions.discardAll()
  }
  if (now.status === 'in') savedForms.setOwner(now.userId)
  else if (now.status === 'out' && now.why === 'signed-out') savedForms.clear()
})

if (session.isLikelySignedIn()) holdEarlyShortcuts(() => browserStorage.read('shortcuts') !== 'off')

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <ServicesProvider
        services={{
          client,
          session,
          connectivity,
          browserStorage,
          live,
          pendingDeletions,
          unsavedInput,
          savedForms,
          needsReauthentication,
        }}
      >
        <QueryClientProvider client={queries}>
          <ToastProvider>
            <Router base={basePath}>
              <App pages={pages} />
            </Router>
          </ToastProvider>
        </QueryClientProvider>
      </ServicesProvider>
    </StrictMode>,
  )
