import type { EmailPick, ToolArguments } from '../../../../engine/intents/vocabulary.ts'
import { type Counted, type Desk, defined } from './desk.ts'

interface Mail {
  id: number
  subject: string
  date: string
  from: { name: string; address: string } | null
}
interface Waiting {
  from: { name: string; address: string }
  subject: string
  asks: string[]
}

/** Writes an answer to a mail as far as that goes without a model; `says` is what the person wants said. */
export type WriteAnswer = (
  emailId: number,
  says: string | undefined,
) => Promise<{ text: string; gaps: readonly string[] }>

const MOST_AT_ONCE = 25

const queryOf = ({ sender, recipient, about }: EmailPick): string | undefined =>
  [
    sender && `from:"${sender.replaceAll('"', '')}"`,
    recipient && `to:"${recipient.replaceAll('"', '')}"`,
    about,
  ]
    .filter(Boolean)
    .join(' ') || undefined

const sentence = (text: string): string => {
  const words = text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return /[.!?]$/.test(words) ? words : `${words}.`
}

/** What is said of e-mails. */
export const createMailWork = (desk: Desk, writeAnswer: WriteAnswer) => {
  const { act, words, found, foundOf, lines, done, day } = desk

  const nameOf = ({ from }: Pick<Mail, 'from'>): string => from?.name || from?.address || words.someone
  const tell = (mail: Mail): string => `${nameOf(mail)}: ${mail.subject} (${day(mail.date)})`

  /** In the inbox, and where there is none in it, anywhere. */
  const find = async (pick: EmailPick, limit: number, folder = 'inbox'): Promise<Mail[]> => {
    const wish = { query: queryOf(pick), limit }
    const there = await found<Mail>('find_emails', { ...wish, folder }, 'emails')
    return there.length > 0 ? there : found<Mail>('find_emails', wish, 'emails')
  }
  const isNamed = ({ sender, recipient, about, latest }: EmailPick): boolean =>
    (sender ?? recipient ?? about ?? latest) !== undefined

  /** To read or answer: the newest that fits. */
  const newest = async (pick: EmailPick): Promise<Mail | string> =>
    isNamed(pick) ? ((await find(pick, 1))[0] ?? words.unknown.mail) : words.whichMail

  /** To change something: those that were surely meant. */
  const meant = async (pick: EmailPick, folder?: string): Promise<Mail[] | string> => {
    const isWhole = pick.sender !== undefined || pick.about !== undefined
    if (!isNamed(pick) || (pick.all && !isWhole)) return words.whichMail
    if (pick.all) {
      const all = await find(pick, MOST_AT_ONCE, folder)
      return all.length > 0 ? all : words.unknown.mail
    }
    const fits = await find(pick, pick.latest ? 1 : 6, folder)
    const one = desk.only(fits, 'mail', { none: words.unknown.mail, tell })
    return typeof one === 'string' ? one : [one]
  }

  return {
    async find(wish: ToolArguments['find_emails']): Promise<string> {
      const { marks = [], tag, withAttachment, from, to, about, sender, recipient } = wish
      if (marks.includes('unanswered')) {
        const all = await found<Waiting>('find_unanswered', {}, 'waiting')
        const shown = all.filter(({ from: who }) =>
          `${who.name} ${who.address}`.toLowerCase().includes((sender ?? '').toLowerCase()),
        )
        return lines(
          shown.map((one) => `${nameOf(one)}: ${one.subject}${one.asks[0] ? ` (“${one.asks[0]}”)` : ''}`),
          words.nothing.waiting,
        )
      }
      const terms = [
        ...[withAttachment && 'has:attachment', marks.includes('starred') && 'is:starred', about],
        ...[from && `after:${from.slice(0, 10)}`, to && `before:${to.slice(0, 10)}`],
      ]
      const query = queryOf(
        defined({ sender, recipient, about: terms.filter(Boolean).join(' ') || undefined }) as EmailPick,
      )
      const more = { query, tag, unread: marks.includes('unread') || undefined }
      // What somebody asks for by no word of its own lies in the inbox.
      const folder = query === undefined && tag === undefined ? 'inbox' : undefined
      const levels = marks.includes('urgent') ? ['critical', 'high'] : [undefined]
      const all: Mail[] = []
      let isCut = false
      for (const urgency of levels) {
        const wanted = { ...more, folder, urgency, limit: 15 }
        const part = await foundOf<Mail>('find_emails', wanted, 'emails')
        all.push(...part.items)
        isCut ||= part.more
      }
      return lines(all.map(tell), words.nothing.mails, isCut)
    },

    async read(pick: EmailPick): Promise<string> {
      const one = await newest(pick)
      if (typeof one === 'string') return one
      const acted = await act('read_email', { id: one.id })
      return done(acted, `${tell(one)}\n\n${(acted.result as { text?: string }).text ?? ''}`)
    },

    async mark({ email, tag, remove, read, starred, archive }: ToolArguments['tag_email']): Promise<string> {
      const all = await meant(email, archive === false ? 'archive' : undefined)
      if (typeof all === 'string') return all
      const tags = tag === undefined ? {} : remove ? { remove: [tag] } : { add: [tag] }
      let last = ''
      for (const { id, subject } of all) {
        const acted = await act('tag_email', defined({ id, ...tags, read, starred, archived: archive }))
        last = done(acted, archive ? words.archived(subject) : words.marked(subject))
        if (acted.status !== 'done') return last
      }
      return all.length === 1 ? last : words.allMarked(all.length)
    },

    async remove({ email }: ToolArguments['delete_email']): Promise<string> {
      const all = await meant(email)
      if (typeof all === 'string') return all
      const told: string[] = []
      for (const { id } of all) told.push(done(await act('delete_email', { id }), words.trashed))
      return told.join('\n')
    },

    async write({ to, reply, about, says, send }: ToolArguments['draft_email']): Promise<string> {
      const one = reply ? await newest(reply) : undefined
      if (typeof one === 'string') return one
      if (one) {
        const { text, gaps } = await writeAnswer(one.id, says && sentence(says))
        // What has gaps is nothing to send.
        const tool = send && gaps.length === 0 ? 'send_email' : 'draft_email'
        return done(await act(tool, { replyTo: one.id, text }), words.drafted(gaps.length))
      }
      // Whoever wrote before is known by their mail.
      const isAddress = to?.includes('@') ?? false
      const known = to && !isAddress ? (await find({ sender: to }, 1))[0]?.from : undefined
      if (send && !isAddress && !known) return words.address(to ?? '')
      const address = isAddress ? to : known && `${known.name} <${known.address}>`.trim()
      const name = isAddress ? '' : (known?.name || to || '').split(/\s+/)[0]
      const body = says ? sentence(says) : '[…]'
      const wish = defined({
        ...{ to: address ? [address] : undefined, subject: about && sentence(about).replace(/\.$/, '') },
        text: `${words.hello(name ?? '')}\n\n${body}\n`,
      })
      return done(await act(send && says ? 'send_email' : 'draft_email', wish), words.drafted(says ? 0 : 1))
    },

    /** How many are so, as far as one looks. */
    async count(
      mark: string | undefined,
      { person, from, to }: { person?: string; from?: string; to?: string },
    ): Promise<Counted | undefined> {
      if (mark === 'unanswered')
        return { count: (await found<Waiting>('find_unanswered', {}, 'waiting')).length, more: false }
      if (person === undefined && from === undefined && to === undefined) return undefined
      const terms = [from && `after:${from.slice(0, 10)}`, to && `before:${to.slice(0, 10)}`].filter(Boolean)
      const query = queryOf(defined({ sender: person, about: terms.join(' ') || undefined }) as EmailPick)
      const unread = mark === 'unread' || undefined
      const { items, more } = await foundOf<Mail>('find_emails', { query, unread, limit: 25 }, 'emails')
      return { count: items.length, more }
    },
  }
}
