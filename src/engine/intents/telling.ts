import { draft, type Rule } from './request.ts'

/** "let Bob know that …", "tell Ana I'll be late": somebody else is told something. */
const TELL =
  /^(?:let\s+(?!me\b|us\b|'s)((?:my |the )?[\p{L}.'-]+)\s+know|(?:tell|inform)\s+(?!me\b|us\b|my (?:day|week|schedule)\b)((?:my |the )?[\p{L}.'-]+)|(?:sage?|schreibe?)\s+(?!mir\b|uns\b|das\b|den\b|die\b|eine?\b|an\b)(\p{L}[\p{L}.'-]+)(?=,?\s+dass\b))\s*,?\s*(?:(?:that|dass)\s+)?(?=\S)/iu

const WHOM = "((?:(?:my|the|all|dem|den|der|das|die)\\s+)?[\\p{L}.'-]+(?:\\s+(?:and|und)\\s+[\\p{L}.'-]+)?)"
/** With nothing said: what there is to tell was asked for just before. */
const TELL_OF_IT = new RegExp(
  `^(?:(?:tell|inform|notify|update|e-?mail|message|ping|informiere?|benachrichtige?)\\s+(?!me\\b|us\\b|mich\\b|uns\\b)${WHOM}|let\\s+(?!me\\b|us\\b)${WHOM}\\s+know|(?:sage?|gib|gebe?)\\s+(?!mir\\b|uns\\b)${WHOM}\\s+bescheid)(?:\\s+(?:about (?:it|that|this)|of it|davon|darüber|too|as well|auch))?[.!]?$`,
  'iu',
)

/** Whether such words may follow what somebody does to an event. */
export const TELLS =
  /^(?:tell|inform|notify|update|let\s+\S+(?:\s+\S+)?\s+know|informiere?|benachrichtige?|(?:sage?|gib|gebe?)\s.{1,40}\sbescheid)(?![\p{L}])/iu

const MOVED =
  /^(?:move|reschedule|postpone|push|shift|bring|delay)\s+(.{1,80}?)\s+(?:back\s+)?to\s+(.{1,60})$/iu
const CANCELLED = /^(?:cancel|call off|scrap|drop)\s+(.{1,80})$/iu
const VERSCHOBEN = /^(?:verschiebe?|verlege?|schiebe?)\s+(.{1,80}?)\s+(?:auf|in)\s+(.{1,60})$/iu
const ABGESAGT = /^(?:sage?\s+(.{1,80})\s+ab|(?:streiche?|storniere?)\s+(.{1,80}))$/iu

/** For others it is no longer "my" meeting. */
const ours = (words: string): string =>
  words.replace(/^my\b/iu, 'our').replace(/^mein(?=e?[nrms]?\b)/iu, 'unser')

/** What was done, as one tells it. */
const newsOf = (deed: string): string | undefined => {
  const moved = MOVED.exec(deed)
  if (moved) return `${ours(moved[1] as string)} is moved to ${moved[2]}`
  const cancelled = CANCELLED.exec(deed)
  if (cancelled) return `${ours(cancelled[1] as string)} is cancelled`
  const later = VERSCHOBEN.exec(deed)
  if (later) return `neuer Termin (${ours(later[1] as string)}): ${later[2]}`
  const off = ABGESAGT.exec(deed)
  return off ? `abgesagt: ${ours((off[1] ?? off[2]) as string)}` : undefined
}

const bareName = (name: string): string => name.replace(/^(?:my|the|all|dem|den|der|das|die)\s+(?=\S)/iu, '')

/** "asking for the slides" is a question of its own; after "dass" the verb stands last, and cannot begin a sentence. */
export const askedAs = (lead: string, words: string): string => {
  if (/\bdass\s*$/iu.test(lead)) return `ich wollte nur sagen, dass ${words}`
  if (/\basking\b.*\bfor\b/iu.test(lead)) return `I would like to ask you for ${words}`
  return /\basking\b.*\b(?:if|whether)\b/iu.test(lead) ? `I would like to know whether ${words}` : words
}

export const tellSomebody: Rule = ({ text, deed }) => {
  const ofIt = deed === undefined ? null : TELL_OF_IT.exec(text)
  if (ofIt && deed !== undefined) {
    const says = newsOf(deed)
    const to = bareName((ofIt[1] ?? ofIt[2] ?? ofIt[3]) as string)
    return draft('draft_email', { to, ...(says ? { says } : {}) }, 0.9)
  }
  const told = TELL.exec(text)
  const name = told?.[1] ?? told?.[2] ?? told?.[3]
  if (!told || !name || /^(?:me|us|a|the|him|her|them)$/iu.test(name)) return undefined
  const says = text
    .slice(told[0].length)
    .trim()
    .replace(/[.!]+$/u, '')
  if (!/\s/u.test(says) || /^(?:a |an )?(?:joke|story|about)\b/iu.test(says)) return undefined
  return draft('draft_email', { to: bareName(name), says: askedAs(told[0], says), send: true }, 0.9)
}
