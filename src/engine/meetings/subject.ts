import { isGerman } from '../dates/read.ts'
import type { Piece } from './piece.ts'
import type { Signal } from './signals.ts'

/** Verbs say that people meet, not what the meeting is called. */
const PLAIN: Readonly<Record<string, string>> = {
  meet: 'Meeting',
  'meet up': 'Meeting',
  meeting: 'Meeting',
  meetings: 'Meeting',
  'get together': 'Get-together',
  call: 'Call',
  calls: 'Call',
  talk: 'Talk',
  speak: 'Talk',
  chat: 'Chat',
  treffen: 'Treffen',
  termin: 'Termin',
  telefonieren: 'Telefonat',
  'sehen uns': 'Treffen',
  'sehen wir uns': 'Treffen',
}

/** What stands before one of these belongs to the sentence and is no name. Nouns are capital in German. */
const VERB = /^(?:meet(?: up)?|Meet(?: up)?|treffen|telefonieren|[Ss]ehen (?:wir )?uns)$/

/** Read from its end, where it is known to be. */
const QUALIFIER = /$(?<=((?:[\p{L}\d&-]+\s){0,3}))/u
const FILLER =
  /^(?:a|an|the|our|my|your|this|that|next|another|quick|short|brief|for|to|in|on|of|at|have|had|and|or|is|are|we|you|i|it|can|could|let's|lets|some|any|do|up|with|by|about|new|first|last|schedule|book|arrange|plan|set|join|us|me|please|minute|hour|hours|minutes|min|\d.*|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:'s)?|today'?s?|tomorrow'?s?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|move|push|fancy|grab|grabbing|getting|having|doing|want|wanna|zum|zur|ein|eine|einen|einem|der|die|das|den|dem|unser|unsere|unserem|unseren|unserer|ihr|ihre|ihren|ihrem|ihrer|mein|meine|meinen|meinem|meiner|dein|deine|deinen|deinem|deiner|kurzes|kurzen|nächstes|nächsten|für|im|am|wir|uns|zu|quick|possible|another)$/iu

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What the meeting nearest to a time is called by the text: "quarterly review", "Lunch with Ann". */
export const occasionAt = (
  text: string,
  occasions: readonly Signal[],
  offset: number,
  people: readonly Piece[],
): string | undefined => {
  const nearest = occasions.toSorted((a, b) => Math.abs(a.offset - offset) - Math.abs(b.offset - offset))[0]
  if (!nearest) return undefined
  const word = nearest.text.toLowerCase()
  const before =
    QUALIFIER.exec(text.slice(Math.max(0, nearest.offset - 60), nearest.offset))?.[1]?.trim() ?? ''
  const kept: string[] = []
  for (const piece of before.split(/\s+/).toReversed()) {
    if (piece === '' || FILLER.test(piece)) break
    kept.unshift(piece)
  }
  const base =
    kept.length > 0 && !VERB.test(nearest.text)
      ? `${kept.join(' ')} ${nearest.text}`
      : (PLAIN[word] ?? nearest.text)
  const names = people.slice(0, 3).map(({ text: name }) => name)
  if (names.length === 0 || kept.length > 0) return capital(base)
  const along = isGerman(text.slice(Math.max(0, offset - 500), offset + 500)) ? 'mit' : 'with'
  return capital(`${base} ${along} ${names.join(', ')}`)
}
