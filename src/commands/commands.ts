import { nearest } from '../platform/collections.ts'
import { type Command, type CommandContext, CommandError } from './command.ts'

/** Loaded when called, so that `serve` does not pay for the others. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./instance.ts')).migrateCommand,
  'user add': async () => (await import('./users.ts')).userAdd,
  'user password': async () => (await import('./users.ts')).userPassword,
  'token create': async () => (await import('./users.ts')).tokenCreate,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  rollback: async () => (await import('./rollback.ts')).rollback,
  verify: async () => (await import('./verify.ts')).verify,
  'blobs move': async () => (await import('./blobs.ts')).blobsMove,
  'blobs claim': async () => (await import('./blobs.ts')).blobsClaim,
  import: async () => (await import('./import.ts')).importCommand,
  doctor: async () => (await import('./doctor.ts')).doctor,
}

const help = async (): Promise<string> => {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  const width = Math.max(...commands.map(({ usage }) => usage.length)) + 2
  const rows = commands.map(({ usage, summary }) => `  factotum ${usage.padEnd(width)}${summary}`)
  return [
    'Usage:',
    ...rows,
    '',
    'Settings come from the environment and from .env; .env.example lists them.',
    '',
  ].join('\n')
}

/**
 * Finds the command that `words` start with (`user add` has two words), and returns the remaining arguments.
 */
const findCommand = (words: readonly string[]) => {
  for (const length of [2, 1]) {
    const load = COMMANDS[words.slice(0, length).join(' ')]
    if (load) return { load, args: words.slice(length) }
  }
  return undefined
}

const HELP = new Set(['help', '--help', '-h'])
const VERSION = new Set(['version', '--version', '-v'])

/** Arguments after `--` are never options. */
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h')
}

const unknown = ([first = '', second]: readonly string[]): CommandError => {
  const names = Object.keys(COMMANDS)
  const matching = names.filter((name) => name.startsWith(`${first} `))
  const isAsked = second === undefined || HELP.has(second)
  if (matching.length > 0 && isAsked)
    return new CommandError(
      `There is ${matching.map((name) => `"${name}"`).join(' and ')}. See: factotum help`,
    )
  const wanted = matching.length > 0 ? `${first} ${second}` : first
  const suggestion = nearest(`${first} ${second ?? ''}`.trimEnd(), names) ?? nearest(first, names)
  return new CommandError(
    `There is no command "${wanted}".${suggestion ? ` Did you mean "${suggestion}"?` : ''} See: factotum help`,
  )
}

export const runCommand = async (
  words: readonly string[],
  createContext: (args: readonly string[]) => CommandContext,
  print: (text: string) => void,
): Promise<number> => {
  const isHelp = words[0] === undefined || HELP.has(words[0])
  const wanted = isHelp ? words.slice(1) : words
  if (wanted[0] === undefined) {
    print(await help())
    return 0
  }
  if (VERSION.has(wanted[0])) {
    print(createContext([]).version)
    return 0
  }
  const found = findCommand(wanted)
  if (!found) throw unknown(wanted)
  const command = await found.load()
  if (isHelp || asksForHelp(found.args)) {
    print(`Usage: factotum ${command.usage}\n\n${command.summary}.\n`)
    return 0
  }
  return command.run(createContext(found.args))
}
