import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBegun } from './api/begun.ts'
import { createApiClient } from './api/client.ts'
import { WorldProvider } from './api/context.tsx'
import { createLeaving } from './api/leaving.ts'
import { createLive } from './api/live.ts'
import { createMemory } from './api/memory.ts'
import { ApiError } from './api/problem.ts'
import { createReach } from './api/reach.ts'
import { createSession } from './api/session.ts'
import { createStore } from './api/store.ts'
import { createTabLock } from './api/tab-lock.ts'
import { createUnsaved } from './api/unsaved.ts'
import { App } from './app.tsx'
import { createRooms } from './rooms.ts'
import './ui/style/style.css'
import { ToastProvider } from './ui/toast.tsx'

/** What the service refused it will refuse again; what did not get through may get through next time. */
const isWorthAnother = (count: number, error: Error): boolean =>
  count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

const memory = createMemory()
const reach = createReach()
const session = createSession({
  memory,
  lock: createTabLock(memory),
  channel: new BroadcastChannel('factotum.session'),
})
const client = createApiClient(session, reach)
const live = createLive(session)
const leaving = createLeaving()
const rooms = createRooms(reach)
const queries = new QueryClient({
  defaultOptions: {
    // The browser's idea of being online says nothing about an instance on this machine.
    queries: { retry: isWorthAnother, staleTime: 20_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
const unsaved = createUnsaved()
const begun = createBegun()
const isHeld = createStore(false)
let person: string | null = null
// Nothing of one person may be shown to the next. What they were writing when their session ended waits for them.
session.state.subscribe(() => {
  const now = session.state.get()
  const isSame = now.status === 'in' && now.userId === person
  const hasEnded = now.status === 'out' && now.why === 'ended' && person !== null
  isHeld.set(hasEnded && unsaved.in(document))
  if (now.status === 'in') person = now.userId
  else if (!isHeld.get()) person = null
  if (isSame) void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isEdited !== true })
  else if (!isHeld.get()) {
    queries.clear()
    leaving.forget()
  }
  if (now.status === 'in') begun.belongTo(now.userId)
  else if (now.status === 'out' && now.why === 'farewell') begun.clear()
})

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <WorldProvider world={{ client, session, reach, memory, live, leaving, unsaved, begun, isHeld }}>
        <QueryClientProvider client={queries}>
          <ToastProvider>
            <App rooms={rooms} />
          </ToastProvider>
        </QueryClientProvider>
      </WorldProvider>
    </StrictMode>,
  )
