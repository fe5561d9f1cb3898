import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Deps } from '../app.ts'
import type { Logger } from '../platform/log.ts'

/** What a command of the command line has to work with. */
export interface CommandContext {
  config: Config
  /** What came after the command's name. */
  args: readonly string[]
  log: Logger
  openDatabase(): Promise<Database>
  /** The outside world on an open database. */
  worldOf(database: Database): Deps
  print(text: string): void
  /** Asks a person; an answer that is `hidden` is not shown. Undefined where nobody is there to ask. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string | undefined>
  /** Calls back when the process is told to stop: the first time, and each further time. */
  onStop(callback: (count: number) => void): void
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
