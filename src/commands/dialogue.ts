import type { Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type CommandContext, CommandError } from './command.ts'

const LONGEST_LINE = 4096
const NEWLINE = 0x0a

/** Rejects when the person leaves without an answer: Ctrl+C, Ctrl+D, a closed terminal. */
const answerOf = (dialogue: Interface, question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    dialogue.once('close', () => reject(new CommandError('Nothing was entered.')))
    dialogue.question(question).then(resolve, () => reject(new CommandError('Nothing was entered.')))
  })

export const createAsk =
  (input: NodeJS.ReadStream, output: NodeJS.WriteStream): CommandContext['ask'] =>
  async (question, { hidden = false } = {}) => {
    if (!input.isTTY) return undefined
    const { createInterface } = await import('node:readline/promises')
    const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
    const dialogue = createInterface({ input, output: hidden ? silence : output, terminal: true })
    try {
      if (hidden) output.write(question)
      return await answerOf(dialogue, hidden ? '' : question)
    } finally {
      if (hidden) output.write('\n')
      dialogue.close()
    }
  }

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError('What was piped in is not text in UTF-8.')
  }
}

export const createReadLine =
  (input: NodeJS.ReadStream): CommandContext['readLine'] =>
  async () => {
    let read = Buffer.alloc(0)
    for await (const chunk of input as AsyncIterable<Buffer>) {
      read = Buffer.concat([read, chunk])
      if (read.includes(NEWLINE) || read.length > LONGEST_LINE) break
    }
    const end = read.indexOf(NEWLINE)
    const line = end < 0 ? read : read.subarray(0, end)
    if (line.length > LONGEST_LINE) throw new CommandError('What was piped in is too long for one line.')
    return decode(line).replace(/\r$/, '')
  }
