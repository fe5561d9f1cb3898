import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Deps } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { nearest } from '../platform/collections.ts'
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

const unknownOption = (args: readonly string[], options: ParseArgsOptionsConfig): string | undefined => {
  const end = args.indexOf('--')
  return args
    .slice(0, end < 0 ? args.length : end)
    .map((arg) => arg.split('=', 1)[0] as string)
    .find((arg) => arg.startsWith('-') && arg !== '-' && options[arg.replace(/^--?/, '')] === undefined)
}
