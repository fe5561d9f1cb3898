import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Check, Clock3, TriangleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/assistant'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { useDueFields } from '../tasks/due-fields.ts'
import { type Input, Payload, PayloadFields, readPayload, toToolLabel } from './payload.tsx'
import type { ChatAction } from './use-chat.ts'

export type WaitingAction = Shape<'WaitingAction'>

/** The API does not type the input: each tool has its own schema. */
const inputOf = ({ input }: WaitingAction): Input => input as Input

const ICONS = {
  done: Check,
  failed: TriangleAlert,
  needs_confirmation: Clock3,
  pending: Clock3,
  rejected: Ban,
  expired: Ban,
} as const
const STATUS_TEXTS = {
  done: t.actionDone,
  failed: t.actionFailed,
  needs_confirmation: t.actionWaiting,
  pending: t.actionWaiting,
  rejected: t.actionRejected,
  expired: t.actionExpired,
} as const

const UNDONE = ['undone-actions']
const NONE: readonly number[] = []

/**
 * Ids of undone actions. They are in the query cache because different components render a streaming answer
 * and a finished one.
 */
const useUndoneActions = (): readonly number[] =>
  useQuery({
    queryKey: UNDONE,
    queryFn: () => NONE,
    initialData: NONE,
    // Never fetched: only `setQueryData` sets it.
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data

interface ActionListProps {
  actions: readonly ChatAction[]
  /** The actions that needed a confirmation, by id. A message keeps the status of the time it was written. */
  confirmations: ReadonlyMap<string, WaitingAction>
}

/** Actions that the assistant took for an answer. */
export const ActionList = ({ actions, confirmations }: ActionListProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const undone = useUndoneActions()
  const undo = async (id: number) => {
    try {
      await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      queries.setQueryData<readonly number[]>(UNDONE, (before) => [...(before ?? NONE), id])
      notify(t.undone)
      await queries.invalidateQueries()
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  if (actions.length === 0) return null
  return (
    <ul className="chat-actions">
      {actions.map((action, index) => {
        const { tool } = action
        const { status, undoId } = confirmations.get(action.actionId ?? '') ?? action
        const Icon = ICONS[status]
        const isUndone = undoId !== null && undone.includes(undoId)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions are only appended
          <li key={index} data-status={status}>
            <Icon size={15} aria-hidden="true" />
            <span>{(isUndone ? t.actionUndone : STATUS_TEXTS[status])(toToolLabel(tool))}</span>
            {undoId !== null && !isUndone && (
              <Button
                kind="quiet"
                size="small"
                onClick={() => void undo(undoId)}
                aria-label={t.undoAction(toToolLabel(tool))}
              >
                <Undo2 size={14} aria-hidden="true" />
                {common.undo}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The draft that will be sent. The server refuses to send a draft that was changed after the request. */
const DraftPreview = ({ id, sendAt }: { id: number; sendAt: unknown }) => {
  const client = useClient()
  const { data: draft } = useQuery({
    queryKey: ['emails', 'draft-preview', id],
    queryFn: () => unwrap(client.GET('/api/emails/{id}', { params: { path: { id } } })),
  })
  if (!draft) return null
  const addresses = (people: readonly { address: string }[]) => people.map(({ address }) => address)
  const parts: Input = {
    to: addresses(draft.to),
    cc: addresses(draft.cc),
    bcc: addresses(draft.bcc),
    replyTo: addresses(draft.replyTo),
    subject: draft.subject,
    text: draft.text,
    // Recipients may see the HTML instead of the text.
    ...(draft.html !== null && { html: draft.html }),
    attachments: draft.attachments.map(({ filename }) => filename),
    ...(typeof sendAt === 'string' && { sendAt }),
  }
  const filled = Object.entries(parts).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  return (
    <>
      <Payload input={Object.fromEntries(filled)} />
      <p>
        <a href={`/mail/drafts/${id}`}>{t.openDraft}</a>
      </p>
    </>
  )
}

const isDraft = ({ tool }: WaitingAction): boolean => tool === 'send_draft'

interface PendingActionsProps {
  actions: readonly WaitingAction[]
  /** Called after a decision, which removes the focused button. */
  onDecided: () => void
}

/** Actions that need the user's confirmation. */
export const PendingActions = ({ actions, onDecided }: PendingActionsProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const { readInstant } = useDueFields()
  const [editing, setEditing] = useState<WaitingAction | null>(null)
  const edited = useLastValue(editing)
  const decide = async (action: WaitingAction, how: 'confirm' | 'reject', input?: Input) => {
    const params = { path: { id: action.id } }
    if (how === 'reject') await unwrap(client.POST('/api/ai/actions/{id}/reject', { params }))
    else {
      const done = await unwrap(
        client.POST('/api/ai/actions/{id}/confirm', { params, body: input ? { input } : {} }),
      )
      const undo = done.undoId
      notify(t.done, undo === null ? {} : { undo: () => void revert(undo) })
    }
    await queries.invalidateQueries()
    onDecided()
  }
  const revert = async (id: number) => {
    try {
      await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      await queries.invalidateQueries()
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  const attempt = (work: Promise<void>) =>
    void work.catch(async (error: unknown) => {
      notify(describeError(error), { failed: true })
      await queries.invalidateQueries({ queryKey: ['waiting-actions'] })
    })
  const saveEdit = async (values: FormData) => {
    if (!editing) return
    let input: Input
    try {
      input = readPayload(values, inputOf(editing), readInstant)
    } catch {
      notify(t.invalidJson, { failed: true })
      return
    }
    await decide(editing, 'confirm', input)
    setEditing(null)
  }
  return (
    <>
      {actions.map((action) => (
        <Notice key={action.id} tone="warn" icon={Clock3}>
          <p className="row-title">{action.summary}</p>
          {isDraft(action) ? (
            <DraftPreview id={Number(inputOf(action).id)} sendAt={inputOf(action).sendAt} />
          ) : (
            <Payload input={inputOf(action)} />
          )}
          <div className="chat-decision">
            <Button kind="primary" size="small" onClick={() => attempt(decide(action, 'confirm'))}>
              {t.confirm}
            </Button>
            {!isDraft(action) && (
              <Button size="small" onClick={() => setEditing(action)}>
                {t.editAction}
              </Button>
            )}
            <Button kind="quiet" size="small" onClick={() => attempt(decide(action, 'reject'))}>
              {t.reject}
            </Button>
          </div>
        </Notice>
      ))}
      <FormDialog
        open={editing !== null}
        onClose={() => setEditing(null)}
        title={t.editActionTitle}
        about={t.editActionHelp}
        action={t.confirm}
        onSubmit={saveEdit}
      >
        {edited && <PayloadFields input={inputOf(edited)} />}
      </FormDialog>
    </>
  )
}
