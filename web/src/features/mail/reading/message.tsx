import {
  CircleAlert,
  Code,
  Download,
  FileText,
  Forward,
  ListFilter,
  Mail,
  Printer,
  Reply,
  ReplyAll,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/mail'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { type Address, type Email, nameOf } from '../folders.ts'
import { isListMail, ListNotice } from '../mailing-lists/list-notice.tsx'
import { compose, NO_PARTS } from '../rules/condition.ts'
import { RuleDialog, type RuleSeed } from '../rules/rule-dialog.tsx'
import { Attachments } from './attachments.tsx'
import { Insight } from './insight/insight.tsx'
import { isFromOthers } from './insight/use-insight.ts'
import { Invitation } from './invitation.tsx'
import { MessageBody } from './message-body.tsx'
import { Reservations } from './reservations.tsx'
import { isSecured, SecurityNotice } from './security-notice.tsx'
import { mayHaveInvitation } from './use-invitation.ts'

interface UnreadableNoticeProps {
  unreadable: NonNullable<Email['unreadable']>
  onDownload: () => void
}

/** Replaces the text of a message that could not be parsed. */
const UnreadableNotice = ({ unreadable, onDownload }: UnreadableNoticeProps) => (
  <Notice tone="warn" icon={CircleAlert}>
    <p>
      <strong>{t.couldNotRead}</strong> {unreadable.reason}
    </p>
    {unreadable.hasRaw && (
      <Button size="small" onClick={onDownload}>
        <Download size={16} aria-hidden="true" />
        {t.downloadOriginal}
      </Button>
    )}
  </Notice>
)

const written = ({ name, address }: Address): string => (name ? `${name} <${address}>` : address)

const Line = ({ label, people }: { label: string; people: readonly Address[] }) =>
  people.length === 0 ? null : (
    <>
      <dt>{label}</dt>
      <dd>{people.map(written).join(', ')}</dd>
    </>
  )

const Details = ({ email }: { email: Email }) => {
  const { dateTime } = useDates()
  return (
    <dl className="message-details">
      <Line label={t.details.from} people={email.from ? [email.from] : []} />
      <Line label={t.details.replyTo} people={email.replyTo} />
      <Line label={t.details.to} people={email.to} />
      <Line label={t.details.cc} people={email.cc} />
      <Line label={t.details.bcc} people={email.bcc} />
      <dt>{t.details.date}</dt>
      <dd>{dateTime(email.date)}</dd>
      <dt className="screen-only">{t.details.folder}</dt>
      <dd className="screen-only">{t.folders[email.folder]}</dd>
    </dl>
  )
}

/** Prefills a rule for the same mailing list, or for the same sender. */
const seedOf = ({ id, from, mailingList }: Email): RuleSeed => ({
  key: `mail-rule-like-${id}`,
  name: (mailingList?.name || nameOf(from)).slice(0, 100),
  q: mailingList ? `list:${mailingList.id}` : compose({ ...NO_PARTS, from: from?.address ?? '' }),
})

export interface MessageHandlers {
  reply: (email: Email) => void
  replyAll: (email: Email) => void
  forward: (email: Email) => void
  markUnread: (email: Email) => void
  remove: (email: Email) => void
  saveRaw: (email: Email) => void
  print: (email: Email) => void
}

interface MessageProps {
  email: Email
  isOpen: boolean
  isPrinted: boolean
  onToggle: () => void
  handlers: MessageHandlers
  notice: React.ReactNode
}

const othersIn = ({ to, cc }: Email): string => {
  const people = [...to, ...cc].map(nameOf)
  if (people.length === 0) return t.noRecipients
  return t.toRecipients({ names: people.slice(0, 3).join(', '), more: Math.max(0, people.length - 3) })
}

/** One message of a thread, collapsed or expanded. */
export const Message = ({ email, isOpen, isPrinted, onToggle, handlers, notice }: MessageProps) => {
  const { dateTime } = useDates()
  const [showsDetails, setShowsDetails] = useState(false)
  const [isPlain, setIsPlain] = useState(false)
  const [seed, setSeed] = useState<RuleSeed | null>(null)
  const sender = nameOf(email.from)
  return (
    <article
      className="message"
      data-open={isOpen}
      data-printed={isPrinted}
      aria-label={t.fromSender(sender)}
    >
      <header className="message-head">
        <Avatar name={sender} avatarUrl={null} size="middle" />
        <button type="button" className="message-toggle" aria-expanded={isOpen} onClick={onToggle}>
          <span className="message-line">
            <strong>{sender}</strong>
            {!email.read && <Tag tone="accent">{t.unread}</Tag>}
            {email.folder !== 'inbox' && <Tag>{t.folders[email.folder]}</Tag>}
          </span>
          <span className="message-second">{isOpen ? othersIn(email) : email.snippet}</span>
        </button>
        <span className="message-when">
          {isOpen ? <time dateTime={email.date}>{dateTime(email.date)}</time> : <Time at={email.date} />}
        </span>
        {isOpen && (
          <span className="row-actions">
            <IconButton icon={Reply} label={t.replyToSender(sender)} onClick={() => handlers.reply(email)} />
            <RowMenu
              label={t.moreActions(sender)}
              actions={[
                { label: t.replyAll, icon: ReplyAll, onSelect: () => handlers.replyAll(email) },
                { label: t.forward, icon: Forward, onSelect: () => handlers.forward(email) },
                { label: t.markUnread, icon: Mail, onSelect: () => handlers.markUnread(email) },
                {
                  label: showsDetails ? t.hideDetails : t.showDetails,
                  icon: FileText,
                  onSelect: () => setShowsDetails(!showsDetails),
                },
                ...(email.html === null
                  ? []
                  : [
                      {
                        label: isPlain ? t.showFormatted : t.showPlainText,
                        icon: Code,
                        onSelect: () => setIsPlain(!isPlain),
                      },
                    ]),
                ...(isFromOthers(email)
                  ? [
                      {
                        label: t.createRule,
                        icon: ListFilter,
                        onSelect: () => setSeed(seedOf(email)),
                      },
                    ]
                  : []),
                { label: t.print, icon: Printer, onSelect: () => handlers.print(email) },
                { label: t.downloadEmail, icon: Download, onSelect: () => handlers.saveRaw(email) },
                { label: t.deleteEmail, icon: Trash2, onSelect: () => handlers.remove(email) },
              ]}
            />
          </span>
        )}
      </header>
      {isOpen && (
        <div className="message-main">
          <div className={showsDetails ? undefined : 'print-only'}>
            <Details email={email} />
          </div>
          {notice}
          {isSecured(email) && <SecurityNotice email={email} />}
          {isListMail(email) && <ListNotice email={email} />}
          {email.unreadable === null ? (
            <>
              {mayHaveInvitation(email) && <Invitation email={email} />}
              {isFromOthers(email) && <Reservations email={email} />}
              {isFromOthers(email) && <Insight email={email} />}
              <MessageBody email={email} isPlain={isPlain} title={t.emailFrom(sender)} />
            </>
          ) : (
            <UnreadableNotice unreadable={email.unreadable} onDownload={() => handlers.saveRaw(email)} />
          )}
          <Attachments email={email} />
        </div>
      )}
      <RuleDialog ruleInput={seed} onClose={() => setSeed(null)} />
    </article>
  )
}
