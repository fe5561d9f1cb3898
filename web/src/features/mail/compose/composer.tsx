import { useQuery } from '@tanstack/react-query'
import {
  BellRing,
  CalendarClock,
  CircleAlert,
  GitMerge,
  NotepadTextDashed,
  Send,
  Trash2,
  Type,
  X,
} from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useMemo, useRef, useState } from 'react'
import * as mailTexts from '#locale/mail'
import * as t from '#locale/mail-compose'
import * as later from '#locale/mail-later'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { Button, IconButton, LinkButton } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Notice, Skeleton } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { listFollowUpPresets, listSendPresets } from '../later/presets.ts'
import { TimePopover } from '../later/time-popover.tsx'
import type { MailNavigation } from '../url-state.ts'
import { AttachButton, AttachedFiles, SizeLine } from './attachments.tsx'
import { BodyField } from './body-field.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { listIdentities, type MailAccount, prepareSeed, type Seed } from './seeds.ts'
import { TemplatePopover } from './templates/template-popover.tsx'
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
    <IconButton icon={X} label={t.saveAndClose} title={t.saveAndClose} onClick={onClose} />
  </header>
)

const ComposerNotices = ({ composer: { accounts, draft, errorMessage } }: PartProps) => (
  <>
    {accounts.length === 0 && (
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
      {draft.state === 'failed' && draft.saveError !== null && (
        <Notice tone="warn" icon={CircleAlert}>
          {t.couldNotSaveBecause(draft.saveError)}
        </Notice>
      )}
      {errorMessage !== null && (
        <Notice tone="bad" icon={CircleAlert}>
          {errorMessage}
        </Notice>
      )}
    </div>
  </>
)

const SenderField = ({ composer: { accounts, sender, chooseSender } }: PartProps) => {
  const id = useId()
  const choices = accounts.flatMap((account) =>
    listIdentities(account).map((identity) => ({ accountId: account.id, ...identity })),
  )
  if (choices.length < 2) return null
  return (
    <div className="composer-line">
      <label htmlFor={id}>{t.from}</label>
      <select
        id={id}
        className="input"
        value={choices.findIndex(
          (each) => each.accountId === sender?.accountId && each.address === sender.address,
        )}
        onChange={(event) => {
          const chosen = choices[Number(event.target.value)]
          if (chosen) chooseSender(chosen.accountId, chosen.address)
        }}
      >
        {choices.map(({ accountId, name, address }, index) => (
          <option key={`${accountId} ${address}`} value={index}>
            {name ? `${name} <${address}>` : address}
          </option>
        ))}
      </select>
    </div>
  )
}

const RecipientsFields = ({ composer, autoFocus }: PartProps & { autoFocus: boolean }) => {
  const { draft, isRecipientMissing, forgetMissingRecipient } = composer
  const { to, cc, bcc } = draft.fields
  const [showsCc, setShowsCc] = useState(cc.length > 0)
  const [showsBcc, setShowsBcc] = useState(bcc.length > 0)
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
        {!showsCc && (
          <Button kind="quiet" size="small" onClick={() => setShowsCc(true)}>
            {t.cc}
          </Button>
        )}
        {!showsBcc && (
          <Button kind="quiet" size="small" onClick={() => setShowsBcc(true)}>
            {t.bcc}
          </Button>
        )}
      </div>
      {showsCc && (
        <RecipientsField
          label={t.cc}
          people={cc}
          onChange={(people) => draft.change({ cc: people })}
          autoFocus={cc.length === 0}
        />
      )}
      {showsBcc && (
        <RecipientsField
          label={t.bcc}
          people={bcc}
          onChange={(people) => draft.change({ bcc: people })}
          autoFocus={bcc.length === 0}
        />
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
  templateButton: RefObject<HTMLButtonElement | null>
  onSchedule: () => void
  followUpButton: RefObject<HTMLButtonElement | null>
  onFollowUp: () => void
  onTemplates: () => void
  onPlainText: () => void
}

const ComposerFoot = (props: ComposerFootProps) => {
  const { composer, scheduleButton, templateButton } = props
  const { account, isUploading, isSending, isReady, isTooLarge, isPlainText, addFiles, discard } = composer
  const isBlocked = !account || isUploading || isTooLarge
  return (
    <footer className="composer-foot">
      <div className="composer-buttons">
        <Button type="submit" kind="primary" busy={isSending} disabled={isBlocked}>
          {!isSending && <Send size={16} aria-hidden="true" />}
          {t.send}
        </Button>
        <Button
          ref={scheduleButton}
          aria-label={t.sendLater}
          disabled={isBlocked || isSending}
          onClick={() => {
            if (isReady()) props.onSchedule()
          }}
        >
          <CalendarClock size={16} aria-hidden="true" />
          <span className="composer-label">{t.sendLater}</span>
        </Button>
        <Button
          ref={props.followUpButton}
          kind="quiet"
          shape="icon"
          aria-label={later.remindMe}
          title={later.remindMe}
          aria-pressed={composer.followUpAt !== null}
          onClick={props.onFollowUp}
        >
          <BellRing size={18} aria-hidden="true" />
        </Button>
        <AttachButton busy={isUploading} onFiles={addFiles} />
        <Button
          ref={templateButton}
          kind="quiet"
          shape="icon"
          aria-label={t.templates}
          title={t.templates}
          onClick={props.onTemplates}
        >
          <NotepadTextDashed size={18} aria-hidden="true" />
        </Button>
        <Button
          kind="quiet"
          shape="icon"
          aria-label={t.plainText}
          title={t.plainText}
          aria-pressed={isPlainText}
          onClick={props.onPlainText}
        >
          <Type size={18} aria-hidden="true" />
        </Button>
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
      </div>
    </footer>
  )
}

/** The time by which an answer is expected. */
const FollowUpLine = ({ composer: { followUpAt, setFollowUpAt } }: PartProps) => {
  const { dateTime } = useDates()
  if (followUpAt === null) return null
  return (
    <p className="composer-follow-up">
      <BellRing size={15} aria-hidden="true" />
      {later.remindedAt(dateTime(followUpAt))}
      <IconButton
        icon={X}
        iconSize={15}
        label={later.removeReminder}
        title={later.removeReminder}
        onClick={() => setFollowUpAt(null)}
      />
    </p>
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

const PreparedComposer = (props: ComposerProps & { accounts: readonly MailAccount[] }) => {
  const { title, notice, accounts, onSaved, onDone, navigation } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: typed text is newer than changed accounts
  const seed = useMemo(() => prepareSeed(props.seed, accounts), [])
  const composer = useComposer({ seed, accounts, onSaved, onDone, navigation })
  const { draft, addFiles, send } = composer
  const { fields } = draft
  const [isScheduling, setIsScheduling] = useState(false)
  const [isFollowingUp, setIsFollowingUp] = useState(false)
  const followUpButton = useRef<HTMLButtonElement>(null)
  const [templatesOpen, setTemplatesOpen] = useState<'button' | 'slash' | null>(null)
  const [asksForPlainText, setAsksForPlainText] = useState(false)
  const [isDragging, setIsDragging] = useState(false)
  const scheduleButton = useRef<HTMLButtonElement>(null)
  const templateButton = useRef<HTMLButtonElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const isAnswer = fields.to.length > 0 && !seed.saved
  const files = fields.attachments.filter(({ id }) => fields.html === null || !fields.inlineIds.includes(id))

  const togglePlainText = (): void => {
    if (!composer.isPlainText && composer.losesFormatting()) setAsksForPlainText(true)
    else composer.setPlainText(!composer.isPlainText)
  }
  const insertText = (inserted: string): void => {
    const at = area.current?.selectionStart ?? 0
    draft.edit(({ text }) => ({ text: `${text.slice(0, at)}${inserted}${text.slice(at)}` }))
    area.current?.focus()
  }
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
        data-dragging={isDragging || undefined}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
        onKeyDown={onKeyDown}
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragging([...event.dataTransfer.items].some(({ kind }) => kind === 'file'))
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsDragging(false)
        }}
        onDropCapture={() => setIsDragging(false)}
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
        <BodyField
          composer={composer}
          focuses={isAnswer}
          area={area}
          onSlash={() => setTemplatesOpen('slash')}
        />
        <AttachedFiles
          attachments={files}
          onRemove={(gone) =>
            draft.edit(({ attachments }) => ({
              attachments: attachments.filter(({ id }) => id !== gone.id),
            }))
          }
        />
        {composer.account && (
          <SizeLine
            fields={fields}
            maxMessageBytes={composer.account.maxMessageBytes}
            isTooLarge={composer.isTooLarge}
          />
        )}
        <FollowUpLine composer={composer} />
        <ComposerFoot
          composer={composer}
          followUpButton={followUpButton}
          onFollowUp={() => setIsFollowingUp(true)}
          scheduleButton={scheduleButton}
          templateButton={templateButton}
          onSchedule={() => setIsScheduling(true)}
          onTemplates={() => setTemplatesOpen('button')}
          onPlainText={togglePlainText}
        />
      </form>
      {/* Outside the form, because React bubbles the submit event of the popover to a parent form. */}
      <TimePopover
        open={isScheduling}
        anchor={scheduleButton}
        title={t.sendLater}
        about={t.scheduleAbout}
        action={t.schedule}
        listPresets={listSendPresets}
        onClose={() => setIsScheduling(false)}
        onChoose={composer.schedule}
      />
      <TimePopover
        open={isFollowingUp}
        anchor={followUpButton}
        title={later.remindMe}
        about={later.remindAbout}
        action={later.remind}
        listPresets={listFollowUpPresets}
        onClose={() => setIsFollowingUp(false)}
        onChoose={composer.setFollowUpAt}
      />
      <TemplatePopover
        composer={composer}
        open={templatesOpen}
        anchor={templateButton}
        onClose={() => setTemplatesOpen(null)}
        insertText={insertText}
      />
      <FormDialog
        open={asksForPlainText}
        onClose={() => setAsksForPlainText(false)}
        alert
        title={t.plainTextTitle}
        about={t.plainTextAbout}
        action={t.removeFormatting}
        onSubmit={() => {
          composer.setPlainText(true)
          setAsksForPlainText(false)
        }}
      />
    </>
  )
}

/** Waits for the accounts, because sender, signature and format depend on them. */
export const Composer = (props: ComposerProps) => {
  const accounts = useQuery(mailAccountsQuery(useClient()))
  if (accounts.isPending && accounts.fetchStatus !== 'paused')
    return (
      <div className="composer">
        <Skeleton lines={6} />
      </div>
    )
  return <PreparedComposer {...props} accounts={accounts.data ?? NO_ACCOUNTS} />
}

const NO_ACCOUNTS: readonly MailAccount[] = []
