import { replyOf } from '../../src/engine/history.ts'
import { loadCases } from './data.ts'

export interface ReplyCase {
  id: string
  text: string
  reply: string
}

export const replyCases = (): ReplyCase[] => loadCases('reply-quoting', 'cases')

const same = (a: string, b: string): boolean =>
  a.trim().replace(/\s+\n/g, '\n') === b.trim().replace(/\s+\n/g, '\n')

/** Upstream asserts the reply with the signature for some, its first part for others. */
export const isReplyRight = ({ text, reply }: ReplyCase): boolean =>
  same(replyOf(text), reply) || same(replyOf(text, true), reply)
