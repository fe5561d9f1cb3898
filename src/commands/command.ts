import { readFileSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Deps } from '../app.ts'
import type { Config } from '../config/config.ts'
import { BadVariable } from '../config/values.ts'
import type { Database } from '../database/database.ts'
import { nearest } from '../platform/collections.ts'
import { AppError } from '../platform/errors.ts'
import type { Logger } from '../platform/log.ts'

/** The services that commands use. */
export interface CommandContext extends Pick<Deps, 'clock' | 'random' | 'version' | 'consoleDirectory'> {
  /** Parsed on first access: an invalid setting throws BadVariable here. */
  readonly config: Config
  /** The arguments after the command's name. */
  args: readonly string[]
  readonly log: Logger
  /** The names in `.env`, known or not. */
  envFileNames: readonly string[]
  nodeVersion: string
  openDatabase(): Promise<Database>
  /** Creates the dependencies for an open database, with the instance's secret unless another is given. */
  createDeps(database: Database, secretKey?: string): Deps
  /** Prints the result to stdout, for a user or the next program in a pipe. */
  print(text: string): void
  /** Prints messages to stderr, so that they are never piped. */
  note(text: string): void
  /** Asks the user; input is not echoed if `hidden`. Undefined without a terminal. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string | undefined>
  /** Reads the first line of stdin. */
  readLine(): Promise<string>
  /** Calls back for each stop signal, with their number so far. */
  onStop(callback: (count: number) => void): void
  /** Calls back for each SIGUSR2. */
  onDebugSignal(callback: () => void): void
  /** Reports that the server runs. Memory that only the startup needed can be released. */
  started(): void
  exit(code: number): never
}

export interface Command {
  /** The syntax: `user add EMAIL`. */
  usage: string
  summary: string
  run(context: CommandContext): Promise<number>
}

/** An error that the user can fix. It is printed as one line, without a stack trace. */
export class CommandError extends Error {}

interface Shape<O extends ParseArgsOptionsConfig> {
  usage: string
  options: O
  /** The positional arguments, as the usage names them: FILE. */
  words: readonly string[]
}

/** Parses the arguments, or throws one line with the usage. */
export const readArguments = <const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { usage, options, words }: Shape<O>,
) => {
  const wrong = (reason: string): CommandError => new CommandError(`${reason} Usage: factotum ${usage}`)
  const parse = () => {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true })
    } catch (error) {
      const unknown = unknownOption(args, options)
      if (unknown === undefined) throw wrong(`${(error as Error).message.split('. ', 1)[0]}.`)
      const name = unknown.replace(/^--?/, '')
      const suggestion =
        Object.keys(options).find((known) => known.startsWith(`${name}-`)) ??
        nearest(name, Object.keys(options))
      throw wrong(`There is no option ${unknown}.${suggestion ? ` Did you mean --${suggestion}?` : ''}`)
    }
  }
  const { values, positionals, tokens } = parse()
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  const duplicate = given.find((name, index) => given.indexOf(name) < index && !options[name]?.multiple)
  if (duplicate !== undefined) throw wrong(`--${duplicate} is specified twice.`)
  const missing = words[positionals.length]
  if (missing !== undefined) throw wrong(`${missing} is missing.`)
  const extra = positionals[words.length]
  if (extra !== undefined) throw wrong(`"${extra}" is an unexpected argument.`)
  return { values, words: positionals }
}

/** Finds a word in a list, or throws one line that suggests a similar one. */
export const readChoice = <C extends string>(
  word: string,
  choices: readonly C[],
  { noun, listed }: { noun: string; listed: string },
): C => {
  const known = choices.find((choice) => choice === word)
  if (known !== undefined) return known
  const suggestion = nearest(word, choices)
  const hint = suggestion ? `Did you mean ${suggestion}?` : `${listed}: ${choices.join(', ')}.`
  throw new CommandError(`Unknown ${noun} "${word}". ${hint}`)
}

const unknownOption = (args: readonly string[], options: ParseArgsOptionsConfig): string | undefined => {
  const end = args.indexOf('--')
  return args
    .slice(0, end < 0 ? args.length : end)
    .map((arg) => arg.split('=', 1)[0] as string)
    .find((arg) => arg.startsWith('-') && arg !== '-' && options[arg.replace(/^--?/, '')] === undefined)
}

const isFixable = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof BadVariable || error instanceof AppError

/**
 * Returns the message of an error. Some errors (a connection refused on every address) only contain other
 * errors.
 */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.message === '' && error instanceof AggregateError) return messageOf(error.errors[0])
  return error.message
}

const chain = (error: unknown): string[] =>
  error instanceof Error
    ? [messageOf(error), ...chain(error.cause)]
    : error === undefined
      ? []
      : [String(error)]

/** Formats one line for errors that the user can fix, and the full stack for others. */
export const explainFailure = (error: unknown): string => {
  if (isFixable(error)) return `factotum: ${error.message}`
  if (error instanceof Error && error.cause !== undefined) return `factotum: ${chain(error).join(' ')}`
  return `factotum: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

/** Reads the password from stdin, or asks for it twice. */
export const readPassword = async ({ ask, readLine }: CommandContext, isPiped: boolean): Promise<string> => {
  if (isPiped) return readLine()
  const password = await ask('Password: ', { hidden: true })
  if (password === undefined)
    throw new CommandError(
      'There is no terminal to ask for a password. Pass it on standard input with --password-stdin.',
    )
  if ((await ask('Repeat password: ', { hidden: true })) !== password)
    throw new CommandError('The passwords do not match.')
  return password
}

const MAX_PASSPHRASE_BYTES = 4096

/** Reads the passphrase from a file: all bytes except one trailing newline, which editors add. */
const readPassphrase = (file: string): Buffer => {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new CommandError(`The passphrase file ${file} cannot be read: ${messageOf(error)}`)
  }
  const text = bytes.toString('latin1').replace(/\r?\n$/, '')
  if (text === '')
    throw new CommandError(`The passphrase file ${file} is empty. Write a passphrase into it, on one line.`)
  if (text.length > MAX_PASSPHRASE_BYTES)
    throw new CommandError(
      `The passphrase file ${file} is too long: a passphrase has at most ${MAX_PASSPHRASE_BYTES} bytes.`,
    )
  return Buffer.from(text, 'latin1')
}

export interface Passphrase {
  bytes: Buffer
  /** The file or setting that contains it, for messages. */
  source: string
}

/** Returns the passphrase of `--passphrase-file`, or of the setting; null without one. */
export const findPassphrase = (
  { backupPassphrase }: Pick<Config, 'backupPassphrase'>,
  file: string | undefined,
): Passphrase | null => {
  if (file !== undefined) return { bytes: readPassphrase(file), source: file }
  return backupPassphrase === null
    ? null
    : { bytes: Buffer.from(backupPassphrase), source: 'BACKUP_PASSPHRASE' }
}
