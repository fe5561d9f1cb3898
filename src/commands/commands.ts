import { nearest } from '../platform/nearest.ts'
import { type Command, type CommandContext, CommandError } from './command.ts'

/** Loaded when called: `serve` should not pay for what it does not use. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  'user add': async () => (await import('./user-add.ts')).userAdd,
  'user password': async () => (await import('./user-password.ts')).userPassword,
  'token create': async () => (await import('./token-create.ts')).tokenCreate,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
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

/** Finds the command that `words` begin with (`user add` is one of two words) and what is left for it. */
const findCommand = (words: readonly string[]) => {
  for (const length of [2, 1]) {
    const load = COMMANDS[words.slice(0, length).join(' ')]
    if (load) return { load, args: words.slice(length) }
  }
  return undefined
}

export const runCommand = async (
  words: readonly string[],
  createContext: (args: readonly string[]) => CommandContext,
  print: (text: string) => void,
): Promise<number> => {
  const first = words[0]
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    print(await help())
    return 0
  }
  const found = findCommand(words)
  if (!found) {
    const meant =
      nearest(words.slice(0, 2).join(' '), Object.keys(COMMANDS)) ?? nearest(first, Object.keys(COMMANDS))
    throw new CommandError(
      `There is no command "${first}".${meant ? ` Did you mean "${meant}"?` : ''} See: factotum help`,
    )
  }
  const command = await found.load()
  return command.run(createContext(found.args))
}
