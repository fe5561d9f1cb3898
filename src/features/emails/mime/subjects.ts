import { foldText } from '../../../database/full-text/words.ts'

/** What programs put in front of a subject when answering or forwarding, in the languages they come in. */
const PREFIX =
  /^(?:re|aw|antw|sv|vs|odp|ref|rif|res|ynt|bls|atb|回复|回覆|答复|返信|fwd?|wg|tr|rv|enc|i|pd|doorst|vl|vb|vidarebefordrat|转发|轉寄|転送)(?:\s?[[(]\d{1,3}[\])]|\s?\*\d{1,3})?\s?[:：]\s*/i
/** A mailing list's own mark. */
const LIST_MARK = /^\[[^\]]{1,40}\]\s*/

export const isReplySubject = (subject: string): boolean => {
  const text = subject.trim().replace(LIST_MARK, '')
  return PREFIX.test(text)
}

/** By which subjects of one conversation are the same. */
export const subjectKeyOf = (subject: string): string => {
  let text = subject.replace(/\s+/g, ' ').trim()
  for (let shorter = strip(text); shorter !== text; shorter = strip(text)) text = shorter
  return foldText(text).slice(0, 200).toWellFormed()
}

const strip = (text: string): string => text.replace(PREFIX, '').replace(LIST_MARK, '').trimStart()
