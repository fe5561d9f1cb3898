import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CircleAlert, GitMerge, Paperclip, Send, Trash2, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { describeError } from '../../../api/problem.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { addDays, dayOf, instantOf, toLocalTime } from '../../tasks/local-time.ts'
import { readAttachment, sizeInWords, uploadFile } from '../attachment-bytes.ts'
import type { Attachment } from '../folders.ts'
import type { MailNavigation } from '../url-state.ts'
import { isSame, isValidRecipient } from './addresses.ts'
import { RecipientsField } from './recipients-field.tsx'
import type { Seed } from './seeds.ts'
import { type SaveState, useDraft } from './use-draft.ts'
import { useSendEmail } from './use-send.ts'
import './compose.css'

const AttachButton = ({ onFiles, busy }: { onFiles: (files: File[]) => void; busy: boolean }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Resets the input, so that the same file can be selected again.
          event.target.value = ''
        }}
      />
      <Button
        kind="quiet"
        shape="icon"
        busy={busy}
        aria-label="Attach files"
        onClick={() => input.current?.click()}
      >
        {!busy && <Paperclip size={18} aria-hidden="true" />}
      </Button>
    </>
  )
}

interface AttachedProps {
  attachments: readonly Attachment[]
  onRemove: (attachment: Attachment) => void
}

const Attached = ({ attachments, onRemove }: AttachedProps) =>
  attachments.length === 0 ? null : (
    <ul className="attachments" aria-label="Attached files">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="attachment">
          <Paperclip size={16} aria-hidden="true" />
          <span className="attachment-name" title={attachment.filename}>
            {attachment.filename}
          </span>
          <span className="quiet small">{sizeInWords(attachment.size)}</span>
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={`Remove ${attachment.filename}`}
            onClick={() => onRemove(attachment)}
          >
            <X size={15} aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  )

interface ScheduleDialogProps {
  open: boolean
  onClose: () => void
  onSchedule: (sendAt: string) => Promise<void>
}

const ScheduleDialog = ({ open, onClose, onSchedule }: ScheduleDialogProps) => {
  const { timeZone } = useDates()
  const now = new Date()
  const tomorrow = `${addDays(dayOf(now, timeZone), 1)}T08:00`
  const schedule = async (values: FormData) => {
    await onSchedule(instantOf(String(values.get('sendAt')).slice(0, 16), timeZone))
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Send later"
      about="It stays in Drafts until then. You can undo it."
      action="Schedule"
      onSubmit={schedule}
    >
      <TextField
        name="sendAt"
        label="When"
        hint={`By the clocks of ${timeZone.replaceAll('_', ' ')}.`}
        type="datetime-local"
        min={toLocalTime(now, timeZone)}
        defaultValue={tomorrow}
        required
      />
    </FormDialog>
  )
}

const SAVE_WORDS: Readonly<Record<SaveState, string>> = {
  untouched: '',
  dirty: 'Not saved yet',
  saving: 'Saving…',
  saved: 'Saved under Drafts',
  failed: 'Not saved: it is tried again when you go on',
  elsewhere: 'Not saved',
}

interface ComposerProps {
  seed: Seed
  title: string
  notice?: ReactNode
  onSaved?: (id: number) => void
  /** Called after sending, discarding or closing. */
  onDone: () => void
  navigation: MailNavigation
}

/**
 * All mail accounts and the sending one. Priority: the user's choice, the recipient of the answered mail, the
 * draft's account.
 */
const useAccount = (seed: Seed) => {
  const accounts = useQuery(mailAccountsQuery(useClient())).data
  const [chosen, setChosen] = useState<string | null>(null)
  const account =
    accounts?.find(({ id }) => id === chosen) ??
    accounts?.find(({ address }) => seed.me.some((person) => isSame(person, { address }))) ??
    accounts?.find(({ id }) => id === seed.fields.accountId) ??
    accounts?.[0]
  return { accounts, account, choose: setChosen }
}

/** Attaches the files of a forwarded email and files that the user selects. */
const useFiles = (seed: Seed, onAdded: (file: Awaited<ReturnType<typeof uploadFile>>) => void) => {
  const client = useClient()
  const notify = useNotify()
  const [uploadCount, setUploadCount] = useState(0)
  const add = async (file: Promise<Blob> | Blob, name: string): Promise<void> => {
    setUploadCount((count) => count + 1)
    try {
      onAdded(await uploadFile(client, await file, name))
    } catch (error) {
      notify(`${name} could not be attached. ${describeError(error)}`, { failed: true })
    } finally {
      setUploadCount((count) => count - 1)
    }
  }
  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    if (hasStarted.current || !seed.copies) return
    hasStarted.current = true
    const { emailId, attachments } = seed.copies
    for (const attachment of attachments)
      void add(
        readAttachment(client, emailId, attachment).then(
          (content) => new Blob([content], { type: attachment.contentType }),
        ),
        attachment.filename,
      )
  }, [])
  return {
    isUploading: uploadCount > 0,
    addFiles: (files: File[]) => files.map((file) => add(file, file.name)),
  }
}

export const Composer = ({ seed, title, notice, onSaved, onDone, navigation }: ComposerProps) => {
  const { accounts, account, choose } = useAccount(seed)
  const draft = useDraft(seed, account, onSaved)
  const { fields } = draft
  const notify = useNotify()
  const send = useSendEmail(navigation)
  const [showsCopies, setShowsCopies] = useState(fields.cc.length + fields.bcc.length > 0)
  const [isScheduling, setIsScheduling] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [errorMessage, setErrorMessage] = useState<string | null>(null)
  const [isNobody, setIsNobody] = useState(false)
  const id = useId()
  const text = useRef<HTMLTextAreaElement>(null)
  const { isUploading, addFiles } = useFiles(seed, (file) =>
    draft.edit(({ attachments }) => ({ attachments: [...attachments, file] })),
  )
  const isAnswer = fields.to.length > 0 && !seed.saved

  // Puts the cursor above the quoted text of a reply.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    if (!isAnswer) return
    text.current?.focus({ preventScroll: true })
    text.current?.setSelectionRange(0, 0)
  }, [])

  const everyone = [...fields.to, ...fields.cc, ...fields.bcc]
  /** Throws the API error if the service rejects the message. */
  const dispatch = async (sendAt: string | null): Promise<void> => {
    if (!account) return
    // Saves first: attachments are read from the draft, and a failed send then loses nothing.
    await draft.save()
    await send({
      fields,
      accountId: account.id,
      inReplyTo: seed.inReplyTo,
      draftId: draft.savedId(),
      sendAt,
    })
    await draft.end()
    onDone()
  }
  const isReady = (): boolean => {
    setIsNobody(everyone.length === 0)
    return everyone.length > 0 && everyone.every(isValidRecipient) && !isUploading
  }
  const sendNow = async () => {
    setErrorMessage(null)
    if (!isReady()) return
    setIsSending(true)
    try {
      await dispatch(null)
    } catch (error) {
      setErrorMessage(describeError(error))
      setIsSending(false)
    }
  }
  const restore = async (saved: number) => {
    try {
      await draft.restore(saved)
      navigation.enter('drafts', saved)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  const discard = async () => {
    try {
      const id = await draft.discard()
      onDone()
      notify('The draft is in the trash.', id === null ? {} : { undo: () => void restore(id) })
    } catch (error) {
      setErrorMessage(describeError(error))
    }
  }
  return (
    <>
      <form
        className="composer"
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void sendNow()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            void sendNow()
          }
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          addFiles([...event.dataTransfer.files])
        }}
      >
        <header className="composer-head">
          <h2>{title}</h2>
          <span className="quiet small" role="status">
            {SAVE_WORDS[draft.state]}
          </span>
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label="Close; the draft is kept"
            onClick={onDone}
          >
            <X size={17} aria-hidden="true" />
          </Button>
        </header>
        {notice}
        {accounts?.length === 0 && (
          <Notice tone="warn" icon={CircleAlert}>
            <p>There is no mail account to send with. What you write is kept under Drafts.</p>
            <LinkButton size="small" href="/settings/mail-accounts">
              Add a mail account
            </LinkButton>
          </Notice>
        )}
        {draft.state === 'elsewhere' && (
          <div role="alert">
            <Notice tone="warn" icon={GitMerge}>
              <p>This draft was changed or sent in another window. Nothing of yours is saved yet.</p>
              <Button size="small" onClick={() => void draft.saveMine()}>
                Save mine
              </Button>
            </Notice>
          </div>
        )}
        <div role="alert">
          {errorMessage !== null && (
            <Notice tone="bad" icon={CircleAlert}>
              {errorMessage}
            </Notice>
          )}
        </div>
        {accounts && accounts.length > 1 && (
          <div className="composer-line">
            <label htmlFor={`${id}-from`}>From</label>
            <select
              id={`${id}-from`}
              className="input"
              value={account?.id}
              onChange={(event) => {
                choose(event.target.value)
                draft.change({ accountId: event.target.value })
              }}
            >
              {accounts.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.senderName ? `${each.senderName} <${each.address}>` : each.address}
                </option>
              ))}
            </select>
          </div>
        )}
        <div className="composer-to">
          <RecipientsField
            label="To"
            people={fields.to}
            onChange={(to) => {
              setIsNobody(false)
              draft.change({ to })
            }}
            autoFocus={!isAnswer}
            error={isNobody ? 'Say whom it is for.' : undefined}
          />
          {!showsCopies && (
            <Button kind="quiet" size="small" onClick={() => setShowsCopies(true)}>
              Cc, Bcc
            </Button>
          )}
        </div>
        {showsCopies && (
          <>
            <RecipientsField label="Cc" people={fields.cc} onChange={(cc) => draft.change({ cc })} />
            <RecipientsField label="Bcc" people={fields.bcc} onChange={(bcc) => draft.change({ bcc })} />
          </>
        )}
        <div className="composer-line">
          <label htmlFor={`${id}-subject`}>Subject</label>
          <input
            id={`${id}-subject`}
            className="input"
            maxLength={2000}
            autoComplete="off"
            value={fields.subject}
            onChange={(event) => draft.change({ subject: event.target.value })}
          />
        </div>
        <textarea
          ref={text}
          className="input composer-text"
          aria-label="Text"
          dir="auto"
          rows={12}
          maxLength={1_000_000}
          value={fields.text}
          onChange={(event) => draft.change({ text: event.target.value })}
        />
        <Attached
          attachments={fields.attachments}
          onRemove={(gone) =>
            draft.edit(({ attachments }) => ({
              attachments: attachments.filter(({ id: one }) => one !== gone.id),
            }))
          }
        />
        <footer className="composer-foot">
          <Button type="submit" kind="primary" busy={isSending} disabled={!account || isUploading}>
            {!isSending && <Send size={16} aria-hidden="true" />}
            Send
          </Button>
          <Button
            disabled={!account || isUploading || isSending}
            onClick={() => {
              if (isReady()) setIsScheduling(true)
            }}
          >
            <CalendarClock size={16} aria-hidden="true" />
            Send later
          </Button>
          <AttachButton busy={isUploading} onFiles={addFiles} />
          <span className="composer-gap" />
          <Button kind="quiet" shape="icon" aria-label="Throw the draft away" onClick={() => void discard()}>
            <Trash2 size={18} aria-hidden="true" />
          </Button>
        </footer>
      </form>
      {/* Outside the form, because React bubbles the dialog's submit event to a parent form. */}
      <ScheduleDialog open={isScheduling} onClose={() => setIsScheduling(false)} onSchedule={dispatch} />
    </>
  )
}
