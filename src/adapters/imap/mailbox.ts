import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type {
  FetchMessageObject,
  FetchQueryObject,
  ImapFlow,
  ImapFlowError,
  ImapFlowOptions,
  MailboxObject,
  StatusObject,
} from 'imapflow'
import type {
  FetchedMessage,
  FolderChanges,
  FolderListing,
  FolderState,
  FolderUse,
  KeywordChange,
  Mailbox,
  MailTarget,
  MessageSketch,
  MessageState,
  OpenMailbox,
} from '../../features/mail/accounts/ports.ts'
import type { EmailFlags } from '../../features/mail/messages/email.ts'
import { readAddresses } from '../../features/mail/mime/addresses.ts'
import {
  decodeWords,
  fieldsNamed,
  type HeaderField,
  readHeader,
} from '../../features/mail/mime/header-fields.ts'
import { AppError, type StepFailure } from '../../platform/errors.ts'
import { trustIn } from '../../platform/outbound/addresses.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import { failedAt, resolveAsStep, socketFailure } from '../../platform/outbound/steps.ts'

const CONNECT_MS = 15_000
const GREETING_MS = 15_000
const SILENCE_MS = 120_000
/** RFC 2177: a server may close an IDLE after 29 minutes. */
const IDLE_MS = 9 * 60_000
const MAX_MESSAGE_BYTES = 100 * 1024 * 1024

const require = createRequire(import.meta.url)
const loadImapFlow = () => (require('imapflow') as typeof import('imapflow')).ImapFlow

const optionsFor = ({ server, login }: MailTarget, address: string): ImapFlowOptions => ({
  host: address,
  port: server.port,
  secure: server.tls === 'implicit',
  ...(server.tls !== 'implicit' && { doSTARTTLS: server.tls === 'starttls' }),
  ...(isIP(server.host) === 0 && { servername: server.host }),
  tls: trustIn(server.certificate),
  auth:
    login.kind === 'password'
      ? { user: login.user, pass: login.password }
      : { user: login.user, accessToken: login.accessToken },
  logger: false,
  qresync: true,
  disableAutoIdle: true,
  maxIdleTime: IDLE_MS,
  connectionTimeout: CONNECT_MS,
  greetingTimeout: GREETING_MS,
  socketTimeout: SILENCE_MS,
  maxLiteralSize: MAX_MESSAGE_BYTES,
  maxLineLength: 10 * 1024 * 1024,
  clientInfo: { name: 'Factotum' },
})

/** Converts an error of the library to a step and a reason. */
const toFailure = (host: string, thrown: unknown, login?: MailTarget['login']['kind']): AppError => {
  if (thrown instanceof AppError) return thrown
  const error = thrown as ImapFlowError
  const response =
    error.responseText ?? (typeof error.response === 'string' ? error.response : null) ?? error.reason ?? null
  const at = (step: StepFailure['step'], reason: StepFailure['reason']) =>
    failedAt(host, { step, reason, response }, error)
  if (error.authenticationFailed) return at('login', login === 'oauth' ? 'signed_out' : 'credentials')
  const known = socketFailure(error)
  if (known && !(known.step === 'greeting' && error.tlsFailed)) return at(known.step, known.reason)
  if (error.code === 'MissingServerExtension' || (error.tlsFailed && /STARTTLS/i.test(error.message)))
    return at('tls', 'no_starttls')
  if (error.tlsFailed || error.code === 'UPGRADE_TIMEOUT' || error.code === 'STARTTLS_INJECTION')
    return at('tls', 'other')
  if (error.code === 'ClosedAfterConnectTLS') return at('tls', 'closed')
  if (error.code === 'GREETING_TIMEOUT') return at('greeting', 'timeout')
  if (error.code === 'ClosedAfterConnectText') return at('greeting', 'closed')
  if (error.mailboxMissing || error.code === 'NotFound') return at('select', 'missing')
  if (error.code === 'ETIMEOUT') return at('command', 'timeout')
  if (error.code === 'NoConnection' || error.code === 'EConnectionClosed') return at('command', 'closed')
  return at('command', 'other')
}

/** Connects to the first checked address that answers, and logs in. */
const connect = async (
  resolve: Outbound['resolve'],
  target: MailTarget,
  signal?: AbortSignal,
): Promise<ImapFlow> => {
  const { host, port } = target.server
  const addresses = await resolveAsStep(resolve, host, port)
  const Client = loadImapFlow()
  for (const [index, address] of addresses.entries()) {
    const client = new Client(optionsFor(target, address))
    // Without a listener, a lost connection would end the process. Pending commands still fail with the
    // error.
    client.on('error', () => undefined)
    const abort = () => client.close()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      signal?.throwIfAborted()
      await client.connect()
      return client
    } catch (error) {
      client.close()
      const failure = toFailure(host, error, target.login.kind)
      const isLast = index === addresses.length - 1
      if (isLast || failure.details.failure?.step !== 'connect' || signal?.aborted) throw failure
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
  throw failedAt(host, { step: 'dns', reason: 'unknown_host' })
}

/** Formats numbers as an IMAP sequence set such as `1:4,7`. */
const toSequence = (numbers: readonly number[]): string => {
  const ranges: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}:${to}`)).join(',')
}

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
const MAX_SEQUENCE = 2_000

const stateOf = ({ uid, flags }: FetchMessageObject): MessageState => ({
  uid,
  read: flags?.has(FLAGS.read) ?? false,
  starred: flags?.has(FLAGS.starred) ?? false,
  keywords: [...(flags ?? [])].filter((flag) => !flag.startsWith('\\')).toSorted(),
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

const STATUS_QUERY = { messages: true, uidNext: true, uidValidity: true, highestModseq: true }

const statusState = (status: StatusObject): FolderState =>
  folderState({ ...status, exists: status.messages ?? 0 })

const instantOf = (date: Date | string | undefined): string => {
  const read = new Date(date ?? 0)
  return Number.isNaN(read.getTime()) ? new Date(0).toISOString() : read.toISOString()
}

const SKETCHED_FIELDS = ['message-id', 'subject', 'from']
/** Enough for a user to recognize a message. */
const MAX_FIELD_LENGTH = 2_000

/** Returns the last field with this name, truncated. */
const lastField = (fields: readonly HeaderField[], name: string): string =>
  (fieldsNamed(fields, name).at(-1) ?? '').slice(0, MAX_FIELD_LENGTH)

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

class ImapMailbox implements Mailbox {
  private readonly host: string
  private readonly client: ImapFlow
  readonly filesSentItself: boolean

  constructor(host: string, client: ImapFlow) {
    this.host = host
    this.client = client
    this.filesSentItself = this.client.capabilities.has('X-GM-EXT-1')
  }

  get delimiter(): string | null {
    return this.client.namespace?.delimiter || null
  }

  folders(): Promise<FolderListing[]> {
    return this.run(async () => {
      const prefix = this.client.namespace?.prefix ?? ''
      const listed = await this.client.list({ statusQuery: STATUS_QUERY })
      return listed.map(({ path, name, parentPath, delimiter, ...folder }) => ({
        path,
        name: name || path,
        parentPath: parentPath === '' || `${parentPath}${delimiter}` === prefix ? null : parentPath,
        use: path.toUpperCase() === 'INBOX' ? 'inbox' : (USES[folder.specialUse ?? ''] ?? null),
        subscribed: folder.subscribed ?? false,
        selectable: !folder.flags.has('\\Noselect') && !folder.flags.has('\\NonExistent'),
        state: folder.status?.uidValidity ? statusState(folder.status) : null,
      }))
    })
  }

  createFolder(name: string, parentPath: string | null = null): Promise<string> {
    return this.run(async () => {
      const { path } = await this.client.mailboxCreate(this.joinPath(parentPath, name))
      return path
    })
  }

  renameFolder(path: string, name: string, parentPath: string | null): Promise<string> {
    return this.run(async () => {
      const { newPath } = await this.client.mailboxRename(path, this.joinPath(parentPath, name))
      // The subscription belongs to the name (RFC 3501, section 6.3.6).
      await this.client.mailboxUnsubscribe(path)
      await this.client.mailboxSubscribe(newPath)
      return newPath
    })
  }

  deleteFolder(path: string): Promise<void> {
    return this.run(async () => {
      await this.client.mailboxDelete(path)
      await this.client.mailboxUnsubscribe(path)
    })
  }

  open(path: string): Promise<FolderState> {
    return this.run(async () => folderState(await this.client.mailboxOpen(path)))
  }

  peek(path: string): Promise<FolderState> {
    return this.run(async () => {
      const found = await this.client.status(path, STATUS_QUERY)
      if (!found) throw failedAt(this.host, { step: 'select', reason: 'missing' })
      return statusState(found)
    })
  }

  async uids(from = 1): Promise<number[]> {
    // RFC 3501: `n:*` always contains the last message, even if its number is below n.
    return (await this.searchUids({ uid: `${from}:*` })).filter((uid) => uid >= from)
  }

  async changesSince(modseq: string): Promise<FolderChanges | null> {
    if (!this.client.enabled.has('CONDSTORE') && !this.client.capabilities.has('CONDSTORE')) return null
    const vanished: number[] = []
    const onExpunge = ({ uid }: { uid?: number | undefined }) => {
      if (uid !== undefined) vanished.push(uid)
    }
    this.client.on('expunge', onExpunge)
    try {
      return await this.run(async () => {
        const changed: MessageState[] = []
        const options = { uid: true, changedSince: BigInt(modseq) }
        for await (const message of this.client.fetch('1:*', { uid: true, flags: true }, options))
          changed.push(stateOf(message))
        return { changed, vanished: this.client.enabled.has('QRESYNC') ? vanished : null }
      })
    } finally {
      this.client.off('expunge', onExpunge)
    }
  }

  async states(uids: readonly number[]): Promise<MessageState[]> {
    return (await this.fetchAll(uids, { flags: true })).map(stateOf)
  }

  async sketches(uids: readonly number[]): Promise<MessageSketch[]> {
    // ENVELOPE is not used: the library takes seconds for one with a hundred thousand addresses.
    return (
      await this.fetchAll(uids, { flags: true, size: true, internalDate: true, headers: SKETCHED_FIELDS })
    ).map((message) => ({
      ...stateOf(message),
      ...sketchFields(message.headers),
      size: message.size ?? 0,
      receivedAt: instantOf(message.internalDate),
      // The library always requests it if the server supports RFC 8474 or Gmail's extension.
      objectId: message.emailId ?? null,
    }))
  }

  async *fetch(uids: readonly number[]): AsyncIterable<FetchedMessage> {
    try {
      const query = { uid: true, source: true }
      for await (const { uid, source } of this.client.fetch(toSequence(uids), query, { uid: true }))
        if (source) yield { uid, raw: source }
    } catch (error) {
      throw toFailure(this.host, error)
    }
  }

  async fetchHead(uid: number, bytes: number): Promise<Buffer | undefined> {
    return (await this.fetchAll([uid], { source: { start: 0, maxLength: bytes } }))[0]?.source
  }

  async setFlags(uid: number, input: Partial<EmailFlags>): Promise<void> {
    for (const [name, flag] of Object.entries(FLAGS)) {
      const wanted = input[name as keyof typeof FLAGS]
      if (wanted === undefined) continue
      const change = wanted ? this.client.messageFlagsAdd : this.client.messageFlagsRemove
      await this.run(() => change.call(this.client, String(uid), [flag], { uid: true }))
    }
  }

  async setKeywords(uid: number, { add, remove }: KeywordChange): Promise<void> {
    const change = { uid: true }
    // The library answers false if the folder permits none of the keywords, or the server refuses them.
    if (add.length > 0) await this.run(() => this.client.messageFlagsAdd(String(uid), [...add], change))
    if (remove.length > 0)
      await this.run(() => this.client.messageFlagsRemove(String(uid), [...remove], change))
  }

  moveAll(to: string): Promise<{ uidValidity: string; uids: ReadonlyMap<number, number> } | null> {
    return this.run(async () => {
      const moved = await this.client.messageMove('1:*', to, { uid: true })
      if (!moved) throw failedAt(this.host, { step: 'command', reason: 'refused' })
      if (moved.uidValidity === undefined || !moved.uidMap) return null
      return { uidValidity: String(moved.uidValidity), uids: moved.uidMap }
    })
  }

  move(uid: number, to: string): Promise<{ uidValidity: string; uid: number } | null> {
    return this.run(async () => {
      const moved = await this.client.messageMove(String(uid), to, { uid: true })
      if (!moved) throw failedAt(this.host, { step: 'command', reason: 'refused' })
      return placeOf(moved.uidValidity, moved.uidMap?.get(uid))
    })
  }

  append(
    path: string,
    { raw, flags, receivedAt }: { raw: Buffer; flags: EmailFlags; receivedAt: Date },
  ): Promise<{ uidValidity: string; uid: number } | null> {
    return this.run(async () => {
      const set = [...(flags.read ? [FLAGS.read] : []), ...(flags.starred ? [FLAGS.starred] : [])]
      const appended = await this.client.append(path, raw, set, receivedAt)
      if (!appended) throw failedAt(this.host, { step: 'command', reason: 'refused' })
      return placeOf(appended.uidValidity, appended.uid)
    })
  }

  search(messageId: string): Promise<number[]> {
    return this.searchUids({ header: { 'message-id': messageId } })
  }

  async waitForChange(ms: number, signal: AbortSignal): Promise<'changed' | 'quiet'> {
    const { promise, resolve } = Promise.withResolvers<'changed' | 'quiet'>()
    const changed = () => resolve('changed')
    const quiet = () => resolve('quiet')
    const timer = setTimeout(quiet, ms)
    const events = ['exists', 'expunge', 'flags', 'close'] as const
    for (const event of events) this.client.on(event, changed)
    signal.addEventListener('abort', quiet, { once: true })
    if (signal.aborted) quiet()
    try {
      const idling = this.client.idle().catch(() => undefined)
      const outcome = await promise
      // Any command ends the IDLE. NOOP also checks that the connection is alive.
      await this.runOrThrow(() => this.client.noop())
      await idling
      return outcome
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', quiet)
      for (const event of events) this.client.off(event, changed)
    }
  }

  async close(): Promise<void> {
    try {
      await this.client.logout()
    } catch {
      this.client.close()
    }
  }

  /** The library adds the namespace prefix. */
  private joinPath(parentPath: string | null, name: string): string {
    return parentPath === null ? name : `${parentPath}${this.delimiter ?? ''}${name}`
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toFailure(this.host, error)
    }
  }

  /** The library reports some refusals as `false` instead of an exception. */
  private async runOrThrow(work: () => Promise<unknown>): Promise<void> {
    if ((await this.run(work)) === false) throw failedAt(this.host, { step: 'command', reason: 'refused' })
  }

  private fetchAll(uids: readonly number[], query: FetchQueryObject): Promise<FetchMessageObject[]> {
    return this.run(async () => {
      const found: FetchMessageObject[] = []
      for (let start = 0; start < uids.length; start += MAX_SEQUENCE) {
        const range = toSequence(uids.slice(start, start + MAX_SEQUENCE))
        for await (const message of this.client.fetch(range, { uid: true, ...query }, { uid: true }))
          found.push(message)
      }
      return found
    })
  }

  private async searchUids(query: Parameters<ImapFlow['search']>[0]): Promise<number[]> {
    return this.run(async () => {
      const found = await this.client.search(query, { uid: true })
      if (!found) throw failedAt(this.host, { step: 'command', reason: 'refused' })
      return found.toSorted((a, b) => a - b)
    })
  }
}

/**
 * Creates an IMAP4 client (RFC 3501, 9051). It uses IDLE, CONDSTORE, QRESYNC, MOVE and UIDPLUS if the server
 * supports them.
 */
export const createImap =
  (resolve: Outbound['resolve']): OpenMailbox =>
  async (target, signal) => {
    const client = await connect(resolve, target, signal)
    const mailbox = new ImapMailbox(target.server.host, client)
    signal?.addEventListener('abort', () => client.close(), { once: true })
    return mailbox
  }
