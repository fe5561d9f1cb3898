import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { nearest } from '../platform/nearest.ts'
import { CommandError } from './command.ts'

interface Shape<O extends ParseArgsOptionsConfig> {
  usage: string
  options: O
  /** The plain words, as the usage calls them: FILE. */
  words: readonly string[]
}

/** What was asked for, or one line that says how to ask. */
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
      const meant =
        Object.keys(options).find((known) => known.startsWith(`${name}-`)) ??
        nearest(name, Object.keys(options))
      throw wrong(`There is no option ${unknown}.${meant ? ` Did you mean --${meant}?` : ''}`)
    }
  }
  const { values, positionals, tokens } = parse()
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  const twice = given.find((name, index) => given.indexOf(name) < index && !options[name]?.multiple)
  if (twice !== undefined) throw wrong(`--${twice} was given twice.`)
  const missing = words[positionals.length]
  if (missing !== undefined) throw wrong(`${missing} is missing.`)
  const extra = positionals[words.length]
  if (extra !== undefined) throw wrong(`"${extra}" is one too many.`)
  return { values, words: positionals }
}

const unknownOption = (args: readonly string[], options: ParseArgsOptionsConfig): string | undefined => {
  const end = args.indexOf('--')
  return args
    .slice(0, end < 0 ? args.length : end)
    .map((arg) => arg.split('=', 1)[0] as string)
    .find((arg) => arg.startsWith('-') && arg !== '-' && options[arg.replace(/^--?/, '')] === undefined)
}
