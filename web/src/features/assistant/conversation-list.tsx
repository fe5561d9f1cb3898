import { useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/assistant'
import * as common from '#locale/shared-texts'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { useLastValue } from '../../ui/use-last-value.ts'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'

const KIND = 'conversation'
const PAGE_SIZE = 50

interface Conversation {
  id: string
  title: string
}

const useConversations = (q: string) => {
  const client = useClient()
  const query = usePaged(['conversations', q], (page) =>
    unwrap(
      client.GET('/api/ai/conversations', {
        params: { query: { ...page, limit: PAGE_SIZE, ...(q !== '' && { q }) } },
      }),
    ),
  )
  const pendingIds = usePendingDeletionIds<string>(KIND)
  const all = query.data?.pages.flatMap(({ conversations }) => conversations) ?? []
  return { query, visible: all.filter(({ id }) => !pendingIds.has(id)) }
}

interface RenameDialogProps {
  conversation: Conversation | null
  onClose: () => void
}

const RenameDialog = ({ conversation, onClose }: RenameDialogProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const last = useLastValue(conversation)
  const rename = async (values: FormData) => {
    if (!conversation) return
    const params = { path: { id: conversation.id } }
    const title = readText(values, 'title')
    await unwrap(client.PATCH('/api/ai/conversations/{id}', { params, body: { title } }))
    notify(t.renamed)
    onClose()
    await Promise.all(
      [['conversations'], ['conversation']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  }
  return (
    <FormDialog
      open={conversation !== null}
      onClose={onClose}
      title={t.renameTitle}
      savedAs={null}
      onSubmit={rename}
    >
      <TextField
        key={last?.id}
        name="title"
        label={t.fields.title ?? ''}
        defaultValue={last?.title}
        required
        maxLength={200}
      />
    </FormDialog>
  )
}

interface ConversationListProps {
  current: string | null
  open: (id: string | null) => void
  /** Called when the open conversation is deleted. */
  onCurrentDeleted: () => void
}

/** All conversations, newest first, with a search over their titles and messages. */
export const ConversationList = ({ current, open, onCurrentDeleted }: ConversationListProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const deleteWithUndo = useUndoableDelete()
  const [typed, setTyped] = useState('')
  const [renaming, setRenaming] = useState<Conversation | null>(null)
  const q = useDebouncedValue(typed.trim())
  const { query, visible } = useConversations(q)
  const remove = ({ id, title }: Conversation): void => {
    if (id === current) onCurrentDeleted()
    deleteWithUndo({
      kind: KIND,
      target: id,
      toastText: t.conversationDeleted(title),
      undoneText: t.conversationRestored(title),
      async send() {
        const params = { path: { id } }
        await unwrap(client.DELETE('/api/ai/conversations/{id}', { params, keepalive: true }))
        await queries.invalidateQueries({ queryKey: ['conversations'] })
      },
    })
  }
  return (
    <nav className="chat-list" aria-label={t.conversations}>
      <Button wide onClick={() => open(null)}>
        <MessageSquarePlus size={16} aria-hidden="true" />
        {t.newConversation}
      </Button>
      <input
        type="search"
        className="input"
        aria-label={t.searchConversations}
        placeholder={common.search}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {q !== '' && query.isSuccess && visible.length === 0 && (
        <p className="quiet small" role="status">
          {t.noConversations}
        </p>
      )}
      <ul>
        {visible.map((conversation) => {
          const { id, title } = conversation
          return (
            <li key={id}>
              <button
                type="button"
                title={title}
                aria-current={id === current ? 'true' : undefined}
                onClick={() => open(id)}
              >
                {title}
              </button>
              <RowMenu
                label={t.moreFor(title)}
                actions={[
                  { label: t.renameConversation, icon: Pencil, onSelect: () => setRenaming(conversation) },
                  { label: t.deleteLabel, icon: Trash2, onSelect: () => remove(conversation) },
                ]}
              />
            </li>
          )
        })}
      </ul>
      {query.hasNextPage && (
        <Button kind="quiet" size="small" wide onClick={() => void query.fetchNextPage()}>
          {t.loadMore}
        </Button>
      )}
      <RenameDialog conversation={renaming} onClose={() => setRenaming(null)} />
    </nav>
  )
}
