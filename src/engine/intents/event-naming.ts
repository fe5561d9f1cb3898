import { EVENT, pickEvent } from './picks.ts'
import { draft, type Rule } from './request.ts'

const EVENTS = new RegExp(`(?<![\\p{L}])${EVENT}(?![\\p{L}])`, 'iu')
const TASKISH = /\b(?:tasks?|to-?dos?|reminders?|aufgaben?|lists?)\b/iu
const ARTICLE = '(?:the\\s+|my\\s+|our\\s+|den\\s+|die\\s+|das\\s+|meinen?\\s+)?'
const RENAME = new RegExp(
  `^(?:(?:rename|retitle)\\s+${ARTICLE}|(?:change|set|update|ändere)\\s+(?:the\\s+|den\\s+)?(?:title|name|subject|titel|namen)\\s+(?:of|for|von|vom|des)\\s+${ARTICLE}|(?:nenne|benenne)\\s+${ARTICLE})`,
  'iu',
)
const PLACE = new RegExp(
  `^(?:change|set|update|move|ändere|verlege)\\s+(?:the\\s+|den\\s+)?(?:location|place|room|venue|ort|raum)\\s+(?:of|for|von|vom|des|für)\\s+${ARTICLE}`,
  'iu',
)
/** Where the old name ends and the new one begins; the last such word, for a name may hold one. */
const TO = /^(.*)\s+(?:to|into|as|in|auf|zu)\s+["“„]?([^"“”„]+?)["”“]?(?:\s+um)?[.!]?$/iu

/** "rename the meeting with Bob to budget talk", "change the location of the review to room 7". */
export const renameEvent: Rule = (request) => {
  const { text } = request
  const head = RENAME.exec(text) ?? PLACE.exec(text)
  if (!head || TASKISH.test(text)) return undefined
  const [, name, fresh] = TO.exec(text.slice(head[0].length)) ?? []
  if (name === undefined || fresh === undefined) return undefined
  const { pick, evidence } = pickEvent(request, head[0].length, head[0].length + name.length)
  const isNamed = Object.keys(pick).length > 0
  const isPlace = !RENAME.test(text)
  // Files and lamps are renamed too: what is meant must be known for something in a calendar.
  const isEvent =
    EVENTS.test(text) ||
    pick.at !== undefined ||
    pick.person !== undefined ||
    isPlace ||
    head[0].includes('title')
  if (!isNamed) return isEvent ? { lacks: 'which event' } : undefined
  return draft(
    'update_event',
    { event: pick, ...(isPlace ? { place: fresh.trim() } : { title: fresh.trim() }) },
    isEvent ? 0.92 : 0.8,
    evidence,
  )
}
