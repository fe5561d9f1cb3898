import { readEventWith } from '../meetings/event.ts'
import type { Business } from './classifier.ts'
import { isEmptyWord } from './doubts.ts'
import { marksIn } from './mail-rules.ts'
import {
  companion,
  type Draft,
  dayOf,
  draft,
  type Incomplete,
  momentOf,
  pickEmail,
  pickEvent,
  pickTask,
  type Request,
  rangeOf,
  toEvidence,
  wallText,
} from './request.ts'
import { listIn } from './task-rules.ts'

/** The confidence of arguments that no rule has read. */
const CONFIDENCE = 0.6

const DROPS =
  /\b(?:cancel|delete|remove|erase|clear|drop|scrap|scratch|forget|rid|off|lösch\p{L}*|entfern\p{L}*|streich\p{L}*|stornier\p{L}*|absag\p{L}*|ab|raus|nimm)\b/iu
const DONE = /\b(?:done|finished|complete[d]?|check|tick|erledigt|fertig|hak\p{L}*)\b/iu
/** The link to unsubscribe is in the email, so the email is shown. */
const UNSUBSCRIBE = /\b(?:unsubscribe|abbestell\p{L}*|abmeld\p{L}*|melde)\b/iu
const ARCHIVES = /\b(?:archiv\p{L}*|file|clean)\b/iu
const CLOCK = /\b(?:time|clock|hour|uhr|uhrzeit|spät|zeitzone|timezone)\b/iu
const PLACE = /\b(?:in|für|for|of)\s+(?:the\s+)?(\p{L}[\p{L} ]{1,40}?)\s*\??$/iu
const afterVerb = ({ text }: Request): number => /^\p{L}+\s+/u.exec(text)?.[0].length ?? 0

const fillEventChange = (request: Request): Draft | Incomplete => {
  const { pick, evidence } = pickEvent(request, afterVerb(request), request.text.length)
  if (Object.keys(pick).length === 0) return { missing: 'which event' }
  if (DROPS.test(request.text)) return draft('cancel_event', { event: pick }, CONFIDENCE, evidence)
  const { at, ...event } = pick
  return at && Object.keys(event).length > 0
    ? draft('move_event', { event, start: at }, CONFIDENCE, evidence)
    : { missing: 'the new time' }
}

const fillTaskChange = (request: Request): Draft | Incomplete => {
  const list = listIn(request.text)
  const task = pickTask(request.timeless.slice(afterVerb(request)))?.replace(
    /\s(?:to|until|till|auf|bis|for|für)$/iu,
    '',
  )
  if (!task) return { missing: 'which task' }
  if (DONE.test(request.text)) return draft('complete_task', { task }, CONFIDENCE)
  if (DROPS.test(request.text))
    return draft('delete_task', { task, ...(list?.name ? { list: list.name } : {}) }, CONFIDENCE)
  const due = momentOf(request.times, request.context.timezone)
  return due
    ? draft(
        'update_task',
        { task, due: wallText(due) },
        CONFIDENCE,
        toEvidence(request, 'due', request.times),
      )
    : { missing: 'what to change' }
}

const fillDate = (request: Request): Draft => {
  const time = request.times.find(({ start, kind }) => start && kind !== 'recurrence')
  const place = PLACE.exec(request.timeless)?.[1]?.trim()
  if (CLOCK.test(request.text))
    return draft('tell_date', { asks: 'time', ...(place ? { timezone: place } : {}) }, CONFIDENCE)
  const day = time?.start?.day ?? dayOf(request.context.now)
  return draft('tell_date', { asks: 'date', day: wallText({ day }) }, CONFIDENCE)
}

/** Words of a question about events that name none. */
const QUESTION =
  /^(?:what|what's|whats|when|when's|whens|where|where's|who|who's|which|how|any|anything|something|there|is|are|was|were|does|do|did|have|has|had|got|am|going|coming|up|planned|plans?|scheduled|happening|left|look|looks|like|show|list|tell|check|see|view|find|give|events?|meetings?|appointments?|calendar|schedule|agenda|diary|today|tomorrow|week|weekend|month|day|next|upcoming|free|busy|time|place|date|was|wann|wo|wer|welche[nrs]?|wie|steht|stehen|gibt|es|habe?|hab|ist|sind|etwas|noch|denn|termine?n?|kalender|zeige?|sag|nächste[nrs]?|heute|morgen|woche|tag|frei|los|vor|bei)$/iu
const MAX_SUBJECT_WORDS = 3

/** Finds the subject of a question: "when is Ana's birthday". */
const findSubject = (timeless: string): { about?: string } => {
  const words = (timeless.match(/[\p{L}\d][\p{L}\d'’.-]*/gu) ?? []).filter(
    (word) => !QUESTION.test(word) && !isEmptyWord(word),
  )
  return words.length > 0 && words.length <= MAX_SUBJECT_WORDS ? { about: words.join(' ') } : {}
}

const fillEvent = ({ text, times, context }: Request): Draft | Incomplete => {
  const { title, people, place } = readEventWith(text, times)
  if (!title) return { missing: 'the title and the time' }
  const start = momentOf(times, context.timezone)
  return draft(
    'create_event',
    {
      title: title.text,
      ...(start && { start: wallText(start) }),
      ...(people.length > 0 && { people: people.map((one) => one.text) }),
      ...(place && { place: place.text }),
    },
    CONFIDENCE,
  )
}

/** Reads the arguments of a request that no rule matches. */
export const fillArguments = (request: Request, business: Business): Draft | Incomplete => {
  const { times, context, timeless } = request
  const time = times.find(({ start, kind }) => start && kind !== 'recurrence')
  const seen = time ? toEvidence(request, 'from', [time]) : []
  switch (business) {
    case 'ask_events': {
      const person = companion(timeless)
      return draft(
        'list_events',
        {
          ...rangeOf(time, context),
          ...(person ? { person: person.text } : findSubject(timeless)),
        },
        CONFIDENCE,
        seen,
      )
    }
    case 'ask_tasks': {
      const list = listIn(request.text)
      return draft(
        'list_tasks',
        { ...rangeOf(time, context), ...(list?.name ? { list: list.name } : {}) },
        CONFIDENCE,
        seen,
      )
    }
    case 'ask_mail': {
      const { pick, evidence } = pickEmail(request)
      const marks = marksIn(request.text)
      return draft(
        'find_emails',
        { ...pick, ...(marks.length > 0 ? { marks } : {}), ...rangeOf(time, context) },
        CONFIDENCE,
        [...evidence, ...seen],
      )
    }
    case 'overview':
      return draft(
        'get_briefing',
        { day: wallText({ day: time?.start?.day ?? dayOf(context.now) }) },
        CONFIDENCE,
      )
    case 'date':
      return fillDate(request)
    case 'make_event':
      return fillEvent(request)
    case 'make_task':
      return { missing: 'the title of the task' }
    case 'change_event':
      return fillEventChange(request)
    case 'change_task':
      return fillTaskChange(request)
    case 'write_mail': {
      const { pick } = pickEmail(request)
      return pick.sender || pick.about
        ? draft(
            'draft_email',
            { ...(pick.sender ? { reply: pick } : { about: pick.about as string }) },
            CONFIDENCE,
          )
        : { missing: 'the recipient' }
    }
    case 'change_mail': {
      const { pick, evidence } = pickEmail(request)
      if (Object.keys(pick).length === 0) return { missing: 'which email' }
      if (UNSUBSCRIBE.test(request.text)) return draft('find_emails', pick, CONFIDENCE, evidence)
      if (DROPS.test(request.text)) return draft('delete_email', { email: pick }, CONFIDENCE, evidence)
      return ARCHIVES.test(request.text)
        ? draft('tag_email', { email: pick, archive: true }, CONFIDENCE, evidence)
        : { missing: 'what to change' }
    }
  }
}
