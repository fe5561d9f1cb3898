import { CalendarClock, CircleAlert, GitMerge, Send, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import * as mailTexts from '#locale/mail'
import * as t from '#locale/mail-compose'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { MailNavigation } from '../url-state.ts'
import { AttachButton, AttachedFiles } from './attachments.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { SchedulePopover } from './schedule-popover.tsx'
import type { Seed } from './seeds.ts'
import { type ComposerState, useComposer } from './use-composer.ts'
import './compose.css'

interface PartProps {
  composer: ComposerState
}

const ComposerHead = ({ composer, title, onClose }: PartProps & { title: string; onClose: () => void }) => (
  <header className="composer-head">
    <h2>{title}</h2>
    <span className="quiet small" role="status">
      {t.saveStates[composer.draft.state]}
    </span>
    <Button
      kind="quiet"
      shape="icon"
      size="small"
      aria-label={t.saveAndClose}
      title={t.saveAndClose}
      onClick={onClose}
    >
      <X size={17} aria-hidden="true" />
    </Button>
  </header>
)

const ComposerNotices = ({ composer: { accounts, draft, errorMessage } }: PartProps) => (
  <>
    {accounts?.length === 0 && (
      <Notice tone="warn" icon={CircleAlert}>
        <p>{t.noAccount}</p>
        <LinkButton size="small" href="/settings/mail-accounts">
          {mailTexts.addAccount}
        </LinkButton>
      </Notice>
    )}
    {draft.state === 'elsewhere' && (
      <div role="alert">
        <Notice tone="warn" icon={GitMerge}>
          <p>{t.changedElsewhere}</p>
          <Button size="small" onClick={() => void draft.saveMine()}>
            {t.saveMyVersion}
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
  </>
)

const SenderField = ({ composer: { accounts, account, chooseAccount } }: PartProps) => {
  const id = useId()
  if (!accounts || accounts.length < 2) return null
  return (
    <div className="composer-line">
      <label htmlFor={id}>{t.from}</label>
      <select
        id={id}
        className="input"
        value={account?.id}
        onChange={(event) => chooseAccount(event.target.value)}
      >
        {accounts.map((each) => (
          <option key={each.id} value={each.id}>
            {each.senderName ? `${each.senderName} <${each.address}>` : each.address}
          </option>
        ))}
      </select>
    </div>
  )
}

const RecipientsFields = ({ composer, autoFocus }: PartProps & { autoFocus: boolean }) => {
  const { draft, isRecipientMissing, forgetMissingRecipient } = composer
  const { to, cc, bcc } = draft.fields
  const [showsCopies, setShowsCopies] = useState(cc.length + bcc.length > 0)
  return (
    <>
      <div className="composer-to">
        <RecipientsField
          label={t.to}
          people={to}
          onChange={(people) => {
            forgetMissingRecipient()
            draft.change({ to: people })
          }}
          autoFocus={autoFocus}
          error={isRecipientMissing ? t.recipientRequired : undefined}
        />
        {!showsCopies && (
          <Button kind="quiet" size="small" onClick={() => setShowsCopies(true)}>
            {t.ccBcc}
          </Button>
        )}
      </div>
      {showsCopies && (
        <>
          <RecipientsField label={t.cc} people={cc} onChange={(people) => draft.change({ cc: people })} />
          <RecipientsField label={t.bcc} people={bcc} onChange={(people) => draft.change({ bcc: people })} />
        </>
      )}
    </>
  )
}

const SubjectField = ({ composer: { draft } }: PartProps) => {
  const id = useId()
  return (
    <div className="composer-line">
      <label htmlFor={id}>{t.subject}</label>
      <input
        id={id}
        className="input"
        maxLength={2000}
        autoComplete="off"
        value={draft.fields.subject}
        onChange={(event) => draft.change({ subject: event.target.value })}
      />
    </div>
  )
}

interface ComposerFootProps extends PartProps {
  scheduleButton: RefObject<HTMLButtonElement | null>
  onSchedule: () => void
}

const ComposerFoot = ({ composer, scheduleButton, onSchedule }: ComposerFootProps) => {
  const { account, isUploading, isSending, isReady, addFiles, discard } = composer
  return (
    <footer className="composer-foot">
      <Button type="submit" kind="primary" busy={isSending} disabled={!account || isUploading}>
        {!isSending && <Send size={16} aria-hidden="true" />}
        {t.send}
      </Button>
      <Button
        ref={scheduleButton}
        disabled={!account || isUploading || isSending}
        onClick={() => {
          if (isReady()) onSchedule()
        }}
      >
        <CalendarClock size={16} aria-hidden="true" />
        {t.sendLater}
      </Button>
      <AttachButton busy={isUploading} onFiles={addFiles} />
      <span className="composer-gap" />
      <Button
        kind="quiet"
        shape="icon"
        aria-label={t.discardDraft}
        title={t.discardDraft}
        onClick={() => void discard()}
      >
        <Trash2 size={18} aria-hidden="true" />
      </Button>
    </footer>
  )
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

export const Composer = ({ seed, title, notice, onSaved, onDone, navigation }: ComposerProps) => {
  const composer = useComposer({ seed, onSaved, onDone, navigation })
  const { draft, addFiles, send } = composer
  const [isScheduling, setIsScheduling] = useState(false)
  const scheduleButton = useRef<HTMLButtonElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const isAnswer = draft.fields.to.length > 0 && !seed.saved

  // Puts the cursor above the quoted text of a reply.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    if (!isAnswer) return
    text.current?.focus({ preventScroll: true })
    text.current?.setSelectionRange(0, 0)
  }, [])

  /** The keys of a dialog: Ctrl+Enter sends, Escape closes. The draft is saved when the composer closes. */
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    }
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      onDone()
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
          void send()
        }}
        onKeyDown={onKeyDown}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          addFiles([...event.dataTransfer.files])
        }}
      >
        <ComposerHead composer={composer} title={title} onClose={onDone} />
        {notice}
        <ComposerNotices composer={composer} />
        <SenderField composer={composer} />
        <RecipientsFields composer={composer} autoFocus={!isAnswer} />
        <SubjectField composer={composer} />
        <textarea
          ref={text}
          className="input composer-text"
          aria-label={t.text}
          dir="auto"
          rows={12}
          maxLength={1_000_000}
          value={draft.fields.text}
          onChange={(event) => draft.change({ text: event.target.value })}
        />
        <AttachedFiles
          attachments={draft.fields.attachments}
          onRemove={(gone) =>
            draft.edit(({ attachments }) => ({
              attachments: attachments.filter(({ id }) => id !== gone.id),
            }))
          }
        />
        <ComposerFoot
          composer={composer}
          scheduleButton={scheduleButton}
          onSchedule={() => setIsScheduling(true)}
        />
      </form>
      {/* Outside the form, because React bubbles the submit event of the popover to a parent form. */}
      <SchedulePopover
        open={isScheduling}
        anchor={scheduleButton}
        onClose={() => setIsScheduling(false)}
        onSchedule={composer.schedule}
      />
    </>
  )
}
