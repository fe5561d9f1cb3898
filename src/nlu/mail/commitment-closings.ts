/*
 * Decides whether a later mail shows that a promise was kept. Only clear words together with the subject of the
 * promise close it. Doubtful mail suggests it, and the person decides.
 */

import { ownText } from '../history.ts'
import { onOneLine, sentencesOf } from '../text.ts'
import { AFTER, BEFORE, unicode } from './word-boundaries.ts'

export interface LaterMail {
  text: string
  subject: string
  /** Names of the attached files. */
  files: readonly string[]
  /** Whether the one who promised wrote it, and not the one who received the promise. */
  isByAuthor: boolean
  isSameThread: boolean
}

export interface Closing {
  /** `suggested`: the mail may show it. */
  verdict: 'closed' | 'suggested'
  /** The sentence of the mail that shows it. */
  quote: string
}

const DELIVERS = unicode(
  `${BEFORE}(?:attached|enclosed|(?:please )?find (?:attached|enclosed|the|below)|here (?:is|are|it is|they are|you go|comes?)|here['’]s|anbei|im anhang|angehängt|beigefügt|beiliegend|hier (?:ist|sind|kommt|kommen|der|die|das|nun|jetzt)|hiermit (?:sende|schicke|erhalten|erhältst))${AFTER}`,
)
const REFERS = unicode(
  `${BEFORE}(?:as promised|as (?:i )?(?:said|announced) i would|(?:like|as) i promised|promised (?:file|document|offer)|wie versprochen|wie zugesagt|wie angekündigt|versprochene[nrsm]?)${AFTER}`,
)
const DONE = unicode(
  `${BEFORE}(?:(?:i|we)(?:['’]ve| have)? (?:just |now |already |finally |also )?(?:sent|emailed|mailed|forwarded|paid|transferred|booked|ordered|called|spoken|spoke|talked|asked|fixed|finished|completed|done|updated|uploaded|shared|submitted|delivered|returned|signed|reviewed|prepared|written|wrote|checked|arranged|organi[sz]ed|cancelled|printed|bought|posted|published|translated|added|removed|set up|sorted|picked|dropped|invited)|(?:is|are|was|were|has been|have been|it['’]s|that['’]s|all) (?:now |all |already |just )?(?:sent|paid|done|fixed|booked|ordered|finished|completed|uploaded|submitted|signed|ready|sorted|delivered|on (?:its|the) way)|done|erledigt|(?:ist|sind|wurde|wurden) (?:jetzt |nun |schon |soeben |gerade )?(?:\\p{L}+ ){0,3}(?:raus|fertig|erledigt|bezahlt|überwiesen|gebucht|bestellt|verschickt|versendet|unterwegs|unterschrieben|hochgeladen|eingereicht)|(?:habe|haben|hab) (?:\\p{L}+ ){0,12}(?:ge\\p{L}+(?:t|en)|\\p{L}{2,8}ge\\p{L}+(?:t|en)|überwiesen|erledigt|bestellt|bezahlt|reserviert|organisiert|repariert|korrigiert|aktualisiert|verschickt|versendet|besorgt|unterschrieben|übersetzt|überarbeitet|bestätigt|erstellt|vorbereitet))${AFTER}`,
)
/** The other person confirms it. */
const RECEIVED = unicode(
  `${BEFORE}(?:(?:thanks|thank you|many thanks|thx) (?:so much |a lot |again )?for (?:sending|the|your|sharing|forwarding|bringing|paying|booking|fixing)|(?:i|we)(?:['’]ve| have)? (?:just |now )?(?:received|got)|(?:danke|vielen dank|besten dank|herzlichen dank) für (?:den|die|das|dein\\p{L}*|ihr\\p{L}*|eur\\p{L}*)|(?:habe|haben) (?:\\p{L}+ ){0,8}(?:erhalten|bekommen)|(?:ist|sind) (?:\\p{L}+ ){0,3}(?:angekommen|eingegangen))${AFTER}`,
)
/** Not yet, or only announced. */
const NOT_YET = unicode(
  `${BEFORE}(?:not|never|no|n['’]t|haven['’]t|hasn['’]t|isn['’]t|didn['’]t|couldn['’]t|can['’]t|won['’]t|will|['’]ll|going to|still (?:need|have|working|missing|waiting|open)|almost|nearly|half|soon|later|tomorrow|sorry for|delay|when|if|unless|until|nicht|noch|nie|kein\\p{L}*|werde|wird|folgt|später|bald|morgen|fast|sobald|wenn|falls)${AFTER}`,
)
const ATTACHES = unicode(
  `${BEFORE}(?:attached|enclosed|anbei|im anhang|angehängt|beigefügt|beiliegend)${AFTER}`,
)
/** Promises to write or call: an answer in the thread may keep them. */
const COMMUNICATES = unicode(
  `${BEFORE}(?:get back|come back|let (?:you|him|her|them) know|keep (?:you|everyone)|reply|answer|respond|report|call|phone|write|melde[n]?|bescheid|antworte\\p{L}*|rufe|wissen|update)${AFTER}`,
)

const STOP_WORDS = new Set(
  'the and for you your our his her their this that these those with from will shall have has had been are was were but not all any can could would should until before after into over about them they him she also then just soon today tomorrow tonight week month year morning noon evening monday tuesday wednesday thursday friday saturday sunday next last first thing here there when what which who how get got let know back send sent make made sure take care look give bring going want need please thanks thank best regards ich wir dir dich ihnen ihr euch mir uns das die der den dem des ein eine einen einem einer und oder aber auch noch schon bis zum zur vom von für mit bei auf aus nach über heute morgen abend montag dienstag mittwoch donnerstag freitag samstag sonntag woche werde werden wird schicke schicken sende senden melde melden mich sich darum kümmere mache machen gebe bescheid bekommst erhalten als wie wenn sobald dann gut danke nächste nächsten'.split(
    ' ',
  ),
)
const MAX_STEM_LENGTH = 5
const MAX_TEXT_LENGTH = 20_000
const MAX_SENTENCES = 60
const MAX_QUOTE_LENGTH = 300
/** A mail of this length with "done" says nothing else. */
const SHORT = 160

/** Returns the beginnings of the words that carry the subject of a text. */
export const keywordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
      .filter((word) => !STOP_WORDS.has(word))
      .map((word) => word.slice(0, MAX_STEM_LENGTH)),
  )

const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let count = 0
  for (const word of one) if (other.has(word)) count++
  return count
}

/** Whether two promises of one person are about the same thing. */
export const isSameCommitment = (one: string, other: string): boolean => {
  const [a, b] = [keywordsOf(one), keywordsOf(other)]
  if (a.size === 0 || b.size === 0)
    return a.size === b.size && onOneLine(one).toLowerCase() === onOneLine(other).toLowerCase()
  return countShared(a, b) / Math.min(a.size, b.size) >= 0.6
}

const clip = (text: string): string =>
  text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH - 1).trimEnd()}…`.toWellFormed()

interface Signs {
  quote: string
  delivers: boolean
  refers: boolean
  done: boolean
  received: boolean
  /** Keywords that the sentence shares with the promise. */
  shared: number
}

const readSigns = (own: string, wanted: ReadonlySet<string>): Signs[] =>
  sentencesOf(own)
    .slice(0, MAX_SENTENCES)
    .flatMap(({ from, to }): Signs[] => {
      const words = onOneLine(own.slice(from, to)).trim()
      if (words.length < 3 || words.length > 600 || /\?\s*$/.test(words)) return []
      const refers = REFERS.test(words)
      const delivers = DELIVERS.test(words)
      const received = RECEIVED.test(words)
      const isOpen = NOT_YET.test(words)
      const done = DONE.test(words)
      if (isOpen || !(refers || delivers || received || done)) return []
      return [
        {
          quote: clip(words),
          refers,
          delivers,
          received,
          done,
          shared: countShared(wanted, keywordsOf(words)),
        },
      ]
    })

const judgeOwn = (
  signs: readonly Signs[],
  { files, isSameThread, text }: LaterMail,
  { sharedFiles, isOnly, own }: { sharedFiles: number; isOnly: boolean; own: string },
): Closing | undefined => {
  const hasContent = files.length > 0 || /https?:\/\//.test(text)
  const best = signs.toSorted((a, b) => b.shared - a.shared)
  for (const { quote, refers, delivers, done, shared } of best) {
    const about = shared + sharedFiles
    const isDelivered = delivers && (hasContent || !ATTACHES.test(quote))
    if (isSameThread) {
      if (refers && (about > 0 || isOnly)) return { verdict: 'closed', quote }
      if (about > 0 && (isDelivered || done)) return { verdict: 'closed', quote }
      if (done && isOnly && own.length <= SHORT) return { verdict: 'closed', quote }
    } else if (about > 1 && (refers || isDelivered || done)) return { verdict: 'closed', quote }
    else if (about > 0 && refers && isDelivered) return { verdict: 'closed', quote }
  }
  const doubtful = best.find(
    ({ refers, delivers, done, shared }) =>
      shared + sharedFiles > 0 || (isSameThread && isOnly && (refers || done || (delivers && hasContent))),
  )
  return doubtful && { verdict: 'suggested', quote: doubtful.quote }
}

/** Decides whether `mail` keeps the promise. `isOnly`: no other promise of that person is open in the thread. */
export const findClosing = (
  promise: string,
  mail: LaterMail,
  { isOnly }: { isOnly: boolean },
): Closing | undefined => {
  const own = onOneLine(ownText(mail.text.slice(0, MAX_TEXT_LENGTH))).trim()
  const wanted = keywordsOf(promise)
  const signs = readSigns(ownText(mail.text.slice(0, MAX_TEXT_LENGTH)), wanted)
  if (!mail.isByAuthor) {
    const thanks = signs.find(({ received, shared }) => received && shared > 0 && mail.isSameThread)
    return thanks && { verdict: 'suggested', quote: thanks.quote }
  }
  const sharedFiles = countShared(wanted, keywordsOf(mail.files.join(' ').replace(/[_\-.\d]+/g, ' ')))
  const found = judgeOwn(signs, mail, { sharedFiles, isOnly, own })
  if (found) return found
  if (mail.isSameThread && sharedFiles > 0)
    return { verdict: 'suggested', quote: clip(mail.files.join(', ')) }
  const isAnswer = mail.isSameThread && isOnly && COMMUNICATES.test(promise) && own.length >= 20
  return isAnswer && !NOT_YET.test(own) ? { verdict: 'suggested', quote: clip(own) } : undefined
}
