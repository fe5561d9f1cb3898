import type { Deps } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../platform/log.ts'

/** What a command of the command line has to work with. */
export interface CommandContext extends Pick<Deps, 'clock' | 'random' | 'version' | 'consoleDirectory'> {
  /** Read when first asked for: a setting that cannot be used throws BadVariable here. */
  readonly config: Config
  /** What came after the command's name. */
  args: readonly string[]
  readonly log: Logger
  /** The names that stand in `.env`, known or not. */
  envFileNames: readonly string[]
  nodeVersion: string
  openDatabase(): Promise<Database>
  /** The outside world on an open database; with the instance's own secret unless another is given. */
  worldOf(database: Database, secretKey?: string): Deps
  /** The answer, for a person or the next program in a pipe. */
  print(text: string): void
  /** What is said beside the answer: never part of what is piped on. */
  note(text: string): void
  /** Asks a person; an answer that is `hidden` is not shown. Undefined where nobody is there to ask. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string | undefined>
  /** The first line of what is piped in. */
  readLine(): Promise<string>
  /** Calls back when the process is told to stop: the first time, and each further time. */
  onStop(callback: (count: number) => void): void
  /** Says that the service runs: what only its start needed can be given back. */
  started(): void
  exit(code: number): never
}

export interface Command {
  /** How it is called: `user add EMAIL`. */
  usage: string
  summary: string
  run(context: CommandContext): Promise<number>
}

/** Something the person at the command line can mend: shown as one line, without a trace. */
export class CommandError extends Error {}
