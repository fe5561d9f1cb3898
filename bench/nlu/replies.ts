import { replyOf } from '../../src/nlu/history.ts'
import { loadCases } from './data.ts'

export interface ReplyCase {
  id: string
  text: string
  reply: string
}

export const replyCases = (): ReplyCase[] => loadCases('reply-quoting', 'cases')

const same = (a: string, b: string): boolean =>
  a.trim().replace(/\s+\n/g, '\n') === b.trim().replace(/\s+\n/g, '\n')

/** The upstream tests expect the signature in some replies only, so both forms count. */
export const isReplyRight = ({ text, reply }: ReplyCase): boolean =>
  same(replyOf(text), reply) || same(replyOf(text, true), reply)
