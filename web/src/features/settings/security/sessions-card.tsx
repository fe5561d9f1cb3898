import { useQueryClient } from '@tanstack/react-query'
import { Laptop, Smartphone, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { sessionsKey, useSessions } from '../../../api/sessions.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'

type SessionRow = Shape<'Session'>

const ICONS = { computer: Laptop, phone: Smartphone, program: SquareTerminal } as const

const Row = ({ session, onEnd }: { session: SessionRow; onEnd: () => void }) => {
  const { date } = useDates()
  const { name, kind } = session.device
  const Icon = ICONS[kind]
  return (
    <li data-wraps="true">
      <span className="row-icon">
        <Icon size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          {name}
          {session.current && <Tag tone="accent">This session</Tag>}
        </p>
        <p className="row-notes">
          <span>
            Seen <Time at={session.lastSeenAt} />
          </span>
          <span>{session.ip}</span>
          <span>since {date(session.createdAt)}</span>
          <span>until {date(session.expiresAt)}</span>
        </p>
      </div>
      {!session.current && (
        <div className="row-actions">
          <Button size="small" onClick={onEnd} aria-label={`Sign out ${name}`}>
            Sign out
          </Button>
        </div>
      )}
    </li>
  )
}

export const SessionsCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const query = useSessions(client)
  const [ending, setEnding] = useState<SessionRow | 'others' | null>(null)
  const sessions = query.data?.pages.flatMap((page) => page.sessions) ?? []
  const named = useLastValue(ending)
  const close = () => setEnding(null)

  const end = async () => {
    if (ending === 'others') {
      const { revoked } = await unwrap(client.POST('/api/settings/security/sessions/revoke-others'))
      notify(revoked === 1 ? 'One session has ended.' : `${revoked} sessions have ended.`)
    } else if (ending !== null) {
      const params = { path: { id: ending.id } }
      await unwrap(client.DELETE('/api/settings/security/sessions/{id}', { params }))
      notify(`${ending.device.name} is signed out.`)
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: sessionsKey }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
    close()
  }
  return (
    <Card
      id="sessions"
      title="Sessions"
      about="Where you are signed in."
      aside={
        sessions.length > 1 && (
          <Button size="small" kind="warning" onClick={() => setEnding('others')}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <LoadedList needsClick query={query} itemsOf={(page) => page.sessions} empty={null}>
        {(items) => (
          <ul className="rows">
            {items.map((session) => (
              <Row key={session.id} session={session} onEnd={() => setEnding(session)} />
            ))}
          </ul>
        )}
      </LoadedList>
      <FormDialog
        open={ending !== null}
        onClose={close}
        alert
        danger
        title={named === 'others' ? 'Sign out everywhere else?' : 'Sign this session out?'}
        about={
          named === 'others'
            ? 'Every session but this one ends at once.'
            : named && `${named.device.name}, ${named.ip}. It ends at once.`
        }
        action="Sign out"
        onSubmit={end}
      />
    </Card>
  )
}
