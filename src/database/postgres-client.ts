import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { RowShape } from './postgres-rows.ts'

/*
 * pg connects, authenticates and keeps the queue of statements. For every statement it asks for the columns again,
 * and for every row it creates objects and events. Here the columns are described once per connection, and rows are
 * read from the bytes. The statements of one iteration of the event loop are sent together.
 * See https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const HEADER_BYTES = 5
const BIND_COMPLETE = 0x32
const COMMAND_COMPLETE = 0x43
const DATA_ROW = 0x44
/** pg would read the number of parameters as negative from 32,768 on. */
const PARAMETER_DESCRIPTION = 0x74

export interface Result {
  command: string
  rowCount: number | null
  rows: object[]
}

export interface StatementConfig {
  text: string
  values: unknown[]
  /** A named statement stays prepared in its connection. */
  name?: string
}

/** The members of pg's classes that its types lack. */
interface Wire {
  readonly stream: Duplex
  readonly submittedNamedStatements: Record<string, string>
  parse(query: { name: string | undefined; text: string }): void
  describe(target: { type: 'S'; name: string | undefined }): void
  bind(config: { statement: string | undefined; values: unknown[] }): void
  execute(config: object): void
  sync(): void
  attachListeners(stream: EventEmitter): void
}
type Callback = (error: unknown, result?: Result) => void
const Query = pg.Query as unknown as new (
  config: StatementConfig & { callback: Callback },
) => {
  /** pg replaces it if there is a timeout for queries. */
  readonly callback: Callback
  readonly text: string
  readonly values: unknown[]
  readonly name: string | undefined
  hasBeenParsed(wire: Wire): boolean
}
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** Sends all that is written in this iteration of the event loop with one system call. */
const corkUntilImmediate = (stream: Duplex): void => {
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** Tags are for example `SELECT 50`, `INSERT 0 1` and `COMMIT`. */
const parseTag = (tag: string): Pick<Result, 'command' | 'rowCount'> => {
  const [command = '', ...counts] = tag.split(' ')
  const count = Number(counts.at(-1))
  return { command, rowCount: counts.length > 0 && Number.isInteger(count) ? count : null }
}

/** A statement of the extended protocol. pg calls its methods in the order of the messages. */
class Statement extends Query {
  private readonly shapes: Map<string, RowShape>
  private readonly found: object[] = []
  private shape: RowShape | undefined
  private tag = ''
  private failure: unknown

  constructor(config: StatementConfig, shapes: Map<string, RowShape>, callback: Callback) {
    super({ ...config, callback })
    this.shapes = shapes
  }

  /** Returns an error if a value cannot be sent. */
  submit(wire: Wire): Error | null {
    const { name, text } = this
    let values: unknown[]
    try {
      values = this.values.map((value) => prepareValue(value))
    } catch (error) {
      return error as Error
    }
    corkUntilImmediate(wire.stream)
    if (!this.hasBeenParsed(wire)) {
      wire.parse({ name, text })
      // The columns of the statement, which do not depend on its values.
      wire.describe({ type: 'S', name })
      if (name !== undefined) wire.submittedNamedStatements[name] = text
    }
    wire.bind({ statement: name, values })
    wire.execute({})
    wire.sync()
    return null
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.shape = new RowShape(fields)
    if (this.name !== undefined) this.shapes.set(this.name, this.shape)
  }

  addRow(bytes: Buffer, start: number, end: number): void {
    try {
      // An earlier statement of the same name has the description.
      this.shape ??= this.shapes.get(this.name as string) as RowShape
      this.found.push(this.shape.readRow(bytes, start, end))
    } catch (error) {
      this.failure ??= error
    }
  }

  complete(tag: string): void {
    this.tag = tag
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.failure !== undefined) this.callback(this.failure)
    else this.callback(null, { ...parseTag(this.tag), rows: this.found })
  }
}

/** Joins the pieces of the stream to whole messages. */
class MessageReader {
  private readonly onMessage: (code: number, bytes: Buffer, start: number, end: number) => void
  private pieces: Buffer[] = []
  private length = 0
  /** The number of bytes until the next message is complete. */
  private needed = HEADER_BYTES

  constructor(onMessage: MessageReader['onMessage']) {
    this.onMessage = onMessage
  }

  /** Copies only a message that is in several pieces, and that only once. */
  add(piece: Buffer): void {
    this.pieces.push(piece)
    this.length += piece.length
    if (this.length < this.needed) return
    const bytes = this.pieces.length === 1 ? piece : Buffer.concat(this.pieces, this.length)
    let at = 0
    this.needed = HEADER_BYTES
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + 1 + bytes.readUInt32BE(at + 1)
      if (end > bytes.length) {
        this.needed = end - at
        break
      }
      this.onMessage(bytes[at] as number, bytes, at, end)
      at = end
    }
    this.length = bytes.length - at
    this.pieces = this.length === 0 ? [] : [bytes.subarray(at)]
  }
}

/** A client of pg that runs statements faster. */
export class Client extends pg.Client {
  private readonly shapes = new Map<string, RowShape>()
  /** pg sets it to the statement that the server answers. */
  declare private readonly _activeQuery: unknown

  constructor(config?: pg.ClientConfig) {
    super(config)
    const wire = this.connection as unknown as Wire
    const attachListeners = wire.attachListeners.bind(wire)
    wire.attachListeners = (stream) => {
      const others = new EventEmitter()
      attachListeners(others)
      const reader = new MessageReader((code, bytes, start, end) => {
        const active = this._activeQuery
        if (!(active instanceof Statement)) others.emit('data', bytes.subarray(start, end))
        else if (code === DATA_ROW) active.addRow(bytes, start + HEADER_BYTES, end)
        // Ends with a zero byte.
        else if (code === COMMAND_COMPLETE)
          active.complete(bytes.toString('latin1', start + HEADER_BYTES, end - 1))
        else if (code !== BIND_COMPLETE && code !== PARAMETER_DESCRIPTION)
          others.emit('data', bytes.subarray(start, end))
      })
      stream.on('data', (piece: Buffer) => reader.add(piece))
    }
  }

  /** Runs a text without values, which may be several statements. */
  runText(text: string): Promise<Result> {
    corkUntilImmediate(this.connection.stream)
    return this.query(text)
  }

  run(config: StatementConfig): Promise<Result> {
    return new Promise((resolve, reject) => {
      const callback: Callback = (error, result) => (result ? resolve(result) : reject(error))
      this.query(new Statement(config, this.shapes, callback) as unknown as pg.Submittable)
    })
  }
}
