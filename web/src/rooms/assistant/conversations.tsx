import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { useLast } from '../../ui/use-last.ts'

interface ConversationsProps {
  current: string | null
  open: (id: string | null) => void
}

export const Conversations = ({ current, open }: ConversationsProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const [removing, setRemoving] = useState<{ id: string; title: string } | null>(null)
  const named = useLast(removing)
  const { data } = useQuery({
    queryKey: ['conversations'],
    queryFn: () => unwrap(client.GET('/api/ai/conversations', { params: { query: { limit: 50 } } })),
  })
  const remove = async () => {
    if (!removing) return
    const { id } = removing
    await unwrap(client.DELETE('/api/ai/conversations/{id}', { params: { path: { id } } }))
    setRemoving(null)
    if (id === current) open(null)
    await queries.invalidateQueries({ queryKey: ['conversations'] })
  }
  return (
    <nav className="chat-list" aria-label="Conversations">
      <Button wide onClick={() => open(null)}>
        <MessageSquarePlus size={16} aria-hidden="true" />
        New conversation
      </Button>
      <ul>
        {data?.conversations.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              title={title}
              aria-current={id === current ? 'true' : undefined}
              onClick={() => open(id)}
            >
              {title}
            </button>
            <Button
              kind="quiet"
              shape="icon"
              size="small"
              aria-label={`Delete “${title}”`}
              onClick={() => setRemoving({ id, title })}
            >
              <Trash2 size={15} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      <FormDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        alert
        danger
        title={`Delete “${named?.title ?? ''}”?`}
        about="What was said is gone then. What was done stays done."
        action="Delete"
        onSubmit={remove}
      />
    </nav>
  )
}
