import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Check, Clock3, TriangleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/assistant'
import * as common from '#locale/shared-texts'
import { toServerPath } from '../../api/base-path.ts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { useDueFields } from '../tasks/due-fields.ts'
import { type Input, Payload, PayloadFields, readPayload, toReadableInput, toToolLabel } from './payload.tsx'
import { isPlan, PlanFields, PlanPreview, toPlannedBlocks, usePlanEdit } from './plan-confirmation.tsx'
import { useUndo, useUndoneIds } from './undo.ts'
import type { ChatAction } from './use-chat.ts'

export type WaitingAction = Shape<'WaitingAction'>

/** The API does not type the input: each tool has its own schema. */
const inputOf = ({ input }: WaitingAction): Input => input as Input

/** Actions that a card does not show: failed ones, and changes of things without a card. */
export const ActionList = ({ actions }: { actions: readonly ChatAction[] }) => {
  const undone = useUndoneIds()
  const undo = useUndo()
  if (actions.length === 0) return null
  return (
    <ul className="chat-actions">
      {actions.map(({ tool, status, undoId }, index) => {
        const isUndone = undoId !== null && undone.has(undoId)
        const isFailed = status === 'failed'
        const Icon = isFailed ? TriangleAlert : Check
        const describe = isUndone ? t.actionUndone : isFailed ? t.actionFailed : t.actionDone
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions are only appended
          <li key={index} data-status={status}>
            <Icon size={15} aria-hidden="true" />
            <span>{describe(toToolLabel(tool))}</span>
            {undoId !== null && !isUndone && (
              <Button
                kind="quiet"
                size="small"
                onClick={() => void undo([undoId])}
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
        <a href={toServerPath(`/mail/drafts/${id}`)}>{t.openDraft}</a>
      </p>
    </>
  )
}

const isDraft = ({ tool }: WaitingAction): boolean => tool === 'send_draft'

/** A request that names only its object has nothing to edit. */
const isEditable = (action: WaitingAction): boolean =>
  !isDraft(action) && Object.keys(toReadableInput(inputOf(action))).length > 0

const toElementId = ({ id }: WaitingAction): string => `action-${id}`

/** The summary of a plan names its first blocks, which are listed below. */
const toTitle = (action: WaitingAction): string =>
  isPlan(action) ? t.bookBlocks(toPlannedBlocks(inputOf(action)).length) : action.summary

const countIds = ({ ids }: Input): number => (Array.isArray(ids) ? ids.length : 0)

/** The name of the only change of an email, as of many. */
const toMarkLabel = (input: Input): string | undefined => {
  const [field, ...others] = Object.keys(toReadableInput(input))
  if (field === undefined || others.length > 0) return undefined
  const change = { archived: 'archive', read: 'read', starred: 'star', add: 'tag' }[field]
  const opposite = { read: 'unread', starred: 'unstar' }[field]
  const name = input[field] === false ? opposite : change
  return name && t.changeEmails[name]?.(1)
}

/** The button says what it does: “Archive 3 emails”. */
const toConfirmLabel = (action: WaitingAction): string => {
  const { tool } = action
  const input = inputOf(action)
  const change = String(input.change)
  if (isPlan(action)) return toTitle(action)
  if (tool === 'change_emails') return t.changeEmails[change]?.(countIds(input)) ?? toToolLabel(tool)
  if (tool === 'tag_email') return toMarkLabel(input) ?? toToolLabel(tool)
  if (tool === 'change_tasks') return t.changeTasks[change]?.(countIds(input)) ?? toToolLabel(tool)
  return tool === 'update_task' && input.status === 'done' ? t.completeTask : toToolLabel(tool)
}

/** The content of a request: the email, the blocks, or the fields. */
const Preview = ({ action }: { action: WaitingAction }) => {
  const input = inputOf(action)
  if (isDraft(action)) return <DraftPreview id={Number(input.id)} sendAt={input.sendAt} />
  return isPlan(action) ? <PlanPreview blocks={toPlannedBlocks(input)} /> : <Payload input={input} />
}

const OUTCOME_ICONS = { done: Check, failed: TriangleAlert, rejected: Ban, expired: Ban } as const

/** An action that was decided. It stays in the message that asked. */
const DecidedAction = ({ action }: { action: WaitingAction & { status: keyof typeof OUTCOME_ICONS } }) => {
  const { dateTime } = useDates()
  const undone = useUndoneIds()
  const undo = useUndo()
  const { status, tool, undoId, error, decidedAt } = action
  const at = dateTime(decidedAt ?? action.expiresAt)
  const isUndone = undoId !== null && undone.has(undoId)
  const outcomes = {
    done: t.decided.done(at),
    failed: t.decided.failed(error ?? ''),
    rejected: t.decided.rejected(at),
    expired: t.decided.expired,
  }
  return (
    <Notice icon={OUTCOME_ICONS[status]}>
      <p className="row-title" id={toElementId(action)} tabIndex={-1}>
        {toTitle(action)}
      </p>
      <p className="chat-note">{isUndone ? t.actionUndone(toToolLabel(tool)) : outcomes[status]}</p>
      {undoId !== null && !isUndone && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => void undo([undoId])}
          aria-label={t.undoAction(toToolLabel(tool))}
        >
          <Undo2 size={14} aria-hidden="true" />
          {common.undo}
        </Button>
      )}
    </Notice>
  )
}

export const isPending = ({ status }: WaitingAction): boolean => status === 'pending'

const isDecided = (action: WaitingAction): action is WaitingAction & { status: keyof typeof OUTCOME_ICONS } =>
  action.status !== 'pending'

interface ConfirmationsProps {
  actions: readonly WaitingAction[]
  /** Called after a decision that removes the request from the page. */
  onDecided: () => void
}

/** Actions that need the user's confirmation, and what was decided about them. */
export const Confirmations = ({ actions, onDecided }: ConfirmationsProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const undo = useUndo()
  const { readInstant } = useDueFields()
  const [editing, setEditing] = useState<WaitingAction | null>(null)
  const edited = useLastValue(editing)
  const plan = usePlanEdit(edited && isPlan(edited) ? inputOf(edited) : null)
  const decide = async (action: WaitingAction, how: 'confirm' | 'reject', input?: Input) => {
    const params = { path: { id: action.id } }
    if (how === 'reject') await unwrap(client.POST('/api/ai/actions/{id}/reject', { params }))
    else {
      const done = await unwrap(
        client.POST('/api/ai/actions/{id}/confirm', { params, body: input ? { input } : {} }),
      )
      const { undoId } = done
      notify(t.done, undoId === null ? {} : { undo: () => void undo([undoId]) })
    }
    await queries.invalidateQueries()
    // The new data reaches the page in a timer that was set before this one.
    await new Promise((resolve) => setTimeout(resolve))
    // The focused button is gone. The outcome takes its place, unless the request was of another conversation.
    const outcome = document.getElementById(toElementId(action))
    if (outcome) outcome.focus({ preventScroll: true })
    else onDecided()
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
      input = isPlan(editing) ? plan.toInput() : readPayload(values, inputOf(editing), readInstant)
    } catch {
      notify(t.invalidJson, { failed: true })
      return
    }
    await decide(editing, 'confirm', input)
    setEditing(null)
  }
  return (
    <>
      {actions.filter(isDecided).map((action) => (
        <DecidedAction key={action.id} action={action} />
      ))}
      {actions.filter(isPending).map((action) => (
        <Notice key={action.id} tone="warn" icon={Clock3}>
          <p className="row-title">{toTitle(action)}</p>
          <Preview action={action} />
          <div className="chat-decision">
            <Button kind="primary" size="small" onClick={() => attempt(decide(action, 'confirm'))}>
              {toConfirmLabel(action)}
            </Button>
            {isEditable(action) && (
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
        size={edited && isPlan(edited) ? 'large' : 'middle'}
        onSubmit={saveEdit}
      >
        {edited && (isPlan(edited) ? <PlanFields edit={plan} /> : <PayloadFields input={inputOf(edited)} />)}
      </FormDialog>
    </>
  )
}
