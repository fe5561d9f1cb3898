import type { FetchMessageObject, FetchQueryObject, ImapFlow, MailboxObject } from 'imapflow'
import { readAddresses } from '../../features/emails/mime/addresses.ts'
import { decodeWords } from '../../features/emails/mime/encoded-words.ts'
import { fieldsNamed, type HeaderField, readHeader } from '../../features/emails/mime/header-fields.ts'
import type {
  FolderState,
  FolderUse,
  Mailbox,
  MessageState,
  OpenMailbox,
} from '../../features/mail-accounts/mailbox.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { failedAt } from '../../platform/outbound/steps.ts'
import { connect, toFailure } from './connection.ts'
import { toSequence } from './sequence.ts'

const USES: Record<string, FolderUse> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Archive': 'archive',
  '\\All': 'all',
  '\\Trash': 'trash',
  '\\Junk': 'junk',
  '\\Flagged': 'flagged',
}
const FLAGS = { read: '\\Seen', starred: '\\Flagged' } as const
const SEQUENCE_MOST = 2_000

const stateOf = ({ uid, flags }: FetchMessageObject): MessageState => ({
  uid,
  read: flags?.has(FLAGS.read) ?? false,
  starred: flags?.has(FLAGS.starred) ?? false,
})

const folderState = (
  state: Pick<MailboxObject, 'highestModseq' | 'noModseq'> & {
    uidValidity?: bigint | undefined
    uidNext?: number | undefined
    exists: number
  },
): FolderState => ({
  uidValidity: String(state.uidValidity ?? 0),
  uidNext: state.uidNext ?? 1,
  highestModseq: state.highestModseq && !state.noModseq ? String(state.highestModseq) : null,
  exists: state.exists,
})

const instantOf = (date: Date | string | undefined): string => {
  const read = new Date(date ?? 0)
  return Number.isNaN(read.getTime()) ? new Date(0).toISOString() : read.toISOString()
}

const SKETCHED_FIELDS = ['message-id', 'subject', 'from']
/** Enough for a person to recognise a message by. */
const LONGEST_FIELD = 2_000

/** The last field of this name, as far as it is short. */
const lastField = (fields: readonly HeaderField[], name: string): string =>
  (fieldsNamed(fields, name).at(-1) ?? '').slice(0, LONGEST_FIELD)

const sketchFields = (header: Buffer | undefined) => {
  const fields = readHeader(header ?? Buffer.alloc(0))
  return {
    messageId: fieldsNamed(fields, 'message-id').at(-1) ?? null,
    subject: decodeWords(lastField(fields, 'subject')),
    from: readAddresses(lastField(fields, 'from'))[0] ?? null,
  }
}

const placeOf = (uidValidity: bigint | undefined, uid: number | undefined) =>
  uidValidity === undefined || uid === undefined ? null : { uidValidity: String(uidValidity), uid }

const wrap = (host: string, client: ImapFlow): Mailbox => {
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw toFailure(host, error)
    }
  }
  /** Some refusals are no exceptions to the library. */
  const insist = async (work: () => Promise<unknown>): Promise<void> => {
    if ((await run(work)) === false) throw failedAt(host, { step: 'command', reason: 'refused' })
  }
  const fetchAll = (uids: readonly number[], query: FetchQueryObject): Promise<FetchMessageObject[]> =>
    run(async () => {
      const found: FetchMessageObject[] = []
      for (let start = 0; start < uids.length; start += SEQUENCE_MOST) {
        const range = toSequence(uids.slice(start, start + SEQUENCE_MOST))
        for await (const message of client.fetch(range, { uid: true, ...query }, { uid: true }))
          found.push(message)
      }
      return found
    })
  const searchUids = async (query: Parameters<ImapFlow['search']>[0]): Promise<number[]> =>
    run(async () => {
      const found = await client.search(query, { uid: true })
      if (!found) throw failedAt(host, { step: 'command', reason: 'refused' })
      return found.toSorted((a, b) => a - b)
    })

  return {
    filesSentItself: client.capabilities.has('X-GM-EXT-1'),

    folders: () =>
      run(async () =>
        (await client.list()).map(({ path, specialUse, flags }) => ({
          path,
          use: path.toUpperCase() === 'INBOX' ? 'inbox' : (USES[specialUse ?? ''] ?? null),
          selectable: !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
        })),
      ),

    createFolder: (path) => run(async () => void (await client.mailboxCreate(path))),

    open: (path) => run(async () => folderState(await client.mailboxOpen(path))),

    peek: (path) =>
      run(async () => {
        const query = { messages: true, uidNext: true, uidValidity: true, highestModseq: true }
        const found = await client.status(path, query)
        if (!found) throw failedAt(host, { step: 'select', reason: 'missing' })
        return folderState({ ...found, exists: found.messages ?? 0 })
      }),

    async uids(from = 1) {
      // RFC 3501: `n:*` always holds the last message, also when its number is below n.
      return (await searchUids({ uid: `${from}:*` })).filter((uid) => uid >= from)
    },

    async changesSince(modseq) {
      if (!client.enabled.has('CONDSTORE') && !client.capabilities.has('CONDSTORE')) return null
      const vanished: number[] = []
      const onExpunge = ({ uid }: { uid?: number | undefined }) => {
        if (uid !== undefined) vanished.push(uid)
      }
      client.on('expunge', onExpunge)
      try {
        return await run(async () => {
          const changed: MessageState[] = []
          const options = { uid: true, changedSince: BigInt(modseq) }
          for await (const message of client.fetch('1:*', { uid: true, flags: true }, options))
            changed.push(stateOf(message))
          return { changed, vanished: client.enabled.has('QRESYNC') ? vanished : null }
        })
      } finally {
        client.off('expunge', onExpunge)
      }
    },

    states: async (uids) => (await fetchAll(uids, { flags: true })).map(stateOf),

    sketches: async (uids) =>
      // Not by ENVELOPE: the library needs seconds for one with a hundred thousand addresses.
      (await fetchAll(uids, { flags: true, size: true, internalDate: true, headers: SKETCHED_FIELDS })).map(
        (message) => ({
          ...stateOf(message),
          ...sketchFields(message.headers),
          size: message.size ?? 0,
          receivedAt: instantOf(message.internalDate),
        }),
      ),

    async *fetch(uids) {
      try {
        const query = { uid: true, source: true }
        for await (const { uid, source } of client.fetch(toSequence(uids), query, { uid: true }))
          if (source) yield { uid, raw: source }
      } catch (error) {
        throw toFailure(host, error)
      }
    },

    fetchHead: async (uid, bytes) =>
      (await fetchAll([uid], { source: { start: 0, maxLength: bytes } }))[0]?.source,

    async setFlags(uid, wish) {
      for (const [name, flag] of Object.entries(FLAGS)) {
        const wanted = wish[name as keyof typeof FLAGS]
        if (wanted === undefined) continue
        const change = wanted ? client.messageFlagsAdd : client.messageFlagsRemove
        await run(() => change.call(client, String(uid), [flag], { uid: true }))
      }
    },

    move: (uid, to) =>
      run(async () => {
        const moved = await client.messageMove(String(uid), to, { uid: true })
        if (!moved) throw failedAt(host, { step: 'command', reason: 'refused' })
        return placeOf(moved.uidValidity, moved.uidMap?.get(uid))
      }),

    append: (path, { raw, flags, receivedAt, draft }) =>
      run(async () => {
        const set = [
          ...(flags.read ? [FLAGS.read] : []),
          ...(flags.starred ? [FLAGS.starred] : []),
          ...(draft ? ['\\Draft'] : []),
        ]
        const appended = await client.append(path, raw, set, receivedAt)
        if (!appended) throw failedAt(host, { step: 'command', reason: 'refused' })
        return placeOf(appended.uidValidity, appended.uid)
      }),

    search: (messageId) => searchUids({ header: { 'message-id': messageId } }),

    async waitForChange(ms, signal) {
      const { promise, resolve } = Promise.withResolvers<'changed' | 'quiet'>()
      const changed = () => resolve('changed')
      const quiet = () => resolve('quiet')
      const timer = setTimeout(quiet, ms)
      const events = ['exists', 'expunge', 'flags', 'close'] as const
      for (const event of events) client.on(event, changed)
      signal.addEventListener('abort', quiet, { once: true })
      if (signal.aborted) quiet()
      try {
        const idling = client.idle().catch(() => undefined)
        const outcome = await promise
        // Any command ends the IDLE; this one also tells whether the connection is still there.
        await insist(() => client.noop())
        await idling
        return outcome
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', quiet)
        for (const event of events) client.off(event, changed)
      }
    },

    async close() {
      try {
        await client.logout()
      } catch {
        client.close()
      }
    },
  }
}

/** IMAP4 (RFC 3501, 9051) with IDLE, CONDSTORE, QRESYNC, MOVE and UIDPLUS where the server has them. */
export const createImap =
  (resolve: Outbound['resolve']): OpenMailbox =>
  async (target, signal) => {
    const client = await connect(resolve, target, signal)
    const mailbox = wrap(target.server.host, client)
    signal?.addEventListener('abort', () => client.close(), { once: true })
    return mailbox
  }
