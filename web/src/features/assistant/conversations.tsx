import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus, Trash2 } from 'lucide-react'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'

const KIND = 'conversation'

interface ConversationsProps {
  current: string | null
  open: (id: string | null) => void
  /** Called when the open conversation is deleted. */
  close: () => void
}

export const Conversations = ({ current, open, close }: ConversationsProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const deleteWithUndo = useUndoableDelete()
  const { data } = useQuery({
    queryKey: ['conversations'],
    queryFn: () => unwrap(client.GET('/api/ai/conversations', { params: { query: { limit: 50 } } })),
  })
  const pendingIds = usePendingDeletionIds<string>(KIND)
  const visible = data?.conversations.filter(({ id }) => !pendingIds.has(id)) ?? []
  const remove = ({ id, title }: { id: string; title: string }): void => {
    if (id === current) close()
    deleteWithUndo({
      kind: KIND,
      target: id,
      toastText: `“${title}” is deleted. What was done stays done.`,
      undoneText: `“${title}” is back.`,
      async send() {
        const params = { path: { id } }
        await unwrap(client.DELETE('/api/ai/conversations/{id}', { params, keepalive: true }))
        await queries.invalidateQueries({ queryKey: ['conversations'] })
      },
    })
  }
  return (
    <nav className="chat-list" aria-label="Conversations">
      <Button wide onClick={() => open(null)}>
        <MessageSquarePlus size={16} aria-hidden="true" />
        New conversation
      </Button>
      <ul>
        {visible.map(({ id, title }) => (
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
              onClick={() => remove({ id, title })}
            >
              <Trash2 size={15} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
