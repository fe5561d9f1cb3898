import { useQuery } from '@tanstack/react-query'
import {
  AlarmClock,
  Archive,
  ArrowLeft,
  FilePen,
  Forward,
  Inbox,
  type LucideIcon,
  Mail,
  MailOpen,
  MailX,
  OctagonAlert,
  PenLine,
  Pin,
  PinOff,
  Printer,
  Reply,
  ReplyAll,
  Star,
  Trash2,
} from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import * as t from '#locale/mail'
import * as folderTexts from '#locale/mail-folders'
import * as later from '#locale/mail-later'
import * as common from '#locale/shared-texts'
import { usePreferences } from '../../../api/account.ts'
import { unwrapFile } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { isMissing } from '../../../api/problem.ts'
import { useCommands } from '../../../shell/commands.ts'
import { usePageSubject } from '../../../shell/page-subject.ts'
import { useKeys } from '../../../shell/shortcuts.ts'
import { useStartAction } from '../../../shell/start-action.ts'
import { openField } from '../../../shell/type-ahead.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useDates } from '../../../ui/time.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { Composer } from '../compose/composer.tsx'
import { DraftEditor } from '../compose/draft-editor.tsx'
import { type AnswerKind, answerTo, forwardOf, listIdentities } from '../compose/seeds.ts'
import { useCancelSend } from '../compose/use-send.ts'
import { useUnsentActions } from '../compose/use-unsent-actions.ts'
import type { MailFolder } from '../folder-list.ts'
import { type Email, isPutAway, nameOf, subjectOf } from '../folders.ts'
import { FollowUpNotice } from '../later/follow-up-notice.tsx'
import { MoveToPopover } from '../move-to-popover.tsx'
import { useQuote } from '../quote-link.ts'
import type { MailNavigation } from '../url-state.ts'
import { type EmailActions, usePendingEmailDeletions } from '../use-email-actions.ts'
import { useThread } from '../use-emails.ts'
import { DeliveryNotice } from './delivery-notice.tsx'
import { isFromOthers } from './insight/use-insight.ts'
import { Message, type MessageHandlers } from './message.tsx'
import { TagsEdit } from './tags-edit.tsx'
import { useReplyDraft } from './use-reply-draft.ts'
import { useSearchMarks } from './use-search-marks.ts'
import './reading.css'

/** Shown for the address of a deleted email. */
const EmailNotFound = ({ navigation }: { navigation: MailNavigation }) => (
  <div className="mail-nothing">
    <Empty icon={MailX} title={t.emailNotFound}>
      <p>{t.emailNotFoundAbout}</p>
      <Button onClick={() => navigation.go({ open: null }, { replace: true })}>
        {t.backToFolder(t.folders[navigation.urlState.folder])}
      </Button>
    </Empty>
  </div>
)

const isDraft = ({ folder, delivery }: Email): boolean => folder === 'drafts' && delivery?.status !== 'queued'

/** Some actions are in a menu there. */
const NARROW = '(max-width: 520px)'

interface BarProps {
  email: Email
  actions: EmailActions
  onBack: () => void
  onArchive: () => void
  onDelete: () => void
  onMove: (folder: MailFolder) => void
  onSpam: () => void
  onSnooze: () => void
  onPin: () => void
}

interface BarButtonProps {
  label: string
  icon: LucideIcon
  onClick: () => void
}

const BarButton = ({ label, icon: Icon, onClick }: BarButtonProps) => (
  <IconButton icon={Icon} label={label} title={label} onClick={onClick} />
)

const Bar = (props: BarProps) => {
  const { email, actions, onBack, onArchive, onDelete, onMove, onSpam, onSnooze, onPin } = props
  const isNarrow = useMediaQuery(NARROW)
  const others = [
    {
      label: email.folder === 'junk' ? folderTexts.notSpam : folderTexts.spam,
      icon: OctagonAlert,
      onSelect: onSpam,
    },
    {
      label: email.read ? t.markUnread : t.markRead,
      icon: email.read ? Mail : MailOpen,
      onSelect: () => void actions.emails.markRead([email], !email.read),
    },
    {
      label: email.pinned ? later.unpin : later.pin,
      icon: email.pinned ? PinOff : Pin,
      onSelect: onPin,
    },
    { label: t.print, icon: Printer, onSelect: () => window.print() },
  ]
  return (
    <div className="thread-bar" role="toolbar" aria-label={t.emailActions}>
      <Button kind="quiet" size="small" onClick={onBack}>
        <ArrowLeft size={16} aria-hidden="true" />
        {t.back}
      </Button>
      <span className="thread-actions">
        <BarButton
          label={isPutAway(email) ? t.moveToInbox : t.archive}
          icon={isPutAway(email) ? Inbox : Archive}
          onClick={onArchive}
        />
        <BarButton
          label={email.snoozedUntil === null ? later.snooze : later.unsnooze}
          icon={AlarmClock}
          onClick={onSnooze}
        />
        <MoveToPopover emails={[email]} onMove={onMove} />
        <BarButton label={common.remove} icon={Trash2} onClick={onDelete} />
        {!isNarrow &&
          others.map(({ label, icon, onSelect }) => (
            <BarButton key={label} label={label} icon={icon} onClick={onSelect} />
          ))}
        <button
          type="button"
          className="mail-star"
          aria-pressed={email.starred}
          aria-label={t.star}
          title={t.star}
          onClick={() => void actions.emails.star(email, !email.starred)}
        >
          <Star size={17} aria-hidden="true" />
        </button>
        {isNarrow && <RowMenu label={t.moreEmailActions} actions={others} />}
      </span>
    </div>
  )
}

interface ThreadProps {
  emails: readonly Email[]
  id: number
  navigation: MailNavigation
  actions: EmailActions
  /** The thread opened because the one before it was removed. It is marked as read after a moment. */
  isAutoOpened: boolean
  /** Actions on the whole thread. */
  onArchive: () => void
  onDelete: () => void
  onMove: (folder: MailFolder) => void
  onSpam: () => void
  onSnooze: () => void
  onPin: () => void
}

interface Answering {
  kind: AnswerKind
  email: Email
  /** Text to insert above the quote. */
  words?: string
}

/** First content of the answer, or null while none is written or its data is loading. */
const useAnswerSeed = (answering: Answering | null) => {
  const accounts = useQuery(mailAccountsQuery(useClient()))
  const preferences = usePreferences()
  const { dateTime } = useDates()
  // A reply excludes the user's own addresses, and quotes the date in the time zone of the account.
  const isPending = accounts.isPending || preferences.isPending
  // biome-ignore lint/correctness/useExhaustiveDependencies: the composer must not restart while the user writes
  return useMemo(() => {
    if (!answering || isPending) return null
    const { kind, email, words = '' } = answering
    if (kind === 'forward') return forwardOf(email, dateTime)
    const own = (accounts.data ?? []).flatMap(listIdentities)
    return { ...answerTo({ email, kind, own, formatDate: dateTime }), words }
  }, [answering, isPending])
}

/** Downloads the original message. */
const useSaveRaw = () => {
  const client = useClient()
  const attempt = useAttempt()
  return (email: Email) =>
    attempt(async () => {
      const call = client.GET('/api/emails/{id}/raw', { params: { path: { id: email.id } }, parseAs: 'blob' })
      saveFile(await unwrapFile(call), `${subjectOf(email).replace(/[^\p{L}\p{N} _-]+/gu, '_')}.eml`)
    })
}

const DraftLine = ({ snippet, onContinue }: { snippet: string; onContinue: () => void }) => (
  <div className="message draft-line">
    <FilePen size={17} aria-hidden="true" />
    <span>
      <strong>{t.draft}</strong> <span className="quiet">{snippet}</span>
    </span>
    <Button size="small" onClick={onContinue}>
      {t.continueDraft}
    </Button>
  </div>
)

const hasSeveralRecipients = ({ to, cc }: Email): boolean => to.length + cc.length > 1

interface AnswerButtonsProps {
  email: Email
  isDrafting: boolean
  onAnswer: (kind: Answering['kind']) => void
  onDraft: () => void
}

const AnswerButtons = ({ email, isDrafting, onAnswer, onDraft }: AnswerButtonsProps) => (
  <div className="thread-reply">
    <Button onClick={() => onAnswer('reply')}>
      <Reply size={16} aria-hidden="true" />
      {t.reply}
    </Button>
    {hasSeveralRecipients(email) && (
      <Button onClick={() => onAnswer('all')}>
        <ReplyAll size={16} aria-hidden="true" />
        {t.replyAll}
      </Button>
    )}
    <Button onClick={() => onAnswer('forward')}>
      <Forward size={16} aria-hidden="true" />
      {t.forward}
    </Button>
    {isFromOthers(email) && (
      <Button busy={isDrafting} onClick={onDraft}>
        <PenLine size={16} aria-hidden="true" />
        {t.draftReply}
      </Button>
    )}
  </div>
)

/** Adds the answers to the command palette. */
const useAnswerCommands = (
  email: Email | undefined,
  answer: (kind: AnswerKind, email: Email) => void,
): void =>
  useCommands(() => {
    if (!email) return []
    const run = (kind: AnswerKind) => () => answer(kind, email)
    const all = { id: 'mail.reply-all', label: t.replyAll, icon: ReplyAll, keys: ['a'], run: run('all') }
    return [
      {
        title: subjectOf(email),
        commands: [
          { id: 'mail.reply', label: t.reply, icon: Reply, keys: ['r'], run: run('reply') },
          ...(hasSeveralRecipients(email) ? [all] : []),
          { id: 'mail.forward', label: t.forward, icon: Forward, keys: ['f'], run: run('forward') },
        ],
      },
    ]
  })

/** Long enough to press the key for the next thread. */
const AUTO_READ_MS = 2_000

const Thread = (props: ThreadProps) => {
  const { emails, id, navigation, actions, isAutoOpened, onArchive, onDelete, onMove, onSpam } = props
  const { onSnooze, onPin } = props
  const saveRaw = useSaveRaw()
  const revert = useCancelSend(navigation)
  const unsent = useUnsentActions()
  const heading = useRef<HTMLHeadingElement>(null)
  const opened = emails.find((email) => email.id === id) ?? emails.at(-1)
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(
    () => new Set(emails.filter((email) => !email.read || email.id === id).map((email) => email.id)),
  )
  const [answering, setAnswering] = useState<Answering | null>(null)
  const [answerId, setAnswerId] = useState<number | null>(null)
  /** The only email to print; null prints all expanded emails. */
  const [printedId, setPrintedId] = useState<number | null>(null)
  const section = useRef<HTMLElement>(null)
  const composer = useRef<HTMLDivElement>(null)

  // Opening an email marks it as read. `u` marks it unread again, and it stays unread.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the thread opens
  useEffect(() => {
    const unread = emails.filter((email) => !email.read && expanded.has(email.id))
    const markRead = () => void actions.emails.markRead(unread, true)
    const timer = isAutoOpened ? setTimeout(markRead, AUTO_READ_MS) : undefined
    if (!isAutoOpened) markRead()
    heading.current?.focus({ preventScroll: true })
    // Scrolls to the subject, then as far as necessary to show the opened message.
    section.current?.scrollIntoView({ block: 'start' })
    if (emails[0]?.id !== id) document.getElementById(`message-${id}`)?.scrollIntoView({ block: 'nearest' })
    return () => clearTimeout(timer)
  }, [])
  useSearchMarks(section, { q: navigation.urlState.q, quote: useQuote() })

  const toggle = (email: Email) => {
    const isOpen = expanded.has(email.id)
    setExpanded((before) => {
      const after = new Set(before)
      isOpen ? after.delete(email.id) : after.add(email.id)
      return after
    })
    if (!isOpen && !email.read) void actions.emails.markRead([email], true)
  }
  const answer = (kind: Answering['kind'], email: Email, words = '') => {
    setAnswerId(null)
    setAnswering({ kind, email, words })
  }
  const drafting = useReplyDraft((email, words) => answer('reply', email, words))
  const last = [...emails].reverse().find((email) => !isDraft(email) && email.id !== answerId)
  const target = opened && !isDraft(opened) ? opened : last
  const answerByKey = (kind: Answering['kind']) => {
    if (target && !answering) openField(() => answer(kind, target), close)
    else if (target) answer(kind, target)
  }
  useKeys({
    r: () => answerByKey('reply'),
    a: () => answerByKey('all'),
    f: () => answerByKey('forward'),
  })
  useStartAction('reply', () => target && answer('reply', target))
  usePageSubject(target ? { type: 'email', id: target.id, title: subjectOf(target) } : null)
  useAnswerCommands(target, answer)
  const seed = useAnswerSeed(answering)
  useEffect(() => {
    if (seed) composer.current?.scrollIntoView({ block: 'nearest' })
  }, [seed])

  const print = (email: Email) => {
    flushSync(() => setPrintedId(email.id))
    window.print()
    setPrintedId(null)
  }
  /** Deletes one email. The last one of the thread leaves with it. */
  const removeEmail = (email: Email) => {
    const rest = emails.filter((other) => other.id !== email.id && !isDraft(other))
    if (rest.length === 0) {
      onDelete()
      return
    }
    if (email.id === id) navigation.go({ open: rest.at(-1)?.id ?? null }, { replace: true })
    if (email.folder === 'trash') actions.emails.remove(email)
    else void actions.emails.toTrash(email)
  }
  const handlers: MessageHandlers = {
    reply: (email) => answer('reply', email),
    replyAll: (email) => answer('all', email),
    forward: (email) => answer('forward', email),
    markUnread: (email) => void actions.emails.markRead([email], false),
    remove: (email) => removeEmail(email),
    print,
    saveRaw: (email) => void saveRaw(email),
  }
  const close = () => {
    setAnswering(null)
    setAnswerId(null)
    heading.current?.focus({ preventScroll: true })
  }
  if (!opened) return null
  return (
    <section ref={section} className="thread" aria-labelledby="thread-subject">
      <Bar
        email={opened}
        actions={actions}
        onBack={() => navigation.go({ open: null })}
        onArchive={onArchive}
        onDelete={onDelete}
        onMove={onMove}
        onSpam={onSpam}
        onSnooze={onSnooze}
        onPin={onPin}
      />
      <div className="thread-head">
        <h2 ref={heading} id="thread-subject" tabIndex={-1} title={subjectOf(opened)}>
          {subjectOf(opened)}
        </h2>
        <TagsEdit
          email={opened}
          actions={actions}
          onTag={(tag) => navigation.go({ tag, q: '', open: null })}
        />
      </div>
      {emails
        .filter((email) => email.id !== answerId)
        .map((email) => {
          if (isDraft(email) && email.id === id)
            return (
              <DraftEditor
                key={email.id}
                id={email.id}
                notice={<DeliveryNotice email={email} handlers={unsent} onCancelSend={() => {}} />}
                onDone={() => navigation.go({ open: null })}
                navigation={navigation}
              />
            )
          if (isDraft(email))
            return (
              <DraftLine
                key={email.id}
                snippet={email.snippet}
                onContinue={() => navigation.enter('drafts', email.id)}
              />
            )
          return (
            <div key={email.id} id={`message-${email.id}`}>
              <Message
                email={email}
                isOpen={expanded.has(email.id)}
                isPrinted={printedId === null ? expanded.has(email.id) : printedId === email.id}
                onToggle={() => toggle(email)}
                handlers={handlers}
                notice={
                  <>
                    <DeliveryNotice
                      email={email}
                      handlers={unsent}
                      onCancelSend={() => void revert(email.id)}
                    />
                    <FollowUpNotice
                      email={email}
                      isLast={email.id === last?.id}
                      onChange={(at) => void actions.emails.followUp(email, at)}
                    />
                  </>
                }
              />
            </div>
          )
        })}
      {answering && seed && (
        <div ref={composer}>
          <Composer
            key={`${answering.kind}-${answering.email.id}`}
            seed={seed}
            title={answering.kind === 'forward' ? t.forward : t.replyToSender(nameOf(answering.email.from))}
            onSaved={setAnswerId}
            onDone={close}
            navigation={navigation}
          />
        </div>
      )}
      {!answering && target && (
        <AnswerButtons
          email={target}
          isDrafting={drafting.isBusy}
          onAnswer={(kind) => answer(kind, target)}
          onDraft={() => void drafting.begin(target)}
        />
      )}
      <p className="visually-hidden">{t.inFolder(t.folders[opened.folder])}</p>
    </section>
  )
}

/** Discarded drafts and deleted replies are in a thread only if one of them was opened. */
const withoutTrash = (emails: readonly Email[], openId: number): readonly Email[] => {
  const isTrash = ({ folder }: Email): boolean => folder === 'trash'
  const opened = emails.find(({ id }) => id === openId)
  return opened && isTrash(opened) ? emails : emails.filter((email) => !isTrash(email))
}

/** A thread, oldest message first, with the opened message expanded. */
export const ThreadView = (props: Omit<ThreadProps, 'emails'>) => {
  const query = useThread(props.id)
  const gone = usePendingEmailDeletions()
  if (isMissing(query.error)) return <EmailNotFound navigation={props.navigation} />
  return (
    <LoadedList
      query={query}
      itemsOf={({ emails }) =>
        withoutTrash(
          emails.filter((email) => !gone.has(email.id)),
          props.id,
        )
      }
      empty={null}
    >
      {(emails) => <Thread {...props} emails={emails} />}
    </LoadedList>
  )
}
