import { useQuery } from '@tanstack/react-query'
import {
  Archive,
  ArrowLeft,
  FilePen,
  Forward,
  Inbox,
  Mail,
  MailOpen,
  MailX,
  PenLine,
  Plus,
  Reply,
  ReplyAll,
  Star,
  Trash2,
  X,
} from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { describeError, isMissing } from '../../../api/problem.ts'
import { useTags } from '../../../api/tags.ts'
import { useKeys } from '../../../shell/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { Composer } from '../compose/composer.tsx'
import { DraftEditor } from '../compose/draft-editor.tsx'
import { type AnswerKind, answerTo, forwardOf } from '../compose/seeds.ts'
import { useCancelSend } from '../compose/use-send.ts'
import { useUnsentActions } from '../compose/use-unsent-actions.ts'
import { type Email, type EmailSummary, labelOf, nameOf, subjectOf } from '../folders.ts'
import type { MailNavigation } from '../url-state.ts'
import { type EmailActions, usePendingEmailDeletions } from '../use-email-actions.ts'
import { useThread } from '../use-emails.ts'
import { DeliveryNotice } from './delivery-notice.tsx'
import { isFromOthers } from './insight/use-insight.ts'
import { Message, type MessageHandlers } from './message.tsx'
import { useReplyDraft } from './use-reply-draft.ts'
import './reading.css'

interface TagsEditProps {
  email: EmailSummary
  actions: EmailActions
  onTag: (tag: string) => void
}

/** Tags of an email. Each links to all emails with the tag and can be removed. */
const TagsEdit = ({ email, actions, onTag }: TagsEditProps) => {
  const [isAdding, setIsAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const suggestions = useId()
  const known = useTags()
  const { tags } = email
  const close = () => {
    setIsAdding(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  const add = (typed: string) => {
    const tag = typed.trim().replace(/^#/, '')
    const isNew = tag !== '' && !tags.some((known) => known.toLowerCase() === tag.toLowerCase())
    if (isNew) void actions.setTags(email, [...tags, tag])
  }
  return (
    <div className="tags-edit">
      {tags.map((tag) => (
        <span key={tag} className="tag" data-tone="accent">
          <button type="button" className="tag-word" onClick={() => onTag(tag)}>
            <span className="only-heard">Show e-mails tagged </span>#{tag}
          </button>
          <button
            type="button"
            className="tag-off"
            aria-label={`Remove the tag ${tag}`}
            onClick={() =>
              void actions.setTags(
                email,
                tags.filter((each) => each !== tag),
              )
            }
          >
            <X size={13} aria-hidden="true" />
          </button>
        </span>
      ))}
      {isAdding ? (
        <input
          className="input tag-input"
          list={suggestions}
          aria-label="New tag"
          placeholder="Tag"
          maxLength={50}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
          autoFocus
          onKeyDown={(event) => {
            if (event.key === 'Escape') close()
            if (event.key !== 'Enter') return
            event.preventDefault()
            add(event.currentTarget.value)
            close()
          }}
          onBlur={(event) => {
            add(event.currentTarget.value)
            setIsAdding(false)
          }}
        />
      ) : (
        <button ref={button} type="button" className="tag tag-add" onClick={() => setIsAdding(true)}>
          <Plus size={13} aria-hidden="true" />
          Tag
        </button>
      )}
      <datalist id={suggestions}>
        {known
          .filter((tag) => !tags.some((own) => own.toLowerCase() === tag.toLowerCase()))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </div>
  )
}

/** Shown for the address of a deleted email. */
const EmailNotFound = ({ navigation }: { navigation: MailNavigation }) => (
  <div className="mail-nothing">
    <Empty icon={MailX} title="There is no such e-mail">
      <p>It may have been deleted permanently, here or in another app.</p>
      <Button onClick={() => navigation.go({ open: null }, { replace: true })}>
        Back to {labelOf(navigation.urlState.folder)}
      </Button>
    </Empty>
  </div>
)

const isDraft = ({ folder, delivery }: Email): boolean => folder === 'drafts' && delivery?.status !== 'queued'

interface BarProps {
  email: Email
  actions: EmailActions
  onBack: () => void
  onArchive: () => void
  onDelete: () => void
}

const Bar = ({ email, actions, onBack, onArchive, onDelete }: BarProps) => {
  const isAway = email.folder === 'archive' || email.folder === 'trash'
  return (
    <div className="conversation-bar" role="toolbar" aria-label="This e-mail">
      <Button kind="quiet" size="small" onClick={onBack}>
        <ArrowLeft size={16} aria-hidden="true" />
        Back
      </Button>
      <span className="conversation-deeds">
        <Button
          kind="quiet"
          shape="icon"
          size="small"
          aria-label={isAway ? 'Move to the inbox' : 'Archive'}
          onClick={onArchive}
        >
          {isAway ? <Inbox size={17} aria-hidden="true" /> : <Archive size={17} aria-hidden="true" />}
        </Button>
        <Button kind="quiet" shape="icon" size="small" aria-label="Delete" onClick={onDelete}>
          <Trash2 size={17} aria-hidden="true" />
        </Button>
        <Button
          kind="quiet"
          shape="icon"
          size="small"
          aria-label={email.read ? 'Mark as unread' : 'Mark as read'}
          onClick={() => void actions.markRead([email], !email.read)}
        >
          {email.read ? <Mail size={17} aria-hidden="true" /> : <MailOpen size={17} aria-hidden="true" />}
        </Button>
        <button
          type="button"
          className="mail-star"
          aria-pressed={email.starred}
          aria-label="Star"
          onClick={() => void actions.star([email], !email.starred)}
        >
          <Star size={17} aria-hidden="true" />
        </button>
      </span>
    </div>
  )
}

interface ThreadProps {
  emails: readonly Email[]
  id: number
  navigation: MailNavigation
  actions: EmailActions
  onArchive: (email: EmailSummary) => void
  onDelete: (email: EmailSummary) => void
}

interface Answering {
  kind: AnswerKind
  email: Email
  /** Text to insert above the quote. */
  words?: string
}

/** First content of the answer, or null while none is written or the accounts are loading. */
const useAnswerSeed = (answering: Answering | null) => {
  const { data: accounts, isPending } = useQuery(mailAccountsQuery(useClient()))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the composer must not restart while the user writes
  return useMemo(() => {
    // Waits for the accounts, because a reply must exclude the user's own addresses.
    if (!answering || isPending) return null
    const { kind, email, words = '' } = answering
    if (kind === 'forward') return forwardOf(email)
    const own = (accounts ?? []).map(({ address }) => ({ name: '', address }))
    const replySeed = answerTo(email, kind, own)
    return { ...replySeed, fields: { ...replySeed.fields, text: words + replySeed.fields.text } }
  }, [answering, isPending])
}

/** Downloads the original message. */
const useSaveRaw = () => {
  const client = useClient()
  const notify = useNotify()
  return async (email: Email) => {
    try {
      const content = (await unwrap(
        client.GET('/api/emails/{id}/raw', { params: { path: { id: email.id } }, parseAs: 'blob' }),
      )) as unknown as Blob
      saveFile(content, `${subjectOf(email).replace(/[^\p{L}\p{N} _-]+/gu, '_')}.eml`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
}

const DraftLine = ({ snippet, onContinue }: { snippet: string; onContinue: () => void }) => (
  <div className="message draft-line">
    <FilePen size={17} aria-hidden="true" />
    <span>
      <strong>Draft</strong> <span className="quiet">{snippet}</span>
    </span>
    <Button size="small" onClick={onContinue}>
      Continue
    </Button>
  </div>
)

interface AnswerButtonsProps {
  email: Email
  isDrafting: boolean
  onAnswer: (kind: Answering['kind']) => void
  onDraft: () => void
}

const AnswerButtons = ({ email, isDrafting, onAnswer, onDraft }: AnswerButtonsProps) => (
  <div className="conversation-answer">
    <Button onClick={() => onAnswer('reply')}>
      <Reply size={16} aria-hidden="true" />
      Reply
    </Button>
    {email.to.length + email.cc.length > 1 && (
      <Button onClick={() => onAnswer('all')}>
        <ReplyAll size={16} aria-hidden="true" />
        Reply to all
      </Button>
    )}
    <Button onClick={() => onAnswer('forward')}>
      <Forward size={16} aria-hidden="true" />
      Forward
    </Button>
    {isFromOthers(email) && (
      <Button busy={isDrafting} onClick={onDraft}>
        <PenLine size={16} aria-hidden="true" />
        Draft a reply
      </Button>
    )}
  </div>
)

const Thread = ({ emails, id, navigation, actions, onArchive, onDelete }: ThreadProps) => {
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
  const section = useRef<HTMLElement>(null)
  const composer = useRef<HTMLDivElement>(null)

  // Opening an email marks it as read. `u` marks it unread again, and it stays unread.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the conversation opens
  useEffect(() => {
    const unread = emails.filter((email) => !email.read && expanded.has(email.id))
    if (unread.length > 0) void actions.markRead(unread, true)
    heading.current?.focus({ preventScroll: true })
    // Scrolls to the subject, then as far as necessary to show the opened message.
    section.current?.scrollIntoView({ block: 'start' })
    if (emails[0]?.id !== id) document.getElementById(`message-${id}`)?.scrollIntoView({ block: 'nearest' })
  }, [])

  const toggle = (email: Email) => {
    const isOpen = expanded.has(email.id)
    setExpanded((before) => {
      const after = new Set(before)
      isOpen ? after.delete(email.id) : after.add(email.id)
      return after
    })
    if (!isOpen && !email.read) void actions.markRead([email], true)
  }
  const answer = (kind: Answering['kind'], email: Email, words = '') => {
    setAnswerId(null)
    setAnswering({ kind, email, words })
  }
  const drafting = useReplyDraft((email, words) => answer('reply', email, words))
  const last = [...emails].reverse().find((email) => !isDraft(email) && email.id !== answerId)
  const target = opened && !isDraft(opened) ? opened : last
  useKeys({
    r: () => target && answer('reply', target),
    a: () => target && answer('all', target),
    f: () => target && answer('forward', target),
  })
  const seed = useAnswerSeed(answering)
  useEffect(() => {
    if (seed) composer.current?.scrollIntoView({ block: 'nearest' })
  }, [seed])

  const handlers: MessageHandlers = {
    reply: (email) => answer('reply', email),
    replyAll: (email) => answer('all', email),
    forward: (email) => answer('forward', email),
    markUnread: (email) => void actions.markRead([email], false),
    remove: onDelete,
    saveRaw: (email) => void saveRaw(email),
  }
  const close = () => {
    setAnswering(null)
    setAnswerId(null)
    heading.current?.focus({ preventScroll: true })
  }
  if (!opened) return null
  return (
    <section ref={section} className="conversation" aria-labelledby="conversation-subject">
      <Bar
        email={opened}
        actions={actions}
        onBack={() => navigation.go({ open: null })}
        onArchive={() => onArchive(opened)}
        onDelete={() => onDelete(opened)}
      />
      <div className="conversation-head">
        <h2 ref={heading} id="conversation-subject" tabIndex={-1} title={subjectOf(opened)}>
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
                onToggle={() => toggle(email)}
                handlers={handlers}
                notice={
                  <DeliveryNotice
                    email={email}
                    handlers={unsent}
                    onCancelSend={() => void revert(email.id)}
                  />
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
            title={answering.kind === 'forward' ? 'Forward' : `Answer ${nameOf(answering.email.from)}`}
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
      <p className="only-heard">In {labelOf(opened.folder)}.</p>
    </section>
  )
}

/** A conversation, oldest message first, with the opened message expanded. */
export const Conversation = (props: Omit<ThreadProps, 'emails'>) => {
  const query = useThread(props.id)
  const gone = usePendingEmailDeletions()
  if (isMissing(query.error)) return <EmailNotFound navigation={props.navigation} />
  return (
    <LoadedList
      query={query}
      itemsOf={({ emails }) => emails.filter((email) => !gone.has(email.id))}
      empty={null}
    >
      {(emails) => <Thread {...props} emails={emails} />}
    </LoadedList>
  )
}
